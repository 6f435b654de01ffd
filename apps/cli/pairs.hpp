// The options of zwalk pairs, in one process and on ranks.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "../io/output.hpp"
#include "points_run.hpp"
#include "zwalk/pairs/pairs.hpp"

namespace zwalk::apps {

/// The options, as text.
struct PairsCommand : PointsOptions {
    std::string edges, bins, second, weights, second_weights, line_of_sight;
    std::optional<std::string> pi_max, pi_bins, mu_bins;
};

/// Everything that the options settle before a file is read.
struct PairsPlan : CommonPlan {
    PairOptions pairs;

    /// Bins are those of two numbers.
    [[nodiscard]] bool two() const { return pairs.bins != PairBins::distance; }
    /// The reaches of edges, which are known when INPUT and what is beside it have been read.
    [[nodiscard]] std::vector<Reach> reaches() const;
};
/// @throws InputError  an option that makes no sense
PairsPlan pairs_plan(PairsCommand const& command);

/// Trees, of which the second set has two for a while.
Need pairs_memory(PairsPlan const& plan, std::uint64_t points, std::uint64_t second, int dim,
                  std::size_t item_bytes, std::uint64_t weights);
void write_pairs(io::OutputDirectory& out, PairsPlan const& plan, PairCounts const& counts);
/// The files that are written, in words.
std::string files_of(PairsPlan const& plan, PairCounts const& counts);
/// Least and largest of some weights, by their amount; the least but for 0.
struct WeightRange {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    explicit WeightRange(std::vector<double> const& weights);
};
/// The note on weights that lose digits beside the largest of `count`; "" if there is none.
std::string weights_note(char const* option, WeightRange range, std::uint64_t count);

/// Prints the counts, for people. `second`: the number of second points, if there are such.
void print_pairs(std::optional<std::uint64_t> second, PairCounts const& counts);

/// The command on several ranks; all of them call it.
void run_pairs_on_ranks(PairsCommand const& command);

}  // namespace zwalk::apps
