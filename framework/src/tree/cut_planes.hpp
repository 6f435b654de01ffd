// The cuts of tree/planes.hpp, by whatever counts points.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "zwalk/tree/planes.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Counts points of one type, and the sources among them: as TypeCounts for two types, but only the latter's array is there.
class TargetCounts {
  public:
    /// @param sources  sources[i]: how many there are before point i; of all points, and of their end
    explicit TargetCounts(std::span<pos_t const> sources) : sources_(sources) {}

    [[nodiscard]] static std::size_t types() { return 2; }
    [[nodiscard]] pos_t largest(pos_t begin, pos_t end) const {
        return std::max(end - begin, sources_[end] - sources_[begin]);
    }

  private:
    std::span<pos_t const> sources_;
};

// As the functions without "by", for Counts = TypeCounts or TargetCounts.
template <class Counts>
std::vector<pos_t> leaf_gaps_by(Cpu const& cpu, std::span<level_t const> levels, Counts const& counts,
                                pos_t n_max);
template <class Counts>
std::vector<pos_t> node_counts_by(std::span<pos_t const> gaps, std::span<level_t const> levels,
                                  Counts const& counts);
template <class Counts>
std::vector<CutPlane> cut_planes_by(Cpu const& cpu, std::span<level_t const> levels,
                                    Counts const& counts, TreeOptions const& options);

}}}  // namespace zwalk::v0::detail
