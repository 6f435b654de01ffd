// kNN of one compiled dimension on a device: a tree of the sources, kept, and searches in it. Included by
// the CUDA instances and, with a HostDevice, by tests.
#pragma once
#include "../../common/device_checks.hpp"
#include "../../common/spaces.hpp"
#include "device_index.hpp"
#include "zwalk/knn/device_knn.hpp"

namespace zwalk::inline v0::detail {

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
        add_device_counts(r.stats, device_, tree_, counts);
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
