// Cutting planes on a device: gap levels (paper eq. 7), which gaps a plane keeps (eq. 8), and the
// regularisation (eq. 10). The rules are those of tree/planes.hpp, and so are the planes.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "zwalk/core/bits.hpp"
#include "zwalk/core/device_points.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/tree/detail/device_few_nodes.hpp"
#include "zwalk/tree/detail/regularise.hpp"
#include "zwalk/tree/planes.hpp"

namespace zwalk { inline namespace v0 {

/// One plane, see CutPlane; on the device.
struct DeviceCut {
    pos_t nodes = 0;
    DeviceBuffer<pos_t> first, child;  ///< nodes + 1 each; child is empty on plane 0
    DeviceBuffer<level_t> gap;         ///< nodes + 1; empty where the host knows the plane
    DeviceBuffer<level_t> level;       ///< nodes; likewise
    CutPlane known{};                  ///< without `child`: of few nodes; else empty
    [[nodiscard]] bool is_known() const { return !known.first.empty(); }
};

namespace detail {

/// Levels of the gaps between points, virtual ones inside runs of equal points (virtual_levels.hpp).
template <class T>
struct GapLevels {
    DevicePoints<T> points;  // columns in z-order
    level_t* level;
    pos_t* unsorted;  // is not 0 afterwards if they aren't in z-order; null: they are
    ZWALK_HD void operator()(std::size_t n) const {
        level[n] = outer_level;
        if (n == 0 || n == points.size) return;
        pos_t const i = pos_t(n);
        auto const difference = z_difference<T>(points[i - 1], points[i], points.dim);
        level_t own = level_of<T>(difference, points.dim);
        if (own == equal_points_level) own += trailing_zeros(i - first_of_run(i));
        else if (unsorted && points[i - 1][difference.axis] > points[i][difference.axis] &&
                 detail::load_relaxed(unsorted) == 0)
            atomic_add(unsorted, 1);
        level[n] = own;
    }

  private:
    [[nodiscard]] ZWALK_HD bool equal(pos_t a, pos_t b) const {
        return z_difference<T>(points[a], points[b], points.dim).msb == equal_msb<T>;
    }
    /// The first of the points that equal point i and the one before it: steps that double, then bisection.
    [[nodiscard]] ZWALK_HD pos_t first_of_run(pos_t i) const {
        pos_t first = i - 1, step = 1;
        while (step <= first && equal(first - step, i)) {
            first -= step;
            step *= 2;
        }
        pos_t low = step <= first ? first - step + 1 : 0;
        while (low < first) {
            pos_t const middle = low + (first - low) / 2;
            if (equal(middle, i)) first = middle;
            else low = middle + 1;
        }
        return first;
    }
};

/// Keeps the gaps whose smallest node has more than n_max points, and those above `limit`.
struct KeepGaps {
    Gaps gaps;
    DeviceCounts counts;
    pos_t n_max;
    level_t limit;
    std::uint8_t* keep;

    ZWALK_HD void operator()(std::size_t n) const {
        pos_t const i = pos_t(n);
        keep[i] = i == 0 || i == gaps.last || gaps.level[i] > limit || more_than_n_max(i);
    }
    /// Widens a range to both sides as long as the levels aren't higher, or until it is large enough: a
    /// gap looks at no more points than a node may have, and at few on average.
    [[nodiscard]] ZWALK_HD bool more_than_n_max(pos_t i) const {
        level_t const own = gaps.level[i];
        for (pos_t left = i - 1, right = i + 1;;) {
            if (counts.largest(gaps.position(left), gaps.position(right)) > n_max) return true;
            if (gaps.level[left] <= own) --left;
            else if (gaps.level[right] <= own) ++right;
            else return false;
        }
    }
};

/// Positions and levels of the gaps that a plane keeps, and levels of its nodes.
struct DescribeNodes {
    Gaps gaps;
    pos_t const* kept;
    pos_t nodes;
    pos_t* first;  // null: that is `kept`
    level_t *gap, *level;
    ZWALK_HD void operator()(std::size_t i) const {
        pos_t const c = kept[i];
        if (first) first[i] = gaps.position(c);
        gap[i] = gaps.level[c];
        if (i < nodes) level[i] = gaps.largest_level(c, kept[i + 1]);
    }
};

/// Levels as bins of a histogram: virtual ones, then real ones.
struct LevelBins {
    level_t lowest_real, count;

