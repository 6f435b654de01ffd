// knn() on a GPU, and CudaKnnIndex.
#include <fmt/format.h>

#include "compiled_dims.hpp"
#include "search.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/knn/knn_cuda.hpp"

namespace zwalk::inline v0 {
namespace detail {

// Compiled for GPUs in cuda_reduce.cu.
template <class T, class Device>
void device_reduce(Device& device, KnnRun<T> const& run, Reduction what, int axes, index_t k, T* value);

namespace {

template <class T>
KnnResult<T> to_host(CudaDevice& device, KnnResult<T, CudaDevice> there) {
    KnnResult<T> r;
    r.rows = there.rows;
    r.columns = there.columns;
    download_result(r.stats, std::move(there.stats), [&] {
        download(device, r.indices, there.indices);
        download(device, r.distances, there.distances);
        download(device, r.row_order, there.row_order);
        download(device, r.source_order, there.source_order);
    });
    return r;
}

template <class T, class AnyPoints>
KnnResult<T, CudaDevice> search_there(AnyPoints sources, AnyPoints const* queries, KnnOptions const& o,
                                      Cuda const& cuda, CudaRunVisitor<T> const& visitor = {}) {
    return on_cuda<KnnResult<T, CudaDevice>>(CudaDims{}, cuda, [&](auto& device) {
        return search<T>(CudaDims{}, device, sources, queries, o, visitor);
    });
}
template <class T>
KnnResult<T> host_search(Points<T> sources, Points<T> const* queries, KnnOptions const& o,
                         Cuda const& cuda) {
    return on_cuda<KnnResult<T>>(CudaDims{}, cuda, [&](auto& device) {
        return to_host<T>(device, search<T>(CudaDims{}, device, sources, queries, o));
    });
}

/// One number for each of `rows` rows: ask(visitor) is a search that shows the visitor its neighbours.
template <class T, class Device, class Ask>
KnnReduced<T> reduced(Device& device, std::size_t rows, int axes, Reduction what, index_t k,
                      Ask const& ask) {
    if (what == Reduction::sph && axes > 3)
        throw InputError(
            fmt::format("the SPH density is for one to three dimensions, not for {}", axes));
    auto values = Preparation<T, Device>::buffer(device, rows);
    KnnReduced<T> r;
    r.stats = ask([&](Device& there, KnnRun<T> const& run) {
                  device_reduce(there, run, what, axes, k, values.data());
              }).stats;
    download(device, r.values, values);
    return r;
}
template <class T>
KnnReduced<T> reduced(Points<T> sources, Points<T> const* queries, Reduction what, KnnOptions const& o,
                      Cuda const& cuda) {
    return on_cuda<KnnReduced<T>>(CudaDims{}, cuda, [&](auto& device) {
        auto const rows = queries ? queries->size : sources.size;
        return reduced<T>(device, rows, sources.dim, what, o.k, [&](CudaRunVisitor<T> const& visitor) {
            return search<T>(CudaDims{}, device, sources, queries, o, visitor);
        });
    });
}

}  // namespace
}  // namespace detail

using namespace detail;

template <class T>
Stats detail::visit_cuda_knn(DevicePoints<T> sources, DevicePoints<T> const* queries,
                             KnnOptions const& o, Cuda const& cuda, CudaRunVisitor<T> const& f) {
    return search_there<T>(sources, queries, o, cuda, f).stats;
}
template <class T>
KnnReduced<T> knn_reduce(Points<T> points, Reduction what, KnnOptions const& o, Cuda const& cuda) {
    return reduced<T>(points, nullptr, what, o, cuda);
}
template <class T>
KnnReduced<T> knn_reduce(Points<T> sources, Points<T> queries, Reduction what, KnnOptions const& o,
                         Cuda const& cuda) {
    return reduced<T>(sources, &queries, what, o, cuda);
}

template <class T>
KnnResult<T> knn(Points<T> points, KnnOptions const& o, Cuda const& cuda) {
    return host_search<T>(points, nullptr, o, cuda);
}
template <class T>
KnnResult<T> knn(Points<T> sources, Points<T> queries, KnnOptions const& o, Cuda const& cuda) {
    return host_search<T>(sources, &queries, o, cuda);
}
template <class T>
KnnResult<T, CudaDevice> knn(DevicePoints<T> points, KnnOptions const& o, Cuda const& cuda) {
    return search_there<T, DevicePoints<T>>(points, nullptr, o, cuda);
}
template <class T>
KnnResult<T, CudaDevice> knn(DevicePoints<T> sources, DevicePoints<T> queries, KnnOptions const& o,
                             Cuda const& cuda) {
    return search_there<T>(sources, &queries, o, cuda);
}

template <class T>
template <class AnyPoints>
KnnResult<T, CudaDevice> CudaKnnIndex<T>::find(AnyPoints const* queries, KnnOptions const& o) {
    if constexpr (CudaDims::most > 0) return search<T>(CudaDims{}, *this, queries, o);
    else __builtin_unreachable();  // none can be made
}
template <class T>
KnnReduced<T> CudaKnnIndex<T>::reduce(Points<T> const* queries, Reduction what, KnnOptions const& o) {
    if constexpr (CudaDims::most > 0)
        return reduced<T>(this->place(), queries ? queries->size : this->size(), this->dim(), what, o.k,
                          [&](CudaRunVisitor<T> const& visitor) {
                              return search<T>(CudaDims{}, *this, queries, o, visitor);
                          });
    else __builtin_unreachable();
}
template <class T>
KnnResult<T> CudaKnnIndex<T>::query(Points<T> queries, index_t k, Order order) {
    if constexpr (CudaDims::most > 0)
        return to_host<T>(this->place(), find(&queries, {.k = k, .order = order}));
    else __builtin_unreachable();
}
template <class T>
KnnResult<T, CudaDevice> CudaKnnIndex<T>::query(DevicePoints<T> queries, index_t k, Order order) {
    return find(&queries, {.k = k, .order = order});
}
template <class T>
KnnResult<T> CudaKnnIndex<T>::self(index_t k, bool exclude_self, Order order) {
    if constexpr (CudaDims::most > 0)
        return to_host<T>(
            this->place(),
            find<Points<T>>(nullptr, {.k = k, .exclude_self = exclude_self, .order = order}));
    else __builtin_unreachable();
}
template <class T>
KnnReduced<T> CudaKnnIndex<T>::reduce(Points<T> queries, Reduction what, index_t k) {
    return reduce(&queries, what, {.k = k});
}
template <class T>
KnnReduced<T> CudaKnnIndex<T>::reduce_self(Reduction what, index_t k, bool exclude_self) {
    return reduce(nullptr, what, {.k = k, .exclude_self = exclude_self});
}

#define ZWALK_CUDA_KNN(T)                                                                               \
    template KnnResult<T> knn(Points<T>, KnnOptions const&, Cuda const&);                               \
    template KnnResult<T> knn(Points<T>, Points<T>, KnnOptions const&, Cuda const&);                    \
    template KnnResult<T, CudaDevice> knn(DevicePoints<T>, KnnOptions const&, Cuda const&);             \
    template KnnResult<T, CudaDevice> knn(DevicePoints<T>, DevicePoints<T>, KnnOptions const&,          \
                                          Cuda const&);                                                 \
    template Stats detail::visit_cuda_knn(DevicePoints<T>, DevicePoints<T> const*, KnnOptions const&,   \
                                          Cuda const&, CudaRunVisitor<T> const&);                       \
    template KnnReduced<T> knn_reduce(Points<T>, Reduction, KnnOptions const&, Cuda const&);            \
    template KnnReduced<T> knn_reduce(Points<T>, Points<T>, Reduction, KnnOptions const&, Cuda const&); \
    template class CudaKnnIndex<T>;
ZWALK_CUDA_KNN(float)
ZWALK_CUDA_KNN(double)

}  // namespace zwalk::inline v0
