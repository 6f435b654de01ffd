#include "zwalk/tree/planes.hpp"

#include <algorithm>

#include "cut_planes.hpp"
#include "zwalk/tree/detail/regularise.hpp"

namespace zwalk { inline namespace v0 {
namespace {

constexpr std::size_t node_grain = 1 << 10;

/// Largest level of the gaps strictly inside [begin, end).
level_t level_inside(std::span<level_t const> levels, pos_t begin, pos_t end) {
    level_t top = single_point_level;
    for (pos_t i = begin + 1; i < end; ++i) top = std::max(top, levels[i]);
    return top;
}

/// What regularisation needs of a plane.
std::vector<NodeVolume> volumes_of(CutPlane const& plane) {
    std::vector<NodeVolume> nodes(plane.nodes());
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i] = {plane.level[i], plane.first[i + 1] - plane.first[i]};
    return nodes;
}

/// The level above which a plane keeps every gap; `outer_level` if it is left alone. `n_max`: its
/// N_max; dropped(limit): levels above `limit` of the gaps that it dropped.
template <class Dropped>
level_t level_limit(CutPlane const& plane, std::uint64_t n_max, TreeOptions const& options,
                    Dropped const& dropped) {
    std::size_t const nodes = plane.nodes();
    if (nodes <= 8 * std::size_t(options.top_nodes)) return outer_level;
    auto const lvl_max =
        largest_node_level(volumes_of(plane), options.volume_ratio, options.volume_fraction);
    if (!lvl_max) return outer_level;
    std::size_t const most = 4 * std::size_t(plane.first.back()) / n_max + 16;
    return affordable_level(dropped(*lvl_max), *lvl_max, most - std::min(most, nodes));
}

template <class Counts>
class LeafPlane {
  public:
    LeafPlane(Cpu const& cpu, std::span<level_t const> levels, Counts const& counts)
        : cpu_(cpu), levels_(levels), counts_(counts) {}

    /// @param leaf_size  0 becomes the one chosen
    CutPlane cut(pos_t& leaf_size, TreeOptions const& options) const {
        double const points = counts_.largest(0, pos_t(levels_.size() - 1));
        int doublings = leaf_size == 0 ? 2 : 0;
        if (leaf_size == 0) leaf_size = usual_leaf_size;
        CutPlane plane;
        plane.first = detail::leaf_gaps_by(cpu_, levels_, counts_, leaf_size);
        auto const is_sparse = [&] {
            return doublings > 0 && points < least_mean_leaf * double(plane.nodes() - 1);
        };
        auto const enlarge_leaves = [&] {
            --doublings;
            keep_gaps(plane, leaf_size *= 2);
        };
        // Regularisation only adds leaves: where there are too many before it, it would be in vain.
        while (is_sparse()) {
            plane.count = detail::node_counts_by(plane.first, levels_of(plane.first), counts_);
            enlarge_leaves();
        }
        regularise(plane, leaf_size, options);
        while (is_sparse()) {
            enlarge_leaves();
            regularise(plane, leaf_size, options);
        }
        return plane;
    }

  private:
    /// Keeps the gaps of larger leaves, which are among those of small ones.
    static void keep_gaps(CutPlane& plane, pos_t leaf_size) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < plane.first.size(); ++i)
            if (plane.count[i] > leaf_size) plane.first[kept++] = plane.first[i];
        plane.first.resize(kept);
    }

    /// Eq. 10; and what else is known of the plane.
    void regularise(CutPlane& plane, pos_t leaf_size, TreeOptions const& options) const {
        set_node_levels(plane);
        auto const dropped = [&](level_t limit) {
            std::vector<level_t> out;
            for_each_gap_above(plane, limit, [&](pos_t i) { out.push_back(levels_[i]); });
            return out;
        };
        level_t const limit = level_limit(plane, leaf_size, options, dropped);
        if (*std::max_element(plane.level.begin(), plane.level.end()) > limit) {
            std::vector<pos_t> more, all;
            for_each_gap_above(plane, limit, [&](pos_t i) { more.push_back(i); });
            std::merge(plane.first.begin(), plane.first.end(), more.begin(), more.end(),
                       std::back_inserter(all));
            plane.first = std::move(all);
            set_node_levels(plane);
        }
        plane.gap = levels_of(plane.first);
        plane.count = detail::node_counts_by(plane.first, plane.gap, counts_);
    }

