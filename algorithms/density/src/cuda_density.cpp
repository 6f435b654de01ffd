// knn_reduce() on a GPU.
#include "compiled_dims.hpp"
#include "zwalk/density/detail/reduce_run.hpp"
#include "zwalk/knn/algorithm.hpp"
#include "zwalk/run/search.hpp"

namespace zwalk::inline v0::detail {
namespace {

/// One number for each of `rows` rows: ask(visitor) is a search that shows the visitor its neighbours.
template <class T, class Device, class Ask>
KnnReduced<T> reduced(Device& device, std::size_t rows, int axes, Reduction what, KnnOptions const& o,
                      Ask const& ask) {
    check_reduction(what, axes, o);
    auto values = Preparation<T, Device>::buffer(device, rows);
    KnnReduced<T> r;
    r.stats = ask([&](Device& there, NeighbourRun<T> const& run) {
                  device_reduce(there, run, what, axes, o.k, values.data());
              }).stats;
    download(device, r.values, values);
    settle_densities<T>(r.values);
    return r;
}

}  // namespace

template <class T>
KnnReduced<T> reduce_knn(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                         Reduction what, KnnOptions const& o, Cuda const& cuda) {
    return on_cuda<KnnReduced<T>>(CudaDims{}, cuda, [&](auto& device) {
        auto const rows = queries ? queries->size : sources.size;
        return reduced<T>(device, rows, sources.dim, what, o, [&](auto const& visitor) {
            return search<KnnAlgorithm, T>(CudaDims{}, device, sources, queries, {o, nullptr, visitor});
        });
    });
}
template <class T>
KnnReduced<T> reduce_knn(CudaIndex<T> const& index, std::type_identity_t<Points<T>> const* queries,
                         Reduction what, KnnOptions const& o, Kept) {
    return on_index<KnnReduced<T>>(CudaDims{}, index, [&](auto& device) {
        auto const rows = queries ? queries->size : index.size();
        return reduced<T>(device, rows, index.dim(), what, o, [&](auto const& visitor) {
            return search<KnnAlgorithm, T>(CudaDims{}, index, queries, {o, nullptr, visitor});
        });
    });
}

#define ZWALK_CUDA_DENSITY(T)                                                                    \
    template KnnReduced<T> reduce_knn(Points<T>, Points<T> const*, Reduction, KnnOptions const&, \
                                      Cuda const&);                                              \
    template KnnReduced<T> reduce_knn(CudaIndex<T> const&, Points<T> const*, Reduction,          \
                                      KnnOptions const&, Kept);
ZWALK_CUDA_DENSITY(float)
ZWALK_CUDA_DENSITY(double)

}  // namespace zwalk::inline v0::detail
