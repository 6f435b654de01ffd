// Nearest neighbours on MPI ranks: in rows, or shown to an object on devices.
#pragma once
#include <algorithm>

#include "compiled_dims.hpp"
#include "zwalk/knn/detail/rank_visit.hpp"
#include "zwalk/knn/knn_ranks.hpp"

namespace zwalk::inline v0::detail {

/// All neighbours, in rows. Collective.
template <class T, class Place>
KnnResult<T, Mpi> find_on_ranks(Comm& comm, Cpu const& cpu, Place place, KnnOptions const& o,
                                RankInput<T> const& sources,
                                std::type_identity_t<Points<T>> const* queries) {
    using P = typename Place::Type;
    bool const straight = is_device<P> && comm.gpu_aware() && comm.size() > 1 && o.order == Order::input;
    KnnResult<T, Mpi> r;
    KnnRanks<T, Place> ranks(comm, cpu, place, o, sources, queries, r.stats,
                             straight ? Naming::there_and_home : Naming::here);
    r.columns = std::size_t(o.k);
    ArrayOn<P, index_t> indices;  // what leaves the device straight
    ArrayOn<P, T> distances;
    ranks.find(
        false, [](auto&, auto&) {},
        [&](KnnResult<T, P>&& found, auto& all) {
            auto const names = ranks.names_of(all);
            r.rows = found.rows;
            if constexpr (is_device<P>)
                if (straight) {
                    auto const names_there = copy_to_device(*place.place, names);
                    name_sources(*place.place, found.indices.data(), found.indices.size(), names_there);
                    wait_for(*place.place);
                    indices = std::move(found.indices);
                    distances = std::move(found.distances);
                    return;
                }
            auto here = rows_here(*place.place, std::move(found));
            cpu.for_each(here.indices.size(), NameSources{here.indices.data(), names.data()});
            r.indices = std::move(here.indices);
            r.distances = std::move(here.distances);
        });
    r.source_order = ranks.take_source_order();
    auto const bring = [&](auto& rows, [[maybe_unused]] auto& from) {
        RankPoints<T>& asking = ranks.asking();
        if constexpr (is_device<P>)
            if (straight) {
                rows = home_from(*place.place, comm, cpu, asking.own().points.travel, from,
                                 asking.rows(), r.columns);
                from = {};
                return;
            }
        asking.bring_home(rows, r.columns);
    };
    ranks.asking().hand_over(r, o.order, [&] {
        bring(r.indices, indices);
        bring(r.distances, distances);
        r.rows = ranks.asking().rows();
    });
    return r;
}

/// Gives neighbours in a run, which are there until the next one, names that hold on all ranks.
template <class T, class P>
void name_run(P& device, NeighbourRun<T> const& run, DeviceBuffer<index_t> const& names) {
    for (pos_t i = run.begin; i < run.end;) {
        pos_t const row = i % run.ring, n = std::min(run.end - i, run.ring - row);
        name_sources(device, const_cast<index_t*>(run.index) + row * run.columns, n * run.columns,
                     names);
        i += n;
    }
}

/// All neighbours, shown to an object on the devices where they are found. Collective.
template <class T, class Place>
KnnResult<T, Mpi> visit_on_ranks(Comm& comm, Cpu const& cpu, Place place, KnnOptions const& o,
                                 RankInput<T> const& sources,
                                 std::type_identity_t<Points<T>> const* queries,
                                 RankRunVisitor<T, typename Place::Type> const& visitor) {
    using P = typename Place::Type;
    KnnResult<T, Mpi> r;
    KnnRanks<T, Place> ranks(comm, cpu, place, o, sources, queries, r.stats, Naming::there);
    DeviceBuffer<index_t> names, rows;
    auto const prepare = [&](KnnSearch<T, P>& search, auto& all) {
        names = copy_to_device(*place.place, ranks.names_of(all));
        if (o.order == Order::input)
            rows = copy_to_device(*place.place, ranks.asking().own().points.input_index);
        search.visitor = [&](P& device, NeighbourRun<T> const& run) {
            name_run(device, run, names);
            visitor(device, run, rows.data());
        };
    };
    ranks.find(true, prepare, [&](auto const&, auto&) { r.rows = ranks.asking().size_here(); });
    ranks.asking().hand_over(r, o.order, [] {});
    return r;
}

}  // namespace zwalk::inline v0::detail
