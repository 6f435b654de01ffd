// Cutting planes on a device: gap levels (paper eq. 7), which gaps a plane keeps (eq. 8), and the
// regularisation (eq. 10). The rules are those of tree/planes.hpp, and so are the planes.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "zwalk/core/bits.hpp"
#include "zwalk/core/device_points.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/tree/detail/regularise.hpp"
#include "zwalk/tree/planes.hpp"

namespace zwalk { inline namespace v0 {

/// One plane, see CutPlane; on the device.
struct DeviceCut {
    pos_t nodes = 0;
    DeviceBuffer<pos_t> first, child;  ///< nodes + 1 each; child is empty on plane 0
    DeviceBuffer<level_t> gap;         ///< nodes + 1
    DeviceBuffer<level_t> level;       ///< nodes
};

/// Counts points of one or two types in ranges of a z-order: positions, and what lies before each.
struct DeviceCounts {
    pos_t const* before = nullptr;  ///< second type: elements before position i; null: one type only
    pos_t others = 0;               ///< all of the second type
    [[nodiscard]] ZWALK_INLINE pos_t largest(pos_t begin, pos_t end) const {
        return before ? max_of(end - begin, before[end] - before[begin]) : end - begin;
    }
};

namespace detail {

template <class T>
struct GapLevels {
    DevicePoints<T> points;  // columns in z-order
    level_t* level;
    pos_t* run;  // start of the run of equal points that a gap lies in, where gaps are scanned
    ZWALK_HD void operator()(std::size_t i) const {
        bool const outer = i == 0 || i == points.size;
        level[i] = outer
                       ? outer_level
                       : level_of<T>(z_difference<T>(points[i - 1], points[i], points.dim), points.dim);
        run[i] = level[i] == equal_points_level ? 0 : pos_t(i);
    }
};
struct VirtualLevels {
    level_t* level;
    pos_t const* run;
    ZWALK_HD void operator()(std::size_t i) const {
        if (level[i] == equal_points_level) level[i] += trailing_zeros(pos_t(i) - run[i]);
    }
};

/// Gaps of a plane, or of the points themselves.
struct Gaps {
    pos_t const* first = nullptr;  // position of each gap; null: its index
    level_t const* level = nullptr;
    pos_t last = 0;  // index of the last one
    [[nodiscard]] ZWALK_INLINE pos_t position(pos_t i) const { return first ? first[i] : i; }
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

/// The largest level inside each node: of the gaps of the finer plane that it lost, and of its children.
struct NodeLevels {
    pos_t const* child;  // its range of finer gaps
    level_t const* finer_gap;
    level_t const* finer_level;  // null: points, which have no level
    level_t* level;
    ZWALK_HD void operator()(std::size_t i) const {
        level_t top = single_point_level;
        for (pos_t c = child[i]; c < child[i + 1]; ++c) {
            if (c > child[i]) top = max_of(top, finer_gap[c]);
            if (finer_level) top = max_of(top, finer_level[c]);
        }
        level[i] = top;
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
                TreeOptions const& options)
        : device_(device), level_(level), size_(size), counts_(counts), bins_(bins), options_(options) {}

    /// Plane 0, with leaves of at most n_max points; 0 becomes what is chosen, as on the host.
    DeviceCut leaves(pos_t& n_max, pos_t most_points) {
        int doublings = n_max == 0 ? 2 : 0;
        if (n_max == 0) n_max = usual_leaf_size;
        for (;; --doublings, n_max *= 2) {
            DeviceCut plane = cut(nullptr, n_max);
            if (doublings == 0 || double(most_points) >= least_mean_leaf * double(plane.nodes - 1))
                return plane;
        }
    }

    /// The plane of gaps with more than n_max points above `finer` (null: the points), regularised.
    DeviceCut cut(DeviceCut const* finer, std::uint64_t n_max) {
        Gaps const gaps = finer ? Gaps{finer->first.data(), finer->gap.data(), finer->nodes}
                                : Gaps{nullptr, level_, size_};
        auto keep = device_.template buffer<std::uint8_t>(std::size_t(gaps.last) + 1);
        KeepGaps const rule{gaps, counts_, pos_t(std::min<std::uint64_t>(n_max, no_pos)), outer_level,
                            keep.data()};
        device_.for_each(keep.size(), rule);
        DeviceCut plane = select(finer, gaps, keep);
        level_t const limit = level_limit(plane, gaps, keep, n_max);
        if (limit == outer_level) return plane;
        KeepGaps regularised = rule;
        regularised.limit = limit;
        device_.for_each(keep.size(), regularised);
        return select(finer, gaps, keep);
    }

