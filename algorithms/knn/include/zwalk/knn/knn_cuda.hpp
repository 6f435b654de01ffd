// Exact k-nearest neighbours on a GPU: the public interface. For host compilers; builds without CUDA have it
// too, and refuse.
#pragma once
#include <memory>

#include "zwalk/core/device_points.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/knn/index.hpp"

namespace zwalk::inline v0 {

/// As KnnResult, in device memory; the work on it has ended.
template <class T>
struct DeviceKnnResult {
    std::size_t rows = 0, columns = 0;
    DeviceBuffer<index_t> indices;
    DeviceBuffer<T> distances;
    DeviceBuffer<pos_t> row_order, source_order;  ///< only for Order::z
    Stats stats;
};

/// knn() on a GPU: the same neighbours, bit for bit.
///
/// Of the options `threads` is not looked at; `memory_budget` bounds the lists of the walk, beside the trees
/// and the result (0: half of what the device has free). Compiled for the dimensions of ZWALK_CUDA_DIMS;
/// fewer columns are padded.
/// @throws InputError  as knn(); no CUDA device, or a build without CUDA; more columns than it was compiled
///                     for
/// @throws Error       the device's memory doesn't suffice (refused before work where device_knn_memory() predicts
///                     so), or CUDA failed
template <class T>
KnnResult<T> knn(Points<T> points, KnnOptions const& options, Cuda const& cuda);
template <class T>
KnnResult<T> knn(Points<T> sources, Points<T> queries, KnnOptions const& options, Cuda const& cuda);

/// The same for points that are on the device, with results that stay there.
template <class T>
DeviceKnnResult<T> knn(DevicePoints<T> points, KnnOptions const& options, Cuda const& cuda);
template <class T>
DeviceKnnResult<T> knn(DevicePoints<T> sources, DevicePoints<T> queries, KnnOptions const& options,
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

namespace detail {
template <class T>
class CudaIndexBase;
}

/// KnnIndex on a GPU: the hierarchy stays in its memory. Not for use by several threads at a time.
template <class T>
class CudaKnnIndex {
  public:
    /// Of the options `threads` is not looked at. @throws as knn()
    explicit CudaKnnIndex(Points<T> points, IndexOptions const& options = {}, Cuda const& cuda = {});
    explicit CudaKnnIndex(DevicePoints<T> points, IndexOptions const& options = {},
                          Cuda const& cuda = {});
    CudaKnnIndex(CudaKnnIndex&&) noexcept;
    CudaKnnIndex& operator=(CudaKnnIndex&&) noexcept;
    ~CudaKnnIndex();

    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] int dim() const;
    /// One period per axis, 0 on open ones; empty in open space.
    [[nodiscard]] std::vector<double> box() const;
    /// The k nearest sources of every query; equal to knn(sources, queries). Results on the host, or on the
    /// device for queries that are there.
    KnnResult<T> query(Points<T> queries, index_t k, Order order = Order::input);
    DeviceKnnResult<T> query(DevicePoints<T> queries, index_t k, Order order = Order::input);
    /// The k nearest sources of every source; equal to knn(sources).
    KnnResult<T> self(index_t k, bool exclude_self = false, Order order = Order::input);

    /// knn_reduce() of every query, or of every source.
    KnnReduced<T> reduce(Points<T> queries, Reduction what, index_t k);
    KnnReduced<T> reduce_self(Reduction what, index_t k, bool exclude_self = false);

    /// From now on queries have this budget. An index in a file has none.
    void set_memory_budget(std::uint64_t bytes);

    /// Files as KnnIndex has them; each of both can read what the other one has written.
    void save(std::filesystem::path const& path);
    void write(std::ostream& out);
    static CudaKnnIndex load(std::filesystem::path const& path, Cuda const& cuda = {});
    static CudaKnnIndex read(std::istream& in, Cuda const& cuda = {});

  private:
    explicit CudaKnnIndex(std::unique_ptr<detail::CudaIndexBase<T>> index);
    std::unique_ptr<detail::CudaIndexBase<T>> index_;
};

}  // namespace zwalk::inline v0
