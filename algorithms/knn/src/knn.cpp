#include "zwalk/knn/knn.hpp"

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/knn/device_knn_memory.hpp"
#include "zwalk/run/calls.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

void check_options(KnnOptions const& o, CallSets const& sets) {
    if (o.k < 1) throw InputError(detail::text("k must be at least 1, but is {}", o.k));
    if (o.k > index_t(max_points))
        throw InputError(detail::text("k = {} is more than one device can hold ({})", o.k, max_points));
    check_within(o.within);
    if (sets.others && o.exclude_self)
        throw InputError(
            "exclude_self needs the points to be their own queries: leave out either "
            "the queries or exclude_self");
    if (sets.others) check_query_columns(sets.others->dim, sets.points.dim);
}

CallNeed nearest_need(CallShape const& shape, index_t k, Order order, bool visited) {
    auto const m = device_knn_memory({.points = shape.points,
                                      .queries = shape.others,
                                      .k = k,
                                      .item_bytes = shape.item_bytes,
                                      .order = order,
                                      .memory_budget = shape.memory_budget,
                                      .indexed = shape.kept,
                                      .visited = visited},
                                     shape.columns, shape.tree);
    return {detail::text("kNN of {} points with k = {}", shape.others.value_or(shape.points), k),
            m.build, m.needed()};
}

template <class T>
void KnnAlgorithm::check(KnnAsked const& o, CallSets const& sets) {
    check_options(o, sets);
}

#define ZWALK_KNN(T)        \
    ZWALK_CALLS(KnnCall, T) \
    template struct Called<KnnThereCall, CudaIndex<T>, Kept>;
ZWALK_KNN(float)
ZWALK_KNN(double)

}}}  // namespace zwalk::v0::detail
