#include "zwalk/knn/knn.hpp"

#include <fmt/format.h>

#include "compiled_dims.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/knn/algorithm.hpp"
#include "zwalk/knn/device_knn_memory.hpp"
#include "zwalk/nearest/search.hpp"
#include "zwalk/run/search.hpp"

namespace zwalk::inline v0::detail {

void check_options(KnnOptions const& o, bool with_queries) {
    if (o.k < 1) throw InputError(fmt::format("k must be at least 1, but is {}", o.k));
    if (o.k > index_t(max_points))
        throw InputError(fmt::format("k = {} is more than one device can hold ({})", o.k, max_points));
    check_within(o.within);
    if (with_queries && o.exclude_self)
        throw InputError(
            "exclude_self needs the points to be their own queries: leave out either "
            "the queries or exclude_self");
}

SearchNeed knn_need(SearchShape const& shape, KnnOptions const& o, bool visited) {
    auto const m = device_knn_memory({.points = shape.points,
                                      .queries = shape.queries,
                                      .k = o.k,
                                      .item_bytes = shape.item_bytes,
                                      .order = o.order,
                                      .memory_budget = shape.memory_budget,
                                      .indexed = shape.kept,
                                      .visited = visited},
                                     shape.columns, shape.tree);
    return {fmt::format("kNN of {} points with k = {}", shape.targets(), o.k), m.build, m.needed()};
}

template <class T>
KnnResult<T> find_knn(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                      KnnOptions const& o, Cpu const& cpu, NeighbourVisitor<T> const& visitor) {
    Cpu place = cpu;
    return search<KnnAlgorithm, T>(CpuDims{}, place, sources, queries, {o, nullptr, visitor});
}
template <class T>
KnnResult<T> find_knn(Index<T> const& index, std::type_identity_t<Points<T>> const* queries,
                      KnnOptions const& o, Kept, NeighbourVisitor<T> const& visitor) {
    auto way = IndexWay::walk;
    if (queries)
        way = index_way(queries->size, index.size(), compiled_columns<Cpu>(CpuDims{}, index.dim()));
    // Rows in z-order need a sort.
    if (way == IndexWay::here && o.order == Order::z) way = IndexWay::descents;
    return search<KnnAlgorithm, T>(CpuDims{}, index, queries, {o, nullptr, visitor, way},
                                   way == IndexWay::here);
}
template <class T>
KnnResult<T> find_knn(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                      KnnOptions const& o, Cuda const& cuda, CudaRunVisitor<T> const& visitor) {
    return on_cuda<KnnResult<T>>(CudaDims{}, cuda, [&](auto& device) {
        return to_host<KnnResult<T>>(device, search<KnnAlgorithm, T>(CudaDims{}, device, sources,
                                                                     queries, {o, nullptr, visitor}));
    });
}
template <class T>
KnnResult<T> find_knn(CudaIndex<T> const& index, std::type_identity_t<Points<T>> const* queries,
                      KnnOptions const& o, Kept, CudaRunVisitor<T> const& visitor) {
    return on_index<KnnResult<T>>(CudaDims{}, index, [&](auto& device) {
        return to_host<KnnResult<T>>(
            device, search<KnnAlgorithm, T>(CudaDims{}, index, queries, {o, nullptr, visitor}));
    });
}
template <class T>
KnnResult<T, CudaDevice> find_knn(CudaIndex<T> const& index,
                                  std::type_identity_t<DevicePoints<T>> const* queries,
                                  KnnOptions const& o, Kept, CudaRunVisitor<T> const& visitor) {
    return search<KnnAlgorithm, T>(CudaDims{}, index, queries, {o, nullptr, visitor});
}
template <class T>
KnnResult<T, CudaDevice> find_knn(DevicePoints<T> sources,
                                  std::type_identity_t<DevicePoints<T>> const* queries,
                                  KnnOptions const& o, Cuda const& cuda,
                                  CudaRunVisitor<T> const& visitor) {
    return on_cuda<KnnResult<T, CudaDevice>>(CudaDims{}, cuda, [&](auto& device) {
        return search<KnnAlgorithm, T>(CudaDims{}, device, sources, queries, {o, nullptr, visitor});
    });
}

#define ZWALK_KNN(T)                                                                               \
    template KnnResult<T> find_knn(Points<T>, Points<T> const*, KnnOptions const&, Cpu const&,     \
                                   NeighbourVisitor<T> const&);                                    \
    template KnnResult<T> find_knn(Index<T> const&, Points<T> const*, KnnOptions const&, Kept,     \
                                   NeighbourVisitor<T> const&);                                    \
    template KnnResult<T> find_knn(Points<T>, Points<T> const*, KnnOptions const&, Cuda const&,    \
                                   CudaRunVisitor<T> const&);                                      \
    template KnnResult<T> find_knn(CudaIndex<T> const&, Points<T> const*, KnnOptions const&, Kept, \
                                   CudaRunVisitor<T> const&);                                      \
    template KnnResult<T, CudaDevice> find_knn(CudaIndex<T> const&, DevicePoints<T> const*,        \
                                               KnnOptions const&, Kept, CudaRunVisitor<T> const&); \
    template KnnResult<T, CudaDevice> find_knn(DevicePoints<T>, DevicePoints<T> const*,            \
                                               KnnOptions const&, Cuda const&,                     \
                                               CudaRunVisitor<T> const&);
ZWALK_KNN(float)
ZWALK_KNN(double)

}  // namespace zwalk::inline v0::detail
