// knn() and CudaKnnIndex: checks, then sources, queries and results through the memory of a GPU.
#include <optional>

#include "../../common/cuda_input.hpp"
#include "checks.hpp"
#include "device_index.hpp"
#include "index_file.hpp"
#include "zwalk/core/validate.hpp"
#include "zwalk/core/whole_file.hpp"
#include "zwalk/knn/device_memory.hpp"
#include "zwalk/tree/box.hpp"

namespace zwalk::inline v0 {
namespace detail {

/// A device and the index that it holds.
template <class T>
class CudaIndexBase {
  public:
    CudaIndexBase(Cuda const& cuda, IndexOptions const& options)
        : options_(options), session_(cuda), extent_(0) {}

    template <class AnyPoints>
    Brought<T> bring_in(AnyPoints points, char const* name) {
        return detail::bring_in(session_, points, name, !options_.box.empty(), options_.threads);
    }

    /// Refuses what the device has no memory for, before anything gets there.
    template <class AnyPoints>
    void check_memory(AnyPoints sources, AnyPoints const* queries, KnnOptions const& o, bool visited) {
        KnnTask task{.points = sources.size,
                     .k = visited ? std::min<index_t>(o.k, index_t(sources.size)) : o.k,
                     .item_bytes = sizeof(T),
                     .order = o.order,
                     .memory_budget = o.memory_budget,
                     .visited = visited};
        if (queries) task.queries = queries->size;
        auto const m = device_knn_memory(task, cuda_columns(sources.dim), o.tree);
        // Sources are given back when their tree is built.
        std::uint64_t const later = queries ? brought_bytes(*queries) : 0;
        check_device_memory(
            fmt::format("kNN of {} points with k = {}", queries ? queries->size : sources.size, o.k),
            std::max(brought_bytes(sources) + m.build, m.needed()) + later, session_.available());
    }
    /// @param extent  of all points that have to fit into the box
    void build(Brought<T> sources, Extent<T> const& extent) {
        dim_ = sources.points.dim;
        check_cuda_dim(dim_);
        extent_ = sources.extent;
        period_ = checked_period(options_.box, extent);
        index_ = with_dim<decltype(index_)>(Dims<ZWALK_CUDA_DIMS>{}, dim_, [&]<int D>() {
            return make_cuda_index<D, T>(session_.device(), sources.points, period_, options_.tree);
        });
    }

    void restore(std::istream& in) {
        TreeHeader const header = read_tree_header(in);
        check_cuda_dim(header.dim);
        dim_ = header.dim;
        options_.box = header.box;
        index_ = with_dim<decltype(index_)>(Dims<ZWALK_CUDA_DIMS>{}, dim_, [&]<int D>() {
            auto const tree = read_tree<T>(Cpu(options_.threads), in, header, D);
            extent_ = extent_of(tree, dim_);
            period_ = checked_period(options_.box, extent_);
            return restore_cuda_index<D, T>(session_.device(), tree, period_, header.options);
        });
    }
    void write(std::ostream& out) {
        auto const tree = index().tree();
        write_tree(out, tree, dim_, box(), index().options());
    }

    template <class AnyPoints>
    DeviceKnnResult<T> query(AnyPoints points, KnnOptions const& o) {
        auto const queries = checked_queries(points, o.k);
        return index().query(&queries.points, o);
    }
    template <class AnyPoints>
    Brought<T> checked_queries(AnyPoints points, index_t k) {
        check_k(k);
        check_columns(points.dim, dim_);
        auto queries = bring_in(points, "queries");
        if (!period_.empty()) {
            Extent<T> extent = extent_;
            extent.add(queries.extent);
            check_box(extent.lo.data(), extent.hi.data(), period_.data(), dim_);
        }
        return queries;
    }

    /// Calls f for run after run of the neighbours.
    Stats visit(DevicePoints<T> const* queries, KnnOptions const& o, CudaRunVisitor<T> const& f) {
        return index().visit(queries, o, [&](KnnRun<T> const& run) { f(session_.device(), run); });
    }
    KnnReduced<T> reduce(DevicePoints<T> const* queries, Reduction what, KnnOptions const& o) {
        if (what == Reduction::sph && dim_ > 3)
            throw InputError(
                fmt::format("the SPH density is for one to three dimensions, not for {}", dim_));
        auto values = session_.buffer<T>(queries ? queries->size : index().size());
        KnnReduced<T> r;
        r.stats = index().reduce(queries, what, dim_, o, values.data());
        session_.download(r.values, values);
        return r;
    }

