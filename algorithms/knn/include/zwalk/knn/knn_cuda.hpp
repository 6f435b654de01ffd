// Exact k-nearest neighbours on a GPU: the public interface. For host compilers; builds without CUDA have it
// too, and refuse.
#pragma once
#include "zwalk/core/device_points.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/knn/index.hpp"

namespace zwalk::inline v0 {

/// knn() on a GPU: the same neighbours, bit for bit.
///
/// The memory budget bounds the lists of the walk, beside the trees and the result. Compiled for the dimensions of
/// ZWALK_CUDA_DIMS; fewer columns are padded.
/// @throws InputError  as knn(); no CUDA device, or a build without CUDA; more columns than it was compiled
///                     for
/// @throws Error       the device's memory doesn't suffice (refused before work where device_knn_memory() predicts
///                     so), or CUDA failed
template <class T>
KnnResult<T> knn(Points<T> points, KnnOptions const& options, Cuda const& cuda);
template <class T>
KnnResult<T> knn(Points<T> sources, Points<T> queries, KnnOptions const& options, Cuda const& cuda);

/// The same for points that are on the device, with results that stay there; the work on them has ended.
template <class T>
KnnResult<T, CudaDevice> knn(DevicePoints<T> points, KnnOptions const& options, Cuda const& cuda);
template <class T>
KnnResult<T, CudaDevice> knn(DevicePoints<T> sources, DevicePoints<T> queries, KnnOptions const& options,
                             Cuda const& cuda);

/// One number per query from its neighbours: KthDistance, BallDensity, SphDensity of reduce.hpp.
enum class Reduction { radius, density, sph };

template <class T>
struct KnnReduced {
    Buffer<T> values;  ///< one per query
    Stats stats;
};

/// The same bits as knn_visit() on CPUs with the object that `what` stands for (no masses). For objects of your
/// own: knn_visit.cuh.
/// @throws InputError  as knn(points, options, cuda); sph in more than three dimensions
template <class T>
KnnReduced<T> knn_reduce(Points<T> points, Reduction what, KnnOptions const& options, Cuda const& cuda);
template <class T>
KnnReduced<T> knn_reduce(Points<T> sources, Points<T> queries, Reduction what, KnnOptions const& options,
                         Cuda const& cuda);

/// CudaIndex (run/index.hpp) that is asked for neighbours, as KnnIndex is on CPUs.
template <class T>
class CudaKnnIndex : public CudaIndex<T> {
  public:
    using CudaIndex<T>::CudaIndex;
    explicit CudaKnnIndex(CudaIndex<T>&& points) : CudaIndex<T>(std::move(points)) {}

    /// The k nearest sources of every query; equal to knn(sources, queries). Results on the host, or on the
    /// device for queries that are there.
    KnnResult<T> query(Points<T> queries, index_t k, Order order = Order::input);
    KnnResult<T, CudaDevice> query(DevicePoints<T> queries, index_t k, Order order = Order::input);
    /// The k nearest sources of every source; equal to knn(sources).
    KnnResult<T> self(index_t k, bool exclude_self = false, Order order = Order::input);

    /// knn_reduce() of every query, or of every source.
    KnnReduced<T> reduce(Points<T> queries, Reduction what, index_t k);
    KnnReduced<T> reduce_self(Reduction what, index_t k, bool exclude_self = false);

    static CudaKnnIndex load(std::filesystem::path const& path, Cuda const& cuda = {}) {
        return CudaKnnIndex(CudaIndex<T>::load(path, cuda));
    }
    static CudaKnnIndex read(std::istream& in, Cuda const& cuda = {}) {
        return CudaKnnIndex(CudaIndex<T>::read(in, cuda));
    }

  private:
    template <class AnyPoints>
    KnnResult<T, CudaDevice> find(AnyPoints const* queries, KnnOptions const& options);
    KnnReduced<T> reduce(Points<T> const* queries, Reduction what, KnnOptions const& options);
};

}  // namespace zwalk::inline v0
