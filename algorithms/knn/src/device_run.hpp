// kNN of one compiled dimension on a device: a tree of the sources, kept, and searches in it. Included by
// the CUDA instances and, with a HostDevice, by tests.
#pragma once
#include "../../common/device_need.hpp"
#include "../../common/instance.hpp"
#include "device_index.hpp"
#include "device_reduce.hpp"
#include "zwalk/knn/device_knn.hpp"
#include "zwalk/knn/device_memory.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/copy_tree.hpp"
#include "zwalk/tree/device_build.hpp"

namespace zwalk::inline v0::detail {

/// A tree of sources, and searches in it. Arguments are valid, but for what only the device can see.
template <int D, class T, class Device>
class DeviceIndex final : public AnyDeviceIndex<T> {
  public:
    /// @param period  one length per axis of the data, +infinity on open ones; none: open space
    DeviceIndex(Device& device, DevicePoints<T> points, std::vector<T> period,
                TreeOptions const& options)
        : device_(device), period_(std::move(period)), options_(options) {
        check_device_memory(
            "a tree of " + std::to_string(points.size) + " points",
            device_knn_memory({.points = points.size, .k = 0, .item_bytes = sizeof(T)}, D, options_)
                .needed(),
            device.available());
        RunPhases phases(device);
        tree_ = build_tree(device, points, D, options_);
        phases.end(built_, "build");
    }

    /// From a tree of D columns that was cut with `options`.
    DeviceIndex(Device& device, Tree<T, Cpu> const& tree, std::vector<T> period,
                TreeOptions const& options)
        : device_(device), period_(std::move(period)), options_(options) {
        RunPhases phases(device);
        Cpu const host;
        tree_ = copy_tree(device, host, tree);
        phases.end(built_, "upload");
    }

    DeviceKnnResult<T> query(DevicePoints<T> const* queries, KnnOptions const& o) override {
        check_memory(queries, o, o.k, false);
        DeviceKnnResult<T> r;
        RunPhases phases(device_);
        Tree<T, Device> own;
        Tree<T, Device> const& targets = targets_of(queries, own, r.stats, phases);
        r.rows = targets.size();
        r.columns = std::size_t(o.k);
        r.indices = device_.template buffer<index_t>(r.rows * r.columns);
        r.distances = device_.template buffer<T>(r.rows * r.columns);
        KnnRows<T> rows{r.columns, r.indices.data(), r.distances.data()};
        if (o.order == Order::input) {
            rows.row_of = targets.input.data();
            rows.source_of = tree_.input.data();
        } else {
            r.row_order = copy_on(device_, targets.input.data(), targets.input.size());
            r.source_order = copy_on(device_, tree_.input.data(), tree_.input.size());
        }
        walk(targets, {o.k, o.exclude_self, o.memory_budget}, rows, r.stats, phases);
        return r;
    }

    Stats visit(DevicePoints<T> const* queries, KnnOptions const& o, RunVisitor<T> const& f) override {
        check_memory(queries, o, std::clamp<index_t>(o.k, 1, std::max<pos_t>(1, tree_.size())), true);
        Stats stats;
        RunPhases phases(device_);
        Tree<T, Device> own;
        Tree<T, Device> const& targets = targets_of(queries, own, stats, phases);
        pos_t const sources = tree_.size() - pos_t(o.exclude_self && tree_.size() > 0);
        auto const columns = std::size_t(std::clamp<index_t>(o.k, 1, std::max<pos_t>(1, tree_.size())));
        pos_t const ring = ring_rows(targets, columns * (sizeof(T) + sizeof(index_t)), o.memory_budget);
        auto distances = device_.template buffer<T>(ring * columns);
        auto indices = device_.template buffer<index_t>(ring * columns);
        KnnRows<T> rows{columns, indices.data(), distances.data()};
        rows.squared = true;
        rows.ring = ring;
        KnnRun<T> run{0,
                      0,
                      ring,
                      columns,
                      distances.data(),
                      indices.data(),
                      int(std::min<index_t>(o.k, sources)),
                      nullptr};
        if (o.order == Order::input) {
            rows.source_of = tree_.input.data();
            run.row_of = targets.input.data();
        }
        DeviceSearch search{o.k, o.exclude_self, o.memory_budget};
        search.run_points = ring;
        search.after_run = [&](pos_t begin, pos_t end) {
            run.begin = begin;
            run.end = end;
            f(run);
        };
        walk(targets, search, rows, stats, phases);
        return stats;
    }

    Stats reduce(DevicePoints<T> const* queries, Reduction what, int axes, KnnOptions const& o,
                 T* value) override {
        return visit(queries, o,
                     [&](KnnRun<T> const& run) { device_reduce(device_, run, what, axes, o.k, value); });
    }

    [[nodiscard]] Stats const& built() const override { return built_; }
    [[nodiscard]] std::size_t size() const override { return tree_.size(); }
    Tree<T, Cpu> tree() override {
        Cpu const host;
        return copy_tree(host, device_, tree_);
    }
    [[nodiscard]] TreeOptions const& options() const override { return options_; }

  private:
    void check_memory(DevicePoints<T> const* queries, KnnOptions const& o, index_t k, bool visited) {
        KnnTask task{.points = tree_.size(),
                     .k = k,
                     .item_bytes = sizeof(T),
                     .order = o.order,
                     .memory_budget = o.memory_budget,
                     .indexed = true,
                     .visited = visited};
        if (queries) task.queries = queries->size;
        check_device_memory("kNN of " + std::to_string(queries ? queries->size : tree_.size()) +
                                " points with k = " + std::to_string(o.k),
                            device_knn_memory(task, D, options_).needed(), device_.available());
    }
    /// The tree of the queries, which `own` keeps; without queries that of the sources.
    Tree<T, Device> const& targets_of(DevicePoints<T> const* queries, Tree<T, Device>& own, Stats& stats,
                                      RunPhases<Device>& phases) {
        if (!queries) return tree_;
        own = build_targets(device_, *queries, tree_, options_);
        phases.end(stats, "queries");
        return own;
    }
    void walk(Tree<T, Device> const& targets, DeviceSearch const& search, KnnRows<T> const& rows,
              Stats& stats, RunPhases<Device>& phases) {
        WalkCounts const counts = with_space<D>(period_, [&](auto const& space) {
            return device_neighbours<D>(device_, space, targets, tree_, search, rows);
        });
        phases.end(stats, "walk");
        add_counts(stats, device_, tree_, counts);
    }
    /// How many rows a visit keeps at a time: what a quarter of the budget holds, but one leaf at least.
    pos_t ring_rows(Tree<T, Device> const& targets, std::size_t row_bytes, std::uint64_t budget) {
        if (targets.planes.empty()) return 1;
        constexpr std::uint64_t usual = std::uint64_t(64) << 20;
        std::vector<pos_t> first(targets.planes[0].first.size());
        device_.download(first.data(), targets.planes[0].first.data(), first.size());
        pos_t largest = 1;
        for (std::size_t i = 1; i < first.size(); ++i)
            largest = std::max(largest, first[i] - first[i - 1]);
        std::uint64_t const fit = (budget ? budget / 4 : usual) / row_bytes;
        return pos_t(std::clamp<std::uint64_t>(fit, largest, targets.size()));
    }

    Device& device_;
    std::vector<T> period_;
    TreeOptions options_;
    Tree<T, Device> tree_;
    Stats built_;
};

}  // namespace zwalk::inline v0::detail
