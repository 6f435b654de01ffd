// What verify() has found.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "zwalk/core/index.hpp"

namespace zwalk { inline namespace v0 { namespace testing {

/// One mistake: the hook that is likely to make it, and a sentence that says what it does and where that was seen.
struct Finding {
    std::string hook;
    std::string sentence;
    std::size_t times = 1;  ///< that it was seen; the sentence is on the first one
};

/// What became of pairs of nodes, in the reference walks that follow decide().
struct DecisionCounts {
    std::uint64_t discarded = 0, accepted = 0, descended = 0;
};

/// The mistakes that were found, the first of each kind.
class Report {
  public:
    [[nodiscard]] bool ok() const { return findings_.empty(); }
    [[nodiscard]] std::vector<Finding> const& findings() const { return findings_; }
    /// Whether a mistake of this hook was found.
    [[nodiscard]] bool names(std::string_view hook) const;
    /// What decide() has answered. A trait that only ever descends passes, though nothing but brute force was tried.
    [[nodiscard]] DecisionCounts const& decided() const { return decisions; }
    /// All of it, a line for each mistake. Without mistakes, what decide() has answered, and a note if that leaves hooks untried.
    [[nodiscard]] std::string text() const;
    friend std::ostream& operator<<(std::ostream& out, Report const& report);

    // For verify():

    /// @param what   what the hook does wrong: with the hook, and but for its numbers, the kind of mistake
    /// @param where  where that was seen
    void add(std::string const& hook, std::string const& what, std::string const& where);
    std::uint64_t seed = 0;
    std::size_t sets = 0;   ///< of points
    std::size_t walks = 0;  ///< and other runs
    DecisionCounts decisions{};
    bool takes_accepted = false;  ///< some trait has a hook for pairs that decide() accepts

  private:
    std::vector<Finding> findings_;
    std::vector<std::string> kinds_;  ///< hook and what, of each finding
};

/// Where a mistake was seen.
struct Scene {
    std::string_view kind;  ///< of points
    std::size_t points = 0;
    std::uint64_t seed = 0;
    pos_t leaf_size = 0;
    std::string place;  ///< and what runs there
};
/// "40 points (uniform, seed 1), leaves of 1, reference walk".
std::string describe(Scene const& scene);

}}}  // namespace zwalk::v0::testing
