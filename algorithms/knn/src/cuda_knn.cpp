// knn() and knn_reduce() on a GPU.
#include "compiled_dims.hpp"
#include "search.hpp"
#include "zwalk/knn/knn_cuda.hpp"

namespace zwalk::inline v0 {
namespace detail {

// Compiled for GPUs in cuda_reduce.cu.
template <class T, class Device>
void device_reduce(Device& device, NeighbourRun<T> const& run, Reduction what, int axes, index_t k,
                   T* value);

namespace {

constexpr CudaDims dims;

/// One number for each of `rows` rows: ask(visitor) is a search that shows the visitor its neighbours.
template <class T, class Device, class Ask>
KnnReduced<T> reduced(Device& device, std::size_t rows, int axes, Reduction what, index_t k,
                      Ask const& ask) {
    check_reduction(what, axes);
    auto values = Preparation<T, Device>::buffer(device, rows);
    KnnReduced<T> r;
    r.stats = ask([&](Device& there, NeighbourRun<T> const& run) {
                  device_reduce(there, run, what, axes, k, values.data());
              }).stats;
    download(device, r.values, values);
    return r;
}

}  // namespace

template <class T>
KnnResult<T> find_knn(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                      KnnOptions const& o, Cuda const& cuda) {
    return on_cuda<KnnResult<T>>(dims, cuda, [&](auto& device) {
        return to_host<KnnResult<T>>(device, search<T>(dims, device, sources, queries, o));
    });
}
template <class T>
KnnResult<T> find_knn(CudaIndex<T> const& index, std::type_identity_t<Points<T>> const* queries,
                      KnnOptions const& o) {
    return on_index<KnnResult<T>>(dims, index, [&](auto& device) {
        return to_host<KnnResult<T>>(device, search<T>(dims, index, queries, o));
    });
}
template <class T>
KnnResult<T, CudaDevice> find_knn(DevicePoints<T> sources,
                                  std::type_identity_t<DevicePoints<T>> const* queries,
                                  KnnOptions const& o, Cuda const& cuda,
                                  CudaRunVisitor<T> const& visitor) {
    return on_cuda<KnnResult<T, CudaDevice>>(
        dims, cuda, [&](auto& device) { return search<T>(dims, device, sources, queries, o, visitor); });
}

template <class T>
KnnReduced<T> reduce_knn(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                         Reduction what, KnnOptions const& o, Cuda const& cuda) {
    return on_cuda<KnnReduced<T>>(dims, cuda, [&](auto& device) {
        auto const rows = queries ? queries->size : sources.size;
        return reduced<T>(device, rows, sources.dim, what, o.k, [&](auto const& visitor) {
            return search<T>(dims, device, sources, queries, o, visitor);
        });
    });
}
template <class T>
KnnReduced<T> reduce_knn(CudaIndex<T> const& index, std::type_identity_t<Points<T>> const* queries,
                         Reduction what, KnnOptions const& o) {
    return on_index<KnnReduced<T>>(dims, index, [&](auto& device) {
        auto const rows = queries ? queries->size : index.size();
        return reduced<T>(device, rows, index.dim(), what, o.k, [&](auto const& visitor) {
            return search<T>(dims, index, queries, o, visitor);
        });
    });
}

}  // namespace detail

template <class T>
KnnResult<T, CudaDevice> knn(CudaIndex<T> const& index, DevicePoints<T> queries, KnnOptions const& o) {
    return detail::search<T>(detail::CudaDims{}, index, &queries, o);
}

#define ZWALK_CUDA_KNN(T)                                                                             \
    template KnnResult<T> detail::find_knn(Points<T>, Points<T> const*, KnnOptions const&,            \
                                           Cuda const&);                                              \
    template KnnResult<T> detail::find_knn(CudaIndex<T> const&, Points<T> const*, KnnOptions const&); \
    template KnnResult<T, CudaDevice> detail::find_knn(DevicePoints<T>, DevicePoints<T> const*,       \
                                                       KnnOptions const&, Cuda const&,                \
                                                       CudaRunVisitor<T> const&);                     \
    template KnnReduced<T> detail::reduce_knn(Points<T>, Points<T> const*, Reduction,                 \
                                              KnnOptions const&, Cuda const&);                        \
    template KnnReduced<T> detail::reduce_knn(CudaIndex<T> const&, Points<T> const*, Reduction,       \
                                              KnnOptions const&);                                     \
    template KnnResult<T, CudaDevice> knn(CudaIndex<T> const&, DevicePoints<T>, KnnOptions const&);
ZWALK_CUDA_KNN(float)
ZWALK_CUDA_KNN(double)

}  // namespace zwalk::inline v0
