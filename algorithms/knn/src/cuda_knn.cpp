// knn() and CudaKnnIndex: checks, then sources, queries and results through the memory of a GPU.
#include "checks.hpp"
#include "device_index.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk::inline v0 {
namespace detail {

/// Points that have been checked, on the device.
template <class T>
struct Brought {
    DeviceBuffer<T> rows;  ///< of points from the host
    DevicePoints<T> points;
    Extent<T> extent;  ///< where there is a box
};

/// A device and the index that it holds.
template <class T>
class CudaIndexBase {
  public:
    CudaIndexBase(Cuda const& cuda, IndexOptions const& options)
        : options_(options), session_(cuda), extent_(0) {}

    Brought<T> bring_in(Points<T> points, char const* name) {
        Extent<T> extent(points.dim);
        Cpu(options_.threads).run([&] {
            check_points(points, name);
            if (!options_.box.empty()) extent = find_extent(points);
        });
        auto rows = session_.upload(points);
        DevicePoints<T> const there(rows.data(), points.size, points.dim);
        return {std::move(rows), there, std::move(extent)};
    }
    Brought<T> bring_in(DevicePoints<T> points, char const* name) {
        check_shape(points.size, points.dim, name);
        if (auto const bad = session_.not_finite(points))
            refuse_not_finite(bad->row, bad->column, double(bad->value), name);
        return {{}, points, options_.box.empty() ? Extent<T>(points.dim) : session_.extent(points)};
    }

    /// @param extent  of all points that have to fit into the box
    void build(Brought<T> sources, Extent<T> const& extent) {
        dim_ = sources.points.dim;
        if (dim_ > cuda_max_dim())
            throw InputError(fmt::format(
                "the points have {} columns, but this build has GPU kernels for at most {}: use the CPU, or "
                "build with a larger dimension in ZWALK_CUDA_DIMS",
                dim_, cuda_max_dim()));
        extent_ = sources.extent;
        period_ = checked_period(options_.box, extent);
        index_ = with_compiled_dim<ZWALK_CUDA_DIMS>(dim_, [&]<int D>() {
            return make_cuda_index<D, T>(session_.device(), sources.points, period_, options_.tree);
        });
    }

    template <class AnyPoints>
    DeviceKnnResult<T> query(AnyPoints points, KnnOptions const& o) {
        check_k(o.k);
        check_columns(points.dim, dim_);
        auto const queries = bring_in(points, "queries");
        if (!period_.empty()) {
            Extent<T> extent = extent_;
            extent.add(queries.extent);
            check_box(extent.lo.data(), extent.hi.data(), period_.data(), dim_);
        }
        return index().query(&queries.points, o);
    }

    [[nodiscard]] std::uint64_t memory_budget() const { return options_.memory_budget; }
    CudaSession<T>& session() { return session_; }
    AnyDeviceIndex<T>& index() { return *index_; }
    [[nodiscard]] int dim() const { return dim_; }

  private:
    IndexOptions options_;
    CudaSession<T> session_;
    int dim_ = 0;
    Extent<T> extent_;
    std::vector<T> period_;
    std::unique_ptr<AnyDeviceIndex<T>> index_;  // refers to the session: it goes first
};

namespace {

/// knn() for points on either side.
template <class T, class AnyPoints>
DeviceKnnResult<T> search(CudaIndexBase<T>& index, AnyPoints sources, AnyPoints const* queries,
                          KnnOptions const& o) {
    check_k(o.k);
    if (queries && o.exclude_self)
        throw InputError("exclude_self needs the points to be their own queries: leave out either the "
                         "queries or exclude_self");
    if (queries) check_columns(queries->dim, sources.dim);
    auto brought = index.bring_in(sources, "points");
    Extent<T> extent = brought.extent;
    std::optional<Brought<T>> targets;
    if (queries) {
        targets = index.bring_in(*queries, "queries");
        extent.add(targets->extent);
    }
    index.build(std::move(brought), extent);
    auto r = index.index().query(targets ? &targets->points : nullptr, o);
    auto const& built = index.index().built().seconds;
    r.stats.seconds.insert(r.stats.seconds.begin(), built.begin(), built.end());
    return r;
}
template <class T>
KnnResult<T> host_knn(Points<T> sources, Points<T> const* queries, KnnOptions const& o, Cuda const& cuda) {
    CudaIndexBase<T> index(cuda, {.box = o.box, .threads = o.threads, .tree = o.tree});
    return index.session().download(search<T>(index, sources, queries, o));
}
template <class T>
DeviceKnnResult<T> device_knn(DevicePoints<T> sources, DevicePoints<T> const* queries, KnnOptions const& o,
                              Cuda const& cuda) {
    CudaIndexBase<T> index(cuda, {.box = o.box, .threads = o.threads, .tree = o.tree});
    return search<T>(index, sources, queries, o);
}

template <class T, class AnyPoints>
std::unique_ptr<CudaIndexBase<T>> built_index(AnyPoints points, IndexOptions const& o, Cuda const& cuda) {
    auto index = std::make_unique<CudaIndexBase<T>>(cuda, o);
    auto brought = index->bring_in(points, "points");
    auto const extent = brought.extent;
    index->build(std::move(brought), extent);
    return index;
}

}  // namespace
}  // namespace detail