  private:
    DeviceCut select(DeviceCut const* finer, Gaps gaps, DeviceBuffer<std::uint8_t> const& keep) {
        DeviceCut plane;
        pos_t const kept = device_.count(keep.data(), keep.size());
        plane.nodes = kept - 1;
        plane.child = device_.template buffer<pos_t>(kept);
        device_.positions(keep.data(), keep.size(), plane.child.data());
        plane.gap = device_.template buffer<level_t>(kept);
        device_.for_each(kept, Gather<level_t>{gaps.level, plane.child.data(), plane.gap.data()});
        plane.level = device_.template buffer<level_t>(plane.nodes);
        device_.for_each(plane.nodes,
                         NodeLevels{plane.child.data(), gaps.level,
                                    finer ? finer->level.data() : nullptr, plane.level.data()});
        if (!finer) {
            plane.first = std::move(plane.child);
            return plane;
        }
        plane.first = device_.template buffer<pos_t>(kept);
        device_.for_each(kept, Gather<pos_t>{gaps.first, plane.child.data(), plane.first.data()});
        return plane;
    }

    /// The level above which the plane keeps every gap; `outer_level`: it is left alone.
    level_t level_limit(DeviceCut const& plane, Gaps gaps, DeviceBuffer<std::uint8_t> const& keep,
                        std::uint64_t n_max) {
        if (plane.nodes <= 8 * std::size_t(options_.top_nodes) || !(options_.volume_ratio > 0))
            return outer_level;
        auto counted = device_.template buffer<pos_t>(std::size_t(bins_.count));
        device_.zero(counted.data(), counted.size());
        device_.for_each(plane.nodes,
                         CountNodeLevels{bins_, plane.first.data(), plane.level.data(), counted.data()});
        std::vector<NodeVolume> nodes;
        for_each_bin(counted, [&](level_t level, pos_t n) { nodes.push_back({level, n}); });
        auto const lvl_max =
            largest_node_level(std::move(nodes), options_.volume_ratio, options_.volume_fraction);
        if (!lvl_max) return outer_level;

        device_.zero(counted.data(), counted.size());
        device_.for_each(keep.size(),
                         CountDropped{bins_, keep.data(), gaps.level, *lvl_max, counted.data()});
        std::size_t const most = 4 * std::size_t(size_) / n_max + 16;
        std::size_t allowed = most - std::min<std::size_t>(most, plane.nodes);
        std::vector<std::pair<level_t, pos_t>> dropped;
        for_each_bin(counted, [&](level_t level, pos_t n) { dropped.emplace_back(level, n); });
        if (dropped.empty()) return outer_level;
        for (; !dropped.empty(); dropped.pop_back()) {  // from the highest level down
            if (dropped.back().second > allowed) return dropped.back().first;
            allowed -= dropped.back().second;
        }
        return *lvl_max;
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
};

}  // namespace detail

/// Levels of the gaps of N points in z-order, N + 1 elements; see gap_levels(). `columns` of the points
/// are looked at.
template <class T, class Device>
DeviceBuffer<level_t> device_gap_levels(Device& device, DevicePoints<T> points) {
    std::size_t const gaps = points.size + 1;
    auto level = device.template buffer<level_t>(gaps);
    auto run = device.template buffer<pos_t>(gaps);
    device.for_each(gaps, detail::GapLevels<T>{points, level.data(), run.data()});
    device.running_max(run.data(), gaps);
    device.for_each(gaps, detail::VirtualLevels{level.data(), run.data()});
    return level;
}

/// Cuts N points in z-order, given the levels of their gaps, into planes; see cut_planes(). Without
/// points there are none. Some waits per plane. O(N n_max) at worst for plane 0, O(N) usually.
template <class T, class Device>
std::vector<DeviceCut> device_cut_planes(Device& device, level_t const* level, pos_t size, int dim,
                                         DeviceCounts counts, TreeOptions const& options) {
    check_options(options);
    std::vector<DeviceCut> planes;
    if (size == 0) return planes;
    detail::PlaneCutter<Device> cutter(device, level, size, counts, detail::LevelBins::of<T>(dim),
                                       options);
    pos_t leaf_size = options.leaf_size;
    planes.push_back(cutter.leaves(leaf_size, max_of(size, counts.others)));
    std::uint64_t n_max = leaf_size;
    while (planes.back().nodes > options.top_nodes) {
        n_max = std::min(n_max * coarsening_of(options), std::uint64_t(no_pos));
        planes.push_back(cutter.cut(&planes.back(), n_max));
    }
    return planes;
}

}}  // namespace zwalk::v0