    std::vector<level_t> levels_of(std::vector<pos_t> const& gaps) const {
        std::vector<level_t> levels(gaps.size());
        cpu_.for_each(gaps.size(), [&](std::size_t i) { levels[i] = levels_[gaps[i]]; });
        return levels;
    }

    void set_node_levels(CutPlane& plane) const {
        plane.level.resize(plane.nodes());
        cpu_.run([&] {
            parallel_for(plane.nodes(), node_grain, [&](std::size_t i, std::size_t end) {
                for (; i < end; ++i)
                    plane.level[i] = level_inside(levels_, plane.first[i], plane.first[i + 1]);
            });
        });
    }

    /// f(position) for the gaps inside nodes whose level exceeds `limit`, in order.
    template <class F>
    void for_each_gap_above(CutPlane const& plane, level_t limit, F const& f) const {
        for (std::size_t node = 0; node < plane.nodes(); ++node) {
            if (plane.level[node] <= limit) continue;
            for (pos_t i = plane.first[node] + 1; i < plane.first[node + 1]; ++i)
                if (levels_[i] > limit) f(i);
        }
    }

    Cpu const& cpu_;
    std::span<level_t const> levels_;
    Counts const& counts_;
};

/// The plane above `fine` that keeps its gaps with more than n_max points or a level above `limit`.
CutPlane coarser_plane(CutPlane const& fine, std::uint64_t n_max, level_t limit) {
    CutPlane plane;
    level_t inside = single_point_level;  // largest level in the node so far
    for (std::size_t i = 0; i < fine.first.size(); ++i) {
        bool const outer = i == 0 || i == fine.nodes();
        if (outer || fine.count[i] > n_max || fine.gap[i] > limit) {
            if (i > 0) plane.level.push_back(inside);
            plane.first.push_back(fine.first[i]);
            plane.child.push_back(pos_t(i));
            plane.gap.push_back(fine.gap[i]);
            plane.count.push_back(fine.count[i]);
            inside = single_point_level;
        } else {
            inside = std::max(inside, fine.gap[i]);
        }
        if (i < fine.nodes()) inside = std::max(inside, fine.level[i]);
    }
    return plane;
}

/// Eqs. 8 and 10 on the plane above `fine`.
CutPlane regularised_plane(CutPlane const& fine, std::uint64_t n_max, TreeOptions const& options) {
    CutPlane plane = coarser_plane(fine, n_max, outer_level);
    auto const dropped = [&](level_t limit) {
        std::vector<level_t> out;
        for (std::size_t i = 1; i < fine.nodes(); ++i)
            if (fine.count[i] <= n_max && fine.gap[i] > limit) out.push_back(fine.gap[i]);
        return out;
    };
    level_t const limit = level_limit(plane, n_max, options, dropped);
    return limit == outer_level ? plane : coarser_plane(fine, n_max, limit);
}

}  // namespace

template <class Counts>
std::vector<CutPlane> detail::cut_planes_by(Cpu const& cpu, std::span<level_t const> levels,
                                            Counts const& counts, TreeOptions const& options) {
    check_options(options);
    std::vector<CutPlane> planes;
    if (levels.size() < 2) return planes;
    pos_t leaf_size = options.leaf_size;
    planes.push_back(LeafPlane(cpu, levels, counts).cut(leaf_size, options));
    add_coarser_planes(planes, leaf_size, options);
    return planes;
}
template std::vector<CutPlane> detail::cut_planes_by(Cpu const&, std::span<level_t const>,
                                                     TargetCounts const&, TreeOptions const&);

std::vector<CutPlane> cut_planes(Cpu const& cpu, std::span<level_t const> levels,
                                 TypeCounts const& counts, TreeOptions const& options) {
    return detail::cut_planes_by(cpu, levels, counts, options);
}

void add_coarser_planes(std::vector<CutPlane>& planes, std::uint64_t n_max, TreeOptions const& options) {
    while (planes.back().nodes() > options.top_nodes) {
        n_max = std::min(n_max * coarsening_of(options), std::uint64_t(no_pos));  // both < 2^32
        planes.push_back(regularised_plane(planes.back(), n_max, options));
    }
}

}}  // namespace zwalk::v0
