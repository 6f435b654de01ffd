// The k nearest on a device, for one compiled dimension: in rows, or shown to a visitor chunk by chunk.
#pragma once
#include "zwalk/knn/search.hpp"
#include "zwalk/nearest/device_nearest.hpp"
#include "zwalk/nearest/rows.hpp"
#include "zwalk/run/instance.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/device_build.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// A search in points that are there.
template <int D, class T, class Device>
class DeviceSearch {
  public:
    DeviceSearch(Device& device, RunPoints<T, Device> const& points,
                 NearestAsked<T, Device> const& asked)
        : device_(device),
          points_(*points),
          sources_(points->tree),
          asked_(asked),
          search_(asked.search),
          phases_(device) {
        if (!asked.queries) {
            find_target_range();
            return;
        }
        targets_ = &own_;
        auto const& queries = asked.queries->points;
        r_.rows = targets_end_ = pos_t(queries.size);
        descends_ = targets_descend(queries.size, 0, sources_, search_.k);
        KnownPoints<T> const known{in_unit(asked.queries->extent, points_.unit),
                                   asked.queries->in_order};
        bool const stay = asked.order == Order::input && queries.size <= device_unsorted_up_to;
        if (descends_ && (stay || known.sorted)) {
            own_ = unsorted_columns(device, queries, sources_.columns);
            return;  // not a phase of its own: to wait for its end would take longer
        }
        own_ = descends_ ? sorted_columns(device, queries, sources_.columns, known.extent)
                         : build_targets(device, queries, sources_, points_.options, known);
        phases_.end(r_.stats, "queries");
    }

    /// All neighbours.
    NearestFound<T, Device> keep() {
        auto const columns = std::size_t(search_.k);
        r_.indices = device_.template buffer<index_t>(r_.rows * columns);
        r_.distances = device_.template buffer<T>(r_.rows * columns);
        NearestRows<T> rows{columns, r_.indices.data(), r_.distances.data()};
        if (asked_.order == Order::input) {
            rows.row_of = targets_->input.data();
            rows.source_of = sources_.input.data();
        } else {
            r_.row_order = copy_on(device_, targets_->input.data() + first_target_, r_.rows);
        }
        walk(rows);
        return std::move(r_);
    }

    /// Shows all neighbours, chunk by chunk; the result has only the statistics.
    NearestFound<T, Device> visit(ChunkVisitor<T, Device> const& f) {
        auto const n = index_t(sources_.size());
        auto const columns = std::size_t(std::clamp<index_t>(search_.k, 1, std::max<index_t>(1, n)));
        pos_t const ring =
            points_of_a_chunk(device_, *targets_, columns * (sizeof(T) + sizeof(index_t)));
        auto distances = device_.template buffer<T>(ring * columns);
        auto indices = device_.template buffer<index_t>(ring * columns);
        NearestRows<T> rows{columns, indices.data(), distances.data()};
        rows.squared = true;
        rows.ring = ring;
        auto const found = pos_t(std::min(search_.k, n - index_t(search_.exclude_self && n > 0)));
        bool const limited = search_.within < infinity<double>;
        NeighbourChunk<T> chunk{0,     0,      ring, limited, columns, distances.data(), indices.data(),
                                found, nullptr};
        if (asked_.order == Order::input) {
            rows.source_of = sources_.input.data();
            chunk.row_of = targets_->input.data();
        }
        search_.chunk_points = ring;
        search_.after_chunk = [&](pos_t begin, pos_t end) {
            chunk.begin = begin;
            chunk.end = end;
            f(device_, chunk);
        };
        walk(rows);
        return std::move(r_);
    }

  private:
    /// Positions of the targets that top nodes mean.
    void find_target_range() {
        targets_end_ = sources_.size();
        if (!sources_.planes.empty()) {
            auto const& top = sources_.planes.back();
            auto const nodes = top_nodes(sources_, search_.targets);
            if (nodes.begin > 0) device_.download(&first_target_, top.first.data() + nodes.begin, 1);
            if (nodes.end < top.nodes())
                device_.download(&targets_end_, top.first.data() + nodes.end, 1);
        }
        r_.rows = targets_end_ - first_target_;
    }
    void walk(NearestRows<T> const& rows) {
        WalkCounts const counts = with_space<D>(points_.period, [&](auto const& space) {
            return find_nearest<D>(device_, space, *targets_, sources_, search_, rows);
        });
        phases_.end(r_.stats, descends_ ? "descent" : "walk");
        add_counts(r_.stats, device_, sources_, counts);
    }

    Device& device_;
    PreparedPoints<T, Device> const& points_;
    Tree<T, Device> const& sources_;
    NearestAsked<T, Device> const& asked_;
    NearestSearch search_;
    RunPhases<Device> phases_;
    Tree<T, Device> own_;                         ///< of queries
    Tree<T, Device> const* targets_ = &sources_;  ///< own_, or the points themselves
    bool descends_ = false;                       ///< targets without planes
    pos_t first_target_ = 0, targets_end_ = 0;    ///< positions
    NearestFound<T, Device> r_;
};

template <int D, class T, class Device>
requires is_device<Device> NearestFound<T, Device> NearestSearching::run(
    Device& device, RunPoints<T, Device>& points, NearestAsked<T, Device> const& asked) {
    DeviceSearch<D, T, Device> search(device, points, asked);
    return asked.visitor ? search.visit(asked.visitor) : search.keep();
}

}}}  // namespace zwalk::v0::detail
