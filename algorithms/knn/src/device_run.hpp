// kNN of one compiled dimension on a device: a tree of the sources, kept, and searches in it. Included by
// the CUDA instances and, with a HostDevice, by tests.
#pragma once
#include <cmath>
#include <optional>

#include "../../common/spaces.hpp"
#include "device_index.hpp"
#include "zwalk/knn/device_knn.hpp"
#include "zwalk/tree/joint.hpp"

namespace zwalk::inline v0::detail {

/// Points with a coordinate that isn't finite.
template <class T>
struct FlagBadRows {
    DevicePoints<T> points;
    std::uint8_t* bad;
    ZWALK_HD void operator()(std::size_t i) const {
        bool finite = true;
        for (int j = 0; j < points.dim; ++j) finite = finite && abs_of(points[i][j]) < infinity<T>;
        bad[i] = !finite;
    }
};

/// The first coordinate that is not finite, if there is one. One wait if there is none.
template <class T, class Device>
std::optional<BadCoordinate<T>> find_not_finite(Device& device, DevicePoints<T> points) {
    auto bad = device.template buffer<std::uint8_t>(points.size);
    device.for_each(points.size, FlagBadRows<T>{points, bad.data()});
    pos_t const n = points.size ? device.count(bad.data(), points.size) : 0;
    if (n == 0) return std::nullopt;
    auto rows = device.template buffer<pos_t>(n);
    device.positions(bad.data(), points.size, rows.data());
    BadCoordinate<T> found{};
    device.download(&found.row, rows.data(), 1);
    for (; found.column < points.dim; ++found.column) {
        device.download(&found.value, points[found.row].x + std::size_t(found.column) * points.column_stride,
                        1);
        if (!std::isfinite(found.value)) break;
    }
    return found;
}

/// Seconds of the work put into a device's stream, phase by phase.
template <class Device>
class DevicePhases {
  public:
    explicit DevicePhases(Device& device) : device_(device), last_(now_seconds()) {}
    void end(Stats& stats, char const* phase) {
        device_.synchronize();
        double const now = now_seconds();
        stats.seconds.emplace_back(phase, now - last_);
        last_ = now;
    }

  private:
    Device& device_;
    double last_;
};

/// A tree of sources, and searches in it. Arguments are valid, but for what only the device can see.
template <int D, class T, class Device>
class DeviceIndex final : public AnyDeviceIndex<T> {
  public:
    /// @param period  one length per axis of the data, +infinity on open ones; none: open space
    DeviceIndex(Device& device, DevicePoints<T> points, std::vector<T> period, TreeOptions const& options)
        : device_(device), period_(std::move(period)), options_(device_tree_options(options)) {
        DevicePhases phases(device);
        tree_ = device_build(device, points, D, options_);
        phases.end(built_, "build");
    }

    DeviceKnnResult<T> query(DevicePoints<T> const* queries, KnnOptions const& o) override {
        DeviceKnnResult<T> r;
        DevicePhases phases(device_);
        DeviceTree<T> own;
        if (queries) {
            own = device_build_targets(device_, *queries, tree_, options_);
            phases.end(r.stats, "queries");
        }
        DeviceTree<T> const& targets = queries ? own : tree_;
        r.rows = targets.size;
        r.columns = std::size_t(o.k);
        r.indices = device_.template buffer<index_t>(r.rows * r.columns);
        r.distances = device_.template buffer<T>(r.rows * r.columns);
        KnnRows<T> rows{r.columns, r.indices.data(), r.distances.data()};
        if (o.order == Order::input) {
            rows.row_of = targets.input.data();
            rows.source_of = tree_.input.data();
        } else {
            r.row_order = copy_of(targets.input);
            r.source_order = copy_of(tree_.input);
        }
        WalkCounts const counts = with_space<D>(period_, [&](auto const& space) {
            return device_neighbours<D>(device_, space, targets, tree_,
                                        {o.k, o.exclude_self, o.memory_budget}, rows);
        });
        phases.end(r.stats, "walk");
        DeviceStats const done = device_.stats();
        r.stats.counts = {{"node_entries", counts.node_entries},
                          {"leaf_entries", counts.leaf_entries},
                          {"peak_list_bytes", counts.peak_list_bytes},
                          {"leaves", tree_.planes.empty() ? 0 : tree_.planes.front().nodes},
                          {"planes", tree_.planes.size()},
                          {"device_launches", done.launches},
                          {"device_waits", done.waits},
                          {"device_peak_bytes", done.peak_bytes}};
        return r;
    }

    [[nodiscard]] Stats const& built() const override { return built_; }
    [[nodiscard]] std::size_t size() const override { return tree_.size; }

  private:
    DeviceBuffer<pos_t> copy_of(DeviceBuffer<pos_t> const& from) {
        auto to = device_.template buffer<pos_t>(from.size());
        device_.copy(to.data(), from.data(), from.size());
        return to;
    }

    Device& device_;
    std::vector<T> period_;
    TreeOptions options_;
    DeviceTree<T> tree_;
    Stats built_;
};

}  // namespace zwalk::inline v0::detail