    [[nodiscard]] std::uint64_t memory_budget() const { return options_.memory_budget; }
    KnnResult<T> download(DeviceKnnResult<T> result) {
        KnnResult<T> r;
        r.rows = result.rows;
        r.columns = result.columns;
        session_.download_result(r.stats, std::move(result.stats), [&] {
            session_.download(r.indices, result.indices);
            session_.download(r.distances, result.distances);
            session_.download(r.row_order, result.row_order);
            session_.download(r.source_order, result.source_order);
        });
        return r;
    }
    AnyDeviceIndex<T>& index() { return *index_; }
    [[nodiscard]] int dim() const { return dim_; }
    [[nodiscard]] std::vector<double> box() const { return box_of(period_); }
    void set_memory_budget(std::uint64_t bytes) { options_.memory_budget = bytes; }

  private:
    IndexOptions options_;
    CudaSession session_;
    int dim_ = 0;
    Extent<T> extent_;
    std::vector<T> period_;
    std::unique_ptr<AnyDeviceIndex<T>> index_;  // refers to the session: it goes first
};

namespace {

/// Checks, and builds an index of the sources. `visited`: there will be no lists.
/// @return the queries, if there are any
template <class T, class AnyPoints>
std::optional<Brought<T>> prepare(CudaIndexBase<T>& index, AnyPoints sources, AnyPoints const* queries,
                                  KnnOptions const& o, bool visited = false) {
    check_k(o.k);
    if (queries && o.exclude_self)
        throw InputError(
            "exclude_self needs the points to be their own queries: leave out either the "
            "queries or exclude_self");
    if (queries) check_columns(queries->dim, sources.dim);
    index.check_memory(sources, queries, o, visited);
    auto brought = index.bring_in(sources, "points");
    Extent<T> extent = brought.extent;
    std::optional<Brought<T>> targets;
    if (queries) {
        targets = index.bring_in(*queries, "queries");
        extent.add(targets->extent);
    }
    index.build(std::move(brought), extent);
    return targets;
}
template <class T>
void add_built(Stats& stats, CudaIndexBase<T>& index) {
    auto const& built = index.index().built().seconds;
    stats.seconds.insert(stats.seconds.begin(), built.begin(), built.end());
}

/// knn() for points on either side.
template <class T, class AnyPoints>
DeviceKnnResult<T> search(CudaIndexBase<T>& index, AnyPoints sources, AnyPoints const* queries,
                          KnnOptions const& o) {
    auto const targets = prepare<T>(index, sources, queries, o);
    auto r = index.index().query(targets ? &targets->points : nullptr, o);
    add_built(r.stats, index);
    return r;
}
template <class T>
KnnResult<T> host_knn(Points<T> sources, Points<T> const* queries, KnnOptions const& o,
                      Cuda const& cuda) {
    CudaIndexBase<T> index(cuda, {.box = o.box, .threads = o.threads, .tree = o.tree});
    return index.download(search<T>(index, sources, queries, o));
}
template <class T>
DeviceKnnResult<T> device_knn(DevicePoints<T> sources, DevicePoints<T> const* queries,
                              KnnOptions const& o, Cuda const& cuda) {
    CudaIndexBase<T> index(cuda, {.box = o.box, .threads = o.threads, .tree = o.tree});
    return search<T>(index, sources, queries, o);
}

template <class T>
KnnReduced<T> reduced(Points<T> sources, Points<T> const* queries, Reduction what, KnnOptions const& o,
                      Cuda const& cuda) {
    CudaIndexBase<T> index(cuda, {.box = o.box, .threads = o.threads, .tree = o.tree});
    auto const targets = prepare<T>(index, sources, queries, o, true);
    auto r = index.reduce(targets ? &targets->points : nullptr, what, o);
    add_built(r.stats, index);
    return r;
}

template <class T, class AnyPoints>
std::unique_ptr<CudaIndexBase<T>> built_index(AnyPoints points, IndexOptions const& o,
                                              Cuda const& cuda) {
    auto index = std::make_unique<CudaIndexBase<T>>(cuda, o);
    auto brought = index->bring_in(points, "points");
    auto const extent = brought.extent;
    index->build(std::move(brought), extent);
    return index;
}

}  // namespace
}  // namespace detail

using namespace detail;

template <class T>
Stats detail::visit_cuda_knn(DevicePoints<T> sources, DevicePoints<T> const* queries,
                             KnnOptions const& o, Cuda const& cuda, CudaRunVisitor<T> const& f) {
    CudaIndexBase<T> index(cuda, {.box = o.box, .threads = o.threads, .tree = o.tree});
    auto const targets = prepare<T>(index, sources, queries, o, true);
    Stats stats = index.visit(targets ? &targets->points : nullptr, o, f);
    add_built(stats, index);
    return stats;
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
std::vector<double> CudaKnnIndex<T>::box() const {
    return index_->box();
}
template <class T>
void CudaKnnIndex<T>::set_memory_budget(std::uint64_t bytes) {
    index_->set_memory_budget(bytes);
}
template <class T>
void CudaKnnIndex<T>::write(std::ostream& out) {
    index_->write(out);
}
template <class T>
void CudaKnnIndex<T>::save(std::filesystem::path const& path) {
    write_whole_file(path, [&](std::ostream& out) { write(out); });
}
template <class T>
CudaKnnIndex<T> CudaKnnIndex<T>::read(std::istream& in, Cuda const& cuda) {
    auto index = std::make_unique<CudaIndexBase<T>>(cuda, IndexOptions{});
    index->restore(in);
    return CudaKnnIndex(std::move(index));
}
template <class T>
CudaKnnIndex<T> CudaKnnIndex<T>::load(std::filesystem::path const& path, Cuda const& cuda) {
    return read_file(path, [&](std::istream& in) { return read(in, cuda); });
}
template <class T>
KnnReduced<T> CudaKnnIndex<T>::reduce(Points<T> queries, Reduction what, index_t k) {
    auto const brought = index_->checked_queries(queries, k);
    return index_->reduce(&brought.points, what, {.k = k, .memory_budget = index_->memory_budget()});
}
template <class T>
KnnReduced<T> CudaKnnIndex<T>::reduce_self(Reduction what, index_t k, bool exclude_self) {
    check_k(k);
    return index_->reduce(
        nullptr, what, {.k = k, .exclude_self = exclude_self, .memory_budget = index_->memory_budget()});
}
template <class T>
CudaKnnIndex<T>::CudaKnnIndex(std::unique_ptr<CudaIndexBase<T>> index) : index_(std::move(index)) {}
template <class T>
KnnResult<T> CudaKnnIndex<T>::query(Points<T> queries, index_t k, Order order) {
    return index_->download(
        index_->query(queries, {.k = k, .order = order, .memory_budget = index_->memory_budget()}));
}
template <class T>
DeviceKnnResult<T> CudaKnnIndex<T>::query(DevicePoints<T> queries, index_t k, Order order) {
    return index_->query(queries, {.k = k, .order = order, .memory_budget = index_->memory_budget()});
}
template <class T>
KnnResult<T> CudaKnnIndex<T>::self(index_t k, bool exclude_self, Order order) {
    check_k(k);
    KnnOptions const o{
        .k = k, .exclude_self = exclude_self, .order = order, .memory_budget = index_->memory_budget()};
    return index_->download(index_->index().query(nullptr, o));
}

#define ZWALK_CUDA_KNN(T)                                                                               \
    template KnnResult<T> knn(Points<T>, KnnOptions const&, Cuda const&);                               \
    template KnnResult<T> knn(Points<T>, Points<T>, KnnOptions const&, Cuda const&);                    \
    template DeviceKnnResult<T> knn(DevicePoints<T>, KnnOptions const&, Cuda const&);                   \
    template DeviceKnnResult<T> knn(DevicePoints<T>, DevicePoints<T>, KnnOptions const&, Cuda const&);  \
    template Stats detail::visit_cuda_knn(DevicePoints<T>, DevicePoints<T> const*, KnnOptions const&,   \
                                          Cuda const&, CudaRunVisitor<T> const&);                       \
    template KnnReduced<T> knn_reduce(Points<T>, Reduction, KnnOptions const&, Cuda const&);            \
    template KnnReduced<T> knn_reduce(Points<T>, Points<T>, Reduction, KnnOptions const&, Cuda const&); \
    template class CudaKnnIndex<T>;
ZWALK_CUDA_KNN(float)
ZWALK_CUDA_KNN(double)

}  // namespace zwalk::inline v0
