#include "zwalk/tree/planes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "zwalk/core/error.hpp"
#include "zwalk/tree/regularise.hpp"

namespace zwalk::inline v0 {
namespace {

constexpr std::size_t node_grain = 1 << 10;

// TreeOptions::leaf_size = 0. On CPUs kNN is within 5 % for N_max from 48 to 96 on uniform points; where
// leaves of 48 hold 10 points on average, 96 is a third faster.
constexpr pos_t default_leaf_size = 48;
constexpr double least_mean = 20;

/// Largest level of the gaps strictly inside [begin, end).
level_t level_inside(std::span<level_t const> levels, pos_t begin, pos_t end) {
    level_t top = single_point_level;
    for (pos_t i = begin + 1; i < end; ++i) top = std::max(top, levels[i]);
    return top;
}

/// What regularisation needs to know of a plane.
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

class LeafPlane {
  public:
    LeafPlane(Cpu const& cpu, std::span<level_t const> levels, TypeCounts const& counts)
        : cpu_(cpu), levels_(levels), counts_(counts) {}

    CutPlane cut(pos_t leaf_size, TreeOptions const& options) const {
        return finish(leaf_gaps(cpu_, levels_, counts_, leaf_size), leaf_size, options);
    }
    /// The same with larger leaves than those of `fine`: every gap that it keeps is one of these.
    CutPlane cut(CutPlane const& fine, pos_t leaf_size, TreeOptions const& options) const {
        std::vector<pos_t> gaps;
        for (std::size_t i = 0; i < fine.first.size(); ++i)
            if (fine.count[i] > leaf_size) gaps.push_back(fine.first[i]);
        return finish(std::move(gaps), leaf_size, options);
    }

  private:
    CutPlane finish(std::vector<pos_t>&& gaps, pos_t leaf_size, TreeOptions const& options) const {
        CutPlane plane;
        plane.first = std::move(gaps);
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
        for (pos_t i : plane.first) plane.gap.push_back(levels_[i]);
        plane.count = node_counts(plane.first, plane.gap, counts_);
        return plane;
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
    TypeCounts const& counts_;
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

void check_options(TreeOptions const& options) {
    auto need = [](bool ok, char const* what) {
        if (!ok) throw InputError(fmt::format("tree options: {}", what));
    };
    need(options.coarsening >= 2, "coarsening must be at least 2");
    need(options.top_nodes >= 1, "top_nodes must be at least 1");
    need(options.volume_ratio >= 0 && std::isfinite(options.volume_ratio),
         "volume_ratio must be finite and not negative");
    need(options.volume_fraction > 0 && options.volume_fraction <= 1,
         "volume_fraction must lie in (0, 1]");
}

std::vector<CutPlane> cut_planes(Cpu const& cpu, std::span<level_t const> levels,
                                 TypeCounts const& counts, TreeOptions const& options) {
    check_options(options);
    std::vector<CutPlane> planes;
    if (levels.size() < 2) return planes;
    std::uint64_t n_max = options.leaf_size ? options.leaf_size : default_leaf_size;
    LeafPlane const leaves(cpu, levels, counts);
    planes.push_back(leaves.cut(pos_t(n_max), options));
    if (options.leaf_size == 0) {
        double const points = counts.largest(0, pos_t(levels.size() - 1));
        auto const sparse = [&] { return points < least_mean * double(planes[0].nodes() - 1); };
        for (int times = 0; times < 2 && sparse(); ++times)
            planes[0] = leaves.cut(planes[0], pos_t(n_max *= 2), options);
    }
    while (planes.back().nodes() > options.top_nodes) {
        n_max = std::min(n_max * options.coarsening, std::uint64_t(no_pos));  // both < 2^32
        planes.push_back(regularised_plane(planes.back(), n_max, options));
    }
    return planes;
}

}  // namespace zwalk::inline v0