    template <class T>
    static LevelBins of(int dim) {
        level_t const lowest = FloatLayout<T>::emin * dim, highest = (FloatLayout<T>::emax + 1) * dim;
        return {lowest, virtual_bins + highest - lowest + 1};
    }
    static constexpr level_t virtual_bins = 34;
    [[nodiscard]] ZWALK_INLINE level_t bin(level_t level) const {
        return level < single_point_level + virtual_bins ? level - single_point_level
                                                         : virtual_bins + level - lowest_real;
    }
    [[nodiscard]] level_t level(level_t bin) const {
        return bin < virtual_bins ? single_point_level + bin : lowest_real + bin - virtual_bins;
    }
};

/// Adds the points of every node to the bin of its level.
struct CountNodeLevels {
    LevelBins bins;
    pos_t const* first;
    level_t const* level;
    pos_t* histogram;
    ZWALK_HD void operator()(std::size_t i) const {
        atomic_add(histogram + bins.bin(level[i]), first[i + 1] - first[i]);
    }
};
/// Counts the gaps above `limit` that a plane drops, by level.
struct CountDropped {
    LevelBins bins;
    std::uint8_t const* keep;
    level_t const* level;
    level_t limit;
    pos_t* histogram;
    ZWALK_HD void operator()(std::size_t i) const {
        if (!keep[i] && level[i] > limit) atomic_add(histogram + bins.bin(level[i]), 1);
    }
};

/// Cuts the planes of one z-order.
template <class Device>
class PlaneCutter {
  public:
    PlaneCutter(Device& device, level_t const* level, pos_t size, DeviceCounts counts, LevelBins bins,
                TreeOptions const& options, pos_t const* unsorted)
        : device_(device),
          level_(level),
          size_(size),
          counts_(counts),
          bins_(bins),
          options_(options),
          unsorted_(unsorted) {}

    /// Whether the points turned out not to be in order.
    [[nodiscard]] bool unsorted() const { return is_unsorted_; }

    /// Plane 0, with leaves of at most n_max points; 0 becomes what is chosen, as on the host.
    DeviceCut leaves(pos_t& n_max, pos_t most_points) {
        int doublings = n_max == 0 ? 2 : 0;
        if (n_max == 0) n_max = usual_leaf_size;
        auto const is_sparse = [&](pos_t nodes) {
            return doublings > 0 && double(most_points) < least_mean_leaf * double(nodes - 1);
        };
        for (;; --doublings, n_max *= 2) {
            // Regularisation only adds leaves: where there are too many before it, it would be in vain.
            Kept kept = keep(gaps_of(nullptr), n_max, outer_level);
            if (is_unsorted_) return {};
            if (is_sparse(kept.gaps - 1)) continue;
            DeviceCut plane = regularised(nullptr, n_max, std::move(kept));
            if (!is_sparse(plane.nodes)) return plane;
        }
    }

    /// The plane of gaps with more than n_max points above `finer`, regularised.
    DeviceCut cut(DeviceCut const& finer, std::uint64_t n_max) {
        return regularised(&finer, n_max, keep(gaps_of(&finer), n_max, outer_level));
    }

  private:
    /// The gaps that a plane keeps.
    struct Kept {
        DeviceBuffer<std::uint8_t> flags;
        pos_t gaps = 0;          ///< how many
        DeviceBuffer<pos_t> at;  ///< which ones, if they are known; behind them are others
        CutPlane known{};
    };

    /// Of a plane, or without of the points.
    [[nodiscard]] Gaps gaps_of(DeviceCut const* finer) const {
        if (!finer) return {nullptr, level_, nullptr, size_};
        return {finer->first.data(), finer->gap.data(), finer->level.data(), finer->nodes};
    }