using namespace detail;

int cuda_max_dim() { return built_with_cuda() ? std::max({ZWALK_CUDA_DIMS}) : 0; }

template <class T>
KnnResult<T> knn(Points<T> points, KnnOptions const& o, Cuda const& cuda) {
    return host_knn<T>(points, nullptr, o, cuda);
}
template <class T>
KnnResult<T> knn(Points<T> sources, Points<T> queries, KnnOptions const& o, Cuda const& cuda) {
    return host_knn<T>(sources, &queries, o, cuda);
}
template <class T>
DeviceKnnResult<T> knn(DevicePoints<T> points, KnnOptions const& o, Cuda const& cuda) {
    return device_knn<T>(points, nullptr, o, cuda);
}
template <class T>
DeviceKnnResult<T> knn(DevicePoints<T> sources, DevicePoints<T> queries, KnnOptions const& o,
                       Cuda const& cuda) {
    return device_knn<T>(sources, &queries, o, cuda);
}

template <class T>
CudaKnnIndex<T>::CudaKnnIndex(Points<T> points, IndexOptions const& o, Cuda const& cuda)
    : index_(built_index<T>(points, o, cuda)) {}
template <class T>
CudaKnnIndex<T>::CudaKnnIndex(DevicePoints<T> points, IndexOptions const& o, Cuda const& cuda)
    : index_(built_index<T>(points, o, cuda)) {}
template <class T>
CudaKnnIndex<T>::CudaKnnIndex(CudaKnnIndex&&) noexcept = default;
template <class T>
CudaKnnIndex<T>& CudaKnnIndex<T>::operator=(CudaKnnIndex&&) noexcept = default;
template <class T>
CudaKnnIndex<T>::~CudaKnnIndex() = default;
template <class T>
std::size_t CudaKnnIndex<T>::size() const {
    return index_->index().size();
}
template <class T>
int CudaKnnIndex<T>::dim() const {
    return index_->dim();
}
template <class T>
KnnResult<T> CudaKnnIndex<T>::query(Points<T> queries, index_t k, Order order) {
    return index_->session().download(
        index_->query(queries, {.k = k, .order = order, .memory_budget = index_->memory_budget()}));
}
template <class T>
DeviceKnnResult<T> CudaKnnIndex<T>::query(DevicePoints<T> queries, index_t k, Order order) {
    return index_->query(queries, {.k = k, .order = order, .memory_budget = index_->memory_budget()});
}
template <class T>
KnnResult<T> CudaKnnIndex<T>::self(index_t k, bool exclude_self, Order order) {
    check_k(k);
    KnnOptions const o{.k = k,
                       .exclude_self = exclude_self,
                       .order = order,
                       .memory_budget = index_->memory_budget()};
    return index_->session().download(index_->index().query(nullptr, o));
}

#define ZWALK_CUDA_KNN(T)                                                                        \
    template KnnResult<T> knn(Points<T>, KnnOptions const&, Cuda const&);                        \
    template KnnResult<T> knn(Points<T>, Points<T>, KnnOptions const&, Cuda const&);             \
    template DeviceKnnResult<T> knn(DevicePoints<T>, KnnOptions const&, Cuda const&);            \
    template DeviceKnnResult<T> knn(DevicePoints<T>, DevicePoints<T>, KnnOptions const&, Cuda const&); \
    template class CudaKnnIndex<T>;
ZWALK_CUDA_KNN(float)
ZWALK_CUDA_KNN(double)

}  // namespace zwalk::inline v0
