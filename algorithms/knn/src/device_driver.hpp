// Neighbours on a device, for one compiled dimension: into rows, or shown to a visitor run by run.
#pragma once
#include "zwalk/knn/algorithm.hpp"
#include "zwalk/nearest/device_nearest.hpp"
#include "zwalk/nearest/rows.hpp"
#include "zwalk/run/instance.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/device_build.hpp"

namespace zwalk::inline v0::detail {

/// A search in points that are there.
template <int D, class T, class Device>
class DeviceKnn {
  public:
    DeviceKnn(Device& device, RunPoints<T, Device> const& points, KnnSearch<T, Device> const& search)
        : device_(device),
          points_(*points),
          sources_(points->tree),
          o_(search.options),
          phases_(device) {
        if (!search.queries) {
            top_targets_ = search.targets;
            find_target_range();
            return;
        }
        targets_ = &own_;
        targets_end_ = pos_t(search.queries->points.size);
        auto const& queries = search.queries->points;
        descends_ = targets_descend(queries.size, 0, sources_, o_.k);
        if (descends_ && o_.order == Order::input && queries.size <= device_unsorted_up_to) {
            own_ = unsorted_columns(device, queries, sources_.columns);
            return;  // not a phase of its own: to wait for its end would take longer
        }
        own_ = descends_ ? sorted_columns(device, queries, sources_.columns)
                         : build_targets(device, queries, sources_, points_.options);
        phases_.end(r_.stats, "queries");
    }

    /// All neighbours.
    KnnResult<T, Device> keep() {
        r_.rows = targets_end_ - first_target_;
        r_.columns = std::size_t(o_.k);
        r_.indices = device_.template buffer<index_t>(r_.rows * r_.columns);
        r_.distances = device_.template buffer<T>(r_.rows * r_.columns);
        NearestRows<T> rows{r_.columns, r_.indices.data(), r_.distances.data()};
        if (o_.order == Order::input) {
            rows.row_of = targets_->input.data();
            rows.source_of = sources_.input.data();
        } else {
            r_.row_order = copy_on(device_, targets_->input.data() + first_target_, r_.rows);
            r_.source_order = copy_on(device_, sources_.input.data(), sources_.input.size());
        }
        NearestSearch search{o_.k, o_.exclude_self, o_.within};
        search.targets = top_targets_;
        walk(search, rows);
        return std::move(r_);
    }

    /// Shows all neighbours, run by run; the result has only the statistics.
    KnnResult<T, Device> visit(RunVisitor<T, Device> const& f) {
        auto const n = index_t(sources_.size());
        auto const columns = std::size_t(std::clamp<index_t>(o_.k, 1, std::max<index_t>(1, n)));
        pos_t const ring = points_of_a_run(device_, *targets_, columns * (sizeof(T) + sizeof(index_t)));
        auto distances = device_.template buffer<T>(ring * columns);
        auto indices = device_.template buffer<index_t>(ring * columns);
        NearestRows<T> rows{columns, indices.data(), distances.data()};
        rows.squared = true;
        rows.ring = ring;
        auto const found = pos_t(std::min(o_.k, n - index_t(o_.exclude_self && n > 0)));
        bool const limited = o_.within < infinity<double>;
        NeighbourRun<T> run{0,     0,      ring, limited, columns, distances.data(), indices.data(),
                            found, nullptr};
        if (o_.order == Order::input) {
            rows.source_of = sources_.input.data();
            run.row_of = targets_->input.data();
        }
        NearestSearch search{o_.k, o_.exclude_self, o_.within};
        search.targets = top_targets_;
        search.run_points = ring;
        search.after_run = [&](pos_t begin, pos_t end) {
            run.begin = begin;
            run.end = end;
            f(device_, run);
        };
        walk(search, rows);
        return std::move(r_);
    }

  private:
    /// Positions of the targets that top nodes mean.
    void find_target_range() {
        targets_end_ = sources_.size();
        if (sources_.planes.empty()) return;
        auto const& top = sources_.planes.back();
        auto const nodes = top_nodes(sources_, top_targets_);
        if (nodes.begin > 0) device_.download(&first_target_, top.first.data() + nodes.begin, 1);
        if (nodes.end < top.nodes()) device_.download(&targets_end_, top.first.data() + nodes.end, 1);
    }
    void walk(NearestSearch const& search, NearestRows<T> const& rows) {
        WalkCounts const counts = with_space<D>(points_.period, [&](auto const& space) {
            return find_nearest<D>(device_, space, *targets_, sources_, search, rows);
        });
        phases_.end(r_.stats, descends_ ? "descent" : "walk");
        add_counts(r_.stats, device_, sources_, counts);
    }

    Device& device_;
    PreparedPoints<T, Device> const& points_;
    Tree<T, Device> const& sources_;
    KnnOptions const& o_;
    RunPhases<Device> phases_;
    Tree<T, Device> own_;                         ///< of queries
    Tree<T, Device> const* targets_ = &sources_;  ///< own_, or the points themselves
    bool descends_ = false;                       ///< targets without planes
    TargetNodes top_targets_{};
    pos_t first_target_ = 0, targets_end_ = 0;  ///< positions
    KnnResult<T, Device> r_;
};

template <int D, class T, class Device>
requires is_device<Device> KnnResult<T, Device> KnnAlgorithm::run(Device& device,
                                                                  RunPoints<T, Device>& points,
                                                                  KnnSearch<T, Device> const& search) {
    DeviceKnn<D, T, Device> neighbours(device, points, search);
    if (search.visitor) return neighbours.visit(search.visitor);
    return neighbours.keep();
}

}  // namespace zwalk::inline v0::detail