    /// Those with more than n_max points, and those above `limit`. One wait.
    Kept keep(Gaps const& gaps, std::uint64_t n_max, level_t limit) {
        Kept kept;
        std::size_t const n = std::size_t(gaps.last) + 1;
        kept.flags = device_.template buffer<std::uint8_t>(n);
        device_.for_each(n, KeepGaps{gaps, counts_, pos_t(std::min<std::uint64_t>(n_max, no_pos)), limit,
                                     kept.flags.data()});
        if (gaps.last > gaps_of_few_nodes) {
            kept.gaps = device_.count(kept.flags.data(), n);
            return kept;
        }
        auto found = device_.template buffer<pos_t>(1);
        kept.at = device_.template buffer<pos_t>(n);
        device_.positions(kept.flags.data(), n, kept.at.data(), found.data());
        auto known = known_plane(device_, gaps, counts_, kept.at.data(), found.data(), unsorted_);
        is_unsorted_ = known.unsorted;
        kept.gaps = known.gaps;
        kept.known = std::move(known.plane);
        return kept;
    }

    /// The plane of these gaps, and of those above its limit if it has one.
    DeviceCut regularised(DeviceCut const* finer, std::uint64_t n_max, Kept&& kept) {
        Gaps const gaps = gaps_of(finer);
        DeviceBuffer<std::uint8_t> const flags = std::move(kept.flags);
        DeviceCut plane = select(gaps, flags, std::move(kept));
        auto limit = largest_level(plane);
        std::size_t const most = 4 * std::size_t(size_) / n_max + 16;
        std::size_t const allowed = most - std::min<std::size_t>(most, plane.nodes);
        // To look at what was dropped takes less time than to keep it in vain, but a wait more. Of two types too much is dropped often.
        if (limit && (!plane.is_known() || counts_.before))
            limit = affordable_limit(gaps, flags, *limit, allowed);
        if (!limit) return plane;
        Kept more = keep(gaps, n_max, *limit);
        pos_t const added = more.gaps - (plane.nodes + 1);
        if (added > allowed) more = keep(gaps, n_max, *affordable_limit(gaps, flags, *limit, allowed));
        DeviceBuffer<std::uint8_t> const more_flags = std::move(more.flags);
        return select(gaps, more_flags, std::move(more));
    }

    DeviceCut select(Gaps const& gaps, DeviceBuffer<std::uint8_t> const& flags, Kept kept) {
        DeviceCut plane;
        pos_t const n = kept.gaps;
        plane.nodes = n - 1;
        if (kept.at.size() > 0) {
            plane.child = copy_on(device_, kept.at.data(), n);
        } else {
            plane.child = device_.template buffer<pos_t>(n);
            device_.positions(flags.data(), flags.size(), plane.child.data());
        }
        plane.known = std::move(kept.known);
        if (plane.is_known() && gaps.first) plane.first = copy_to(device_, plane.known.first);
        if (!plane.is_known()) {
            if (gaps.first) plane.first = device_.template buffer<pos_t>(n);
            plane.gap = device_.template buffer<level_t>(n);
            plane.level = device_.template buffer<level_t>(plane.nodes);
            device_.for_each(n, DescribeNodes{gaps, plane.child.data(), plane.nodes, plane.first.data(),
                                              plane.gap.data(), plane.level.data()});
        }
        if (!gaps.first) plane.first = std::move(plane.child);
        return plane;
    }

