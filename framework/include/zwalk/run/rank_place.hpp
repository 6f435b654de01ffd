// Where ranks walk: each on threads of its own, or each on a device, to which trees are copied.
#pragma once
#include <utility>

#include "zwalk/ranks/rank_cuda.hpp"
#include "zwalk/run/call.hpp"
#include "zwalk/run/detail/rank_call.hpp"
#include "zwalk/run/dims.hpp"
#include "zwalk/run/rank_points.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Where this rank's walks are, and the dimensions that they were compiled for there. Sorting and imports are of threads,
/// wherever that is.
template <class P, class DimsThere, class CpuDims>
struct RankPlace {
    /// Null where it couldn't be opened: by that an attempt() has failed, so nothing is done until the next collective call.
    P* place;

    using Type = P;
    /// f.operator()<d>() for points of so many columns, as with_dim().
    template <class R, class F>
    static R with_columns(int columns, F const& f) {
        return with_dim<R>(DimsThere{}, columns, f, is_device<P>);
    }
    /// f.operator()<d>() for the columns of the trees that ranks sort and import in.
    template <class R, class F>
    static R with_tree_columns(int columns, F const& f) {
        return with_dim<R>(CpuDims{}, columns, f);
    }
    /// Columns of the trees that ranks sort and import in, for points of so many. Throws InputError: there are no kernels for
    /// these.
    static int tree_columns(int columns) {
        (void)compiled_columns<P>(DimsThere{}, columns);
        return compiled_columns<Cpu>(CpuDims{}, columns);
    }
    /// The option that all ranks have to agree on: it makes a difference to the messages between them.
    static Option option() { return {"the place", is_device<P> ? "a device" : "threads"}; }
};
template <class P, class DimsThere, class CpuDims>
RankPlace<P, DimsThere, CpuDims> rank_place(P* place, DimsThere, CpuDims) {
    return {place};
}
template <class CpuDims>
RankPlace<Cpu, CpuDims, CpuDims> rank_place(Cpu* threads, CpuDims) {
    return {threads};
}

/// f(comm, RankPlace) for a call: on threads of its own or, where it has a GPU, on that. A failure while a rank opens it is one
/// on all by their next collective call. In builds without CUDA, where there are no dimensions for it, that is the case, and f(on
/// threads) makes it.
template <int... D, class CpuDims, class F>
auto on_ranks(RankCall const& call, Dims<D...> cuda_dims, CpuDims cpu_dims, F const& f) {
    Comm comm(call.mpi);
    if (call.cuda) {
        auto const device = comm.attempt([&] { return open_cuda(*call.cuda); });
        if constexpr (sizeof...(D) > 0) return f(comm, rank_place(device.get(), cuda_dims, cpu_dims));
        else return f(comm, rank_place(static_cast<Cpu*>(nullptr), cpu_dims));
    }
    Cpu threads = call.cpu;
    return f(comm, rank_place(&threads, cpu_dims));
}

/// This rank's queries, where its walks are: on threads they are lent.
template <class T, class P>
Brought<T, P> bring_queries(P& place, Points<T> own) {
    if constexpr (is_device<P>) return Preparation<T, P>::bring(place, own, "queries", false);
    else return {{}, own};
}

/// A rank's own tree where its walks are: on threads itself, a device gets a copy in so many columns, in `there`.
template <class T, class P>
Tree<T, P> const* tree_on(P& place, Tree<T, Cpu> const& own, int columns, Tree<T, P>& there) {
    if constexpr (is_device<P>) {
        there = Preparation<T, P>::from_host(place, own, columns);
        return &there;
    } else {
        return &own;
    }
}

/// f(points) for a driver, with this tree, which stays: on threads it is lent, a device gets a copy in so many columns.
/// What fails on one rank fails on all. Collective.
/// @param check  check(bytes available) refuses work that the device has no memory for, the copy included
template <class T, class P, class Check, class F>
void run_on(Comm& comm, P& place, RankPoints<T>& points, Tree<T, Cpu>& tree, int columns,
            Check const& check, F const& f) {
    if constexpr (is_device<P>) {
        // All ranks look at what is free before one of them takes some: they may share the device.
        comm.agree([&] { check(Preparation<T, P>::available(place)); });
        comm.agree([&] {
            RunPoints<T, P> there(PreparedPoints<T, P>{
                Preparation<T, P>::from_host(place, tree, columns), points.dim(), points.period(),
                points.extent(), points.options(), points.unit(), points.largest()});
            f(there);
        });
    } else {
        points.run_on(tree, f);
    }
}

}}}  // namespace zwalk::v0::detail
