#include "zwalk/knn/knn.hpp"
#include "zwalk/knn/reduction.hpp"

#include <fmt/format.h>

#include "compiled_dims.hpp"
#include "search.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/knn/device_knn_memory.hpp"

namespace zwalk::inline v0::detail {

void check_options(KnnOptions const& o, bool with_queries) {
    if (o.k < 1) throw InputError(fmt::format("k must be at least 1, but is {}", o.k));
    if (o.k > index_t(max_points))
        throw InputError(fmt::format("k = {} is more than one device can hold ({})", o.k, max_points));
    if (with_queries && o.exclude_self)
        throw InputError(
            "exclude_self needs the points to be their own queries: leave out either "
            "the queries or exclude_self");
}

void check_reduction(Reduction what, int dim) {
    if (what == Reduction::sph && dim > 3)
        throw InputError(fmt::format("the SPH density is for one to three dimensions, not for {}", dim));
}

void check_knn_memory(KnnTask const& task, int columns, TreeOptions const& options, std::uint64_t before,
                      std::uint64_t beside, std::uint64_t available) {
    auto const m = device_knn_memory(task, columns, options);
    auto const rows = task.queries.value_or(task.points);
    check_device_memory(fmt::format("kNN of {} points with k = {}", rows, task.k),
                        std::max(before + m.build, m.needed()) + beside, available);
}

template <class T>
KnnResult<T> find_knn(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                      KnnOptions const& o, Cpu const& cpu, NeighbourVisitor<T> const& visitor) {
    Cpu place = cpu;
    return search<T>(CpuDims{}, place, sources, queries, o, visitor);
}
template <class T>
KnnResult<T> find_knn(Index<T> const& index, std::type_identity_t<Points<T>> const* queries,
                      KnnOptions const& o, NeighbourVisitor<T> const& visitor) {
    return search<T>(CpuDims{}, index, queries, o, visitor);
}

#define ZWALK_KNN(T)                                                                           \
    template KnnResult<T> find_knn(Points<T>, Points<T> const*, KnnOptions const&, Cpu const&, \
                                   NeighbourVisitor<T> const&);                                \
    template KnnResult<T> find_knn(Index<T> const&, Points<T> const*, KnnOptions const&,       \
                                   NeighbourVisitor<T> const&);
ZWALK_KNN(float)
ZWALK_KNN(double)

}  // namespace zwalk::inline v0::detail