    /// The level above which nodes of a plane are too large; none: it is left alone.
    std::optional<level_t> largest_level(DeviceCut const& plane) {
        if (plane.nodes <= 8 * std::size_t(options_.top_nodes) || !(options_.volume_ratio > 0))
            return {};
        auto const limit =
            largest_node_level(volumes_of(plane), options_.volume_ratio, options_.volume_fraction);
        if (limit && plane.is_known()) {  // no gap inside a node lies above the node's own level
            auto const& level = plane.known.level;
            if (std::none_of(level.begin(), level.end(), [&](level_t l) { return l > *limit; }))
                return {};
        }
        return limit;
    }
    /// The least level from `limit` on above which a plane dropped at most `allowed` gaps; none: it dropped none above `limit`. Waits.
    std::optional<level_t> affordable_limit(Gaps gaps, DeviceBuffer<std::uint8_t> const& keep,
                                            level_t limit, std::size_t allowed) {
        auto counted = device_.template buffer<pos_t>(std::size_t(bins_.count));
        device_.zero(counted.data(), counted.size());
        device_.for_each(keep.size(),
                         CountDropped{bins_, keep.data(), gaps.level, limit, counted.data()});
        std::vector<std::pair<level_t, pos_t>> dropped;
        for_each_bin(counted, [&](level_t level, pos_t n) { dropped.emplace_back(level, n); });
        if (dropped.empty()) return {};
        for (; !dropped.empty(); dropped.pop_back()) {  // from the highest level down
            if (dropped.back().second > allowed) return dropped.back().first;
            allowed -= dropped.back().second;
        }
        return limit;
    }
    /// The points of nodes of each level. Waits, unless the host knows the plane.
    std::vector<NodeVolume> volumes_of(DeviceCut const& plane) {
        std::vector<NodeVolume> nodes;
        if (plane.is_known()) {
            CutPlane const& known = plane.known;
            for (std::size_t i = 0; i < known.nodes(); ++i)
                nodes.push_back({known.level[i], known.first[i + 1] - known.first[i]});
            return nodes;
        }
        auto counted = device_.template buffer<pos_t>(std::size_t(bins_.count));
        device_.zero(counted.data(), counted.size());
        device_.for_each(plane.nodes,
                         CountNodeLevels{bins_, plane.first.data(), plane.level.data(), counted.data()});
        for_each_bin(counted, [&](level_t level, pos_t n) { nodes.push_back({level, n}); });
        return nodes;
    }
    template <class F>
    void for_each_bin(DeviceBuffer<pos_t> const& counted, F const& f) {
        std::vector<pos_t> bin(counted.size());
        device_.download(bin.data(), counted.data(), bin.size());
        for (std::size_t b = 0; b < bin.size(); ++b)
            if (bin[b]) f(bins_.level(level_t(b)), bin[b]);
    }

    Device& device_;
    level_t const* level_;
    pos_t size_;
    DeviceCounts counts_;
    LevelBins bins_;
    TreeOptions options_;
    pos_t const* unsorted_;
    bool is_unsorted_ = false;
};

}  // namespace detail

/// Levels of the gaps of N points in z-order, N + 1 elements; see gap_levels(). `columns` of the points
/// are looked at.
/// @param unsorted  0 in the device's memory; not 0 afterwards if the points aren't in z-order. Null: they are
template <class T, class Device>
DeviceBuffer<level_t> device_gap_levels(Device& device, DevicePoints<T> points,
                                        pos_t* unsorted = nullptr) {
    auto level = device.template buffer<level_t>(points.size + 1);
    device.for_each(level.size(), detail::GapLevels<T>{points, level.data(), unsorted});
    return level;
}

/// Cuts N points in z-order, given the levels of their gaps, into planes; see cut_planes(). Without
/// points there are none. Some waits per plane, but those above one of few nodes are the host's. O(N n_max) at worst
/// for plane 0, O(N) usually.
/// @param unsorted  see device_gap_levels(); at most gaps_of_few_nodes points. No planes where it isn't 0
template <class T, class Device>
std::vector<DeviceCut> device_cut_planes(Device& device, level_t const* level, pos_t size, int dim,
                                         DeviceCounts counts, TreeOptions const& options,
                                         pos_t const* unsorted = nullptr) {
    check_options(options);
    std::vector<DeviceCut> planes;
    if (size == 0) return planes;
    detail::PlaneCutter<Device> cutter(device, level, size, counts, detail::LevelBins::of<T>(dim),
                                       options, unsorted);
    pos_t leaf_size = options.leaf_size;
    planes.push_back(cutter.leaves(leaf_size, max_of(size, counts.others)));
    if (cutter.unsorted()) return {};
    std::uint64_t n_max = leaf_size;
    while (planes.back().nodes > options.top_nodes && !planes.back().is_known()) {
        n_max = std::min(n_max * coarsening_of(options), std::uint64_t(no_pos));
        planes.push_back(cutter.cut(planes.back(), n_max));
    }
    if (!planes.back().is_known()) return planes;
    std::vector<CutPlane> coarser;
    coarser.push_back(std::move(planes.back().known));
    add_coarser_planes(coarser, n_max, options);
    for (std::size_t p = 1; p < coarser.size(); ++p) {
        DeviceCut& plane = planes.emplace_back();
        plane.nodes = pos_t(coarser[p].nodes());
        plane.first = copy_to(device, coarser[p].first);
        plane.child = copy_to(device, coarser[p].child);
    }
    return planes;
}

}}  // namespace zwalk::v0
