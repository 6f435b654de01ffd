// knn_reduce() on MPI ranks: what kNN shows on each of them, on any place.
#pragma once
#include <functional>
#include <utility>
#include <variant>

#include "compiled_dims.hpp"
#include "zwalk/density/density.hpp"
#include "zwalk/density/detail/reduce_run.hpp"
#include "zwalk/knn/knn_ranks.hpp"
#include "zwalk/ranks/agree_on.hpp"

namespace zwalk::inline v0::detail {

/// One number of the neighbours of each point (query) that this rank has got. Collective.
/// @tparam Place  a RankPlace
template <class T, class Place>
KnnReduced<T, Mpi> reduce_on_ranks(Comm& comm, Cpu const& cpu, Place place, Reduction what,
                                   KnnOptions const& o, RankInput<T> const& sources,
                                   std::type_identity_t<Points<T>> const* queries) {
    using P = typename Place::Type;
    comm.attempt([&] { check_reduction(what, sources.dim, o); });
    agree_on(comm, {{"the reduction", int(what)}});
    KnnReduced<T, Mpi> r;
    KnnRanks<T, Place> ranks(comm, cpu, place, o, sources, queries, r.stats);
    ArrayOn<P, T> values;
    std::variant<KthDistance<T>, BallDensity<T>, SphDensity<T>> object{KthDistance<T>{nullptr, o.k}};
    auto const prepare = [&](KnnSearch<T, P>& search, auto&) {
        auto const n = ranks.asking().size_here();
        if constexpr (is_device<P>) {
            values = Preparation<T, P>::buffer(*place.place, n);
            search.visitor = [&](P& device, NeighbourRun<T> const& run) {
                device_reduce(device, run, what, sources.dim, o.k, values.data());
            };
        } else {
            values = Buffer<T>(n);
            search.visitor = with_reduction(
                what, values.data(), sources.dim, o.k, [&]<class Object>(Object const& made) {
                    return make_visitor<T>(object.template emplace<Object>(made));
                });
        }
    };
    ranks.find(true, prepare,
               [&](auto const&, auto&) { download(*place.place, r.values, std::move(values)); });
    auto const own = lost_densities<T>(r.values);
    LostDensities const all{comm.reduce_all(own.lost, std::plus<>()),
                            comm.reduce_all(own.all, std::plus<>())};
    comm.agree([&] { settle_densities<T>(r.values, all); });
    ranks.asking().hand_over(r, o.order, [&] { ranks.asking().bring_home(r.values); });
    return r;
}

}  // namespace zwalk::inline v0::detail
