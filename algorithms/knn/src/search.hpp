// From the public functions of kNN to its driver, on any place.
#pragma once
#include <optional>

#include "checks.hpp"
#include "zwalk/knn/algorithm.hpp"
#include "zwalk/knn/device_knn_memory.hpp"
#include "zwalk/run/call.hpp"
#include "zwalk/zorder/sort.hpp"

namespace zwalk::inline v0::detail {

/// Refuses what a device has no memory for, before anything gets there. `sources`: bytes of points that have to get
/// there.
template <class T, class P, class AnyPoints>
void check_memory(P& device, KnnTask task, AnyPoints const* queries, int columns,
                  TreeOptions const& options, std::uint64_t sources) {
    auto const asked = task.k;
    if (task.visited)
        task.k = std::clamp<index_t>(task.k, 1, index_t(std::max<std::uint64_t>(1, task.points)));
    if (queries) task.queries = queries->size;
    task.item_bytes = sizeof(T);
    task.memory_budget = Preparation<T, P>::memory_budget(device);
    auto const m = device_knn_memory(task, columns, options);
    // Sources are given back when their tree is built.
    std::uint64_t const later = queries ? brought_bytes(*queries) : 0;
    check_knn_memory(queries ? queries->size : task.points, asked,
                     std::max(sources + m.build, m.needed()) + later,
                     Preparation<T, P>::available(device));
}

template <class T>
KnnQueries<T, Cpu> sorted_queries(Cpu const& cpu, Points<T> points) {
    double const start = now_seconds();
    auto order = z_sort(cpu, points);
    return {points, std::move(order), now_seconds() - start};
}

/// Neighbours in points that are brought to a place for this.
template <class T, int... D, class P, class AnyPoints>
KnnResult<T, P> search(Dims<D...> dims, P& place, AnyPoints sources, AnyPoints const* queries,
                       KnnOptions const& o, VisitorOn<T, P> const& visitor = {}) {
    check_options(o, bool(queries));
    if (queries) check_columns(queries->dim, sources.dim);
    if constexpr (is_device<P>)
        check_memory<T>(place,
                        {.points = sources.size, .k = o.k, .order = o.order, .visited = bool(visitor)},
                        queries, compiled_columns<P>(dims, sources.dim), o.tree, brought_bytes(sources));
    return inside(place, [&] {
        bool const boxed = !o.box.empty();
        auto brought = Preparation<T, P>::bring(place, sources, "points", boxed);
        auto extent = brought.extent;
        std::optional<Brought<T, P>> targets;
        std::optional<KnnQueries<T, P>> asked;
        if (queries) {
            targets = Preparation<T, P>::bring(place, *queries, "queries", boxed);
            extent.add(targets->extent);
            // Before there is a tree: sorting takes memory.
            if constexpr (is_device<P>) asked = {targets->points};
            else asked = sorted_queries(place, targets->points);
        }
        Stats built;
        int const columns = compiled_columns<P>(dims, sources.dim);
        auto prepared = prepare(place, std::move(brought), o.box, extent, columns, o.tree, built);
        return ask_once<KnnAlgorithm>(dims, place, std::move(prepared), std::move(built),
                                      KnnSearch<T, P>{o, asked ? &*asked : nullptr, visitor});
    });
}

/// Neighbours in points that are kept.
template <class T, int... D, class P, class AnyPoints>
KnnResult<T, P> search_kept(Dims<D...> dims, P& place, PreparedPoints<T, P> const& kept,
                            AnyPoints const* queries, KnnOptions const& o,
                            VisitorOn<T, P> const& visitor = {}) {
    check_options(o, bool(queries));
    if (queries) check_columns(queries->dim, kept.dim);
    if constexpr (is_device<P>)
        check_memory<T>(place,
                        {.points = kept.tree.size(),
                         .k = o.k,
                         .order = o.order,
                         .indexed = true,
                         .visited = bool(visitor)},
                        queries, compiled_columns<P>(dims, kept.dim), kept.options, 0);
    RunPoints<T, P> points(kept);
    if (!queries) return ask<KnnAlgorithm>(dims, place, points, {o, nullptr, visitor});
    auto const brought = Preparation<T, P>::bring(place, *queries, "queries", !kept.period.empty());
    check_fit(kept, brought.extent);
    KnnQueries<T, P> asked{brought.points};
    return ask<KnnAlgorithm>(dims, place, points, {o, &asked, visitor});
}
template <class T, int... D, class P, class AnyPoints>
KnnResult<T, P> search(Dims<D...> dims, Index<T, P> const& index, AnyPoints const* queries,
                       KnnOptions const& o, VisitorOn<T, P> const& visitor = {}) {
    if constexpr (!is_device<P>)
        if (!queries) {
            // Threads of its own: callers that ask one index at once needn't wait for each other.
            Cpu own = index.place().apart();
            return search_kept<T>(dims, own, index.points(), queries, o, visitor);
        }
    return search_kept<T>(dims, index.place(), index.points(), queries, o, visitor);
}

}  // namespace zwalk::inline v0::detail
