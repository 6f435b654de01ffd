#include "zwalk/knn/index.hpp"
#include "zwalk/core/validate.hpp"

#include "checks.hpp"
#include "index_file.hpp"
#include "index_job.hpp"
#include "zwalk/core/whole_file.hpp"
#include "zwalk/tree/box.hpp"

namespace zwalk::inline v0 {
namespace {

using namespace detail;

template <class T>
std::unique_ptr<Index<T> const> built(Points<T> points, IndexOptions const& o) {
    Cpu const cpu(o.threads);
    return cpu.run([&] {
        check_points(points, "points");
        Extent<T> const extent = find_extent(points);
        IndexBase<T> base{points.dim, checked_period(o.box, extent), extent, o.tree, o.threads};
        return with_dim<std::unique_ptr<Index<T> const>>(Dims<ZWALK_DIMS>{}, points.dim, [&]<int D>() {
            return build_index<D, T>(cpu, std::move(base), points);
        });
    });
}

template <class T>
std::unique_ptr<Index<T> const> restored(std::istream& in, int threads) {
    TreeHeader const header = read_tree_header(in);
    Cpu const cpu(threads);
    return with_dim<std::unique_ptr<Index<T> const>>(Dims<ZWALK_DIMS>{}, header.dim, [&]<int D>() {
        auto tree = read_tree<T>(cpu, in, header, D);
        Extent<T> const extent = extent_of(tree, header.dim);
        IndexBase<T> base{header.dim, checked_period(header.box, extent), extent, header.options,
                          threads};
        return restore_index<D, T>(std::move(base), std::move(tree));
    });
}

}  // namespace

template <class T>
KnnIndex<T>::KnnIndex(std::unique_ptr<Index<T> const> index) : index_(std::move(index)) {}
template <class T>
KnnIndex<T>::KnnIndex(Points<T> points, IndexOptions const& options)
    : index_(built(points, options)), memory_budget_(options.memory_budget) {}
template <class T>
KnnIndex<T>::KnnIndex(KnnIndex&&) noexcept = default;
template <class T>
KnnIndex<T>& KnnIndex<T>::operator=(KnnIndex&&) noexcept = default;
template <class T>
KnnIndex<T>::~KnnIndex() = default;

template <class T>
std::size_t KnnIndex<T>::size() const {
    return z_order().size();
}
template <class T>
int KnnIndex<T>::dim() const {
    return index_->dim;
}
template <class T>
std::vector<double> KnnIndex<T>::box() const {
    return box_of(index_->period);
}
template <class T>
std::span<pos_t const> KnnIndex<T>::z_order() const {
    return index_->tree().input;
}

template <class T>
KnnResult<T> KnnIndex<T>::query(Points<T> queries, index_t k, Order order) const {
    return query(queries, k, order, {});
}
template <class T>
KnnResult<T> KnnIndex<T>::query(Points<T> queries, index_t k, Order order,
                                KnnVisitor<T> const& visitor) const {
    check_k(k);
    check_columns(queries.dim, dim());
    check_points(queries, "queries");
    if (auto const& period = index_->period; !period.empty()) {
        Extent<T> extent = find_extent(queries);
        extent.add(index_->extent);
        check_box(extent.lo.data(), extent.hi.data(), period.data(), dim());
    }
    return index_->query(queries, {.k = k, .order = order, .memory_budget = memory_budget_}, visitor);
}

template <class T>
KnnResult<T> KnnIndex<T>::self(index_t k, bool exclude_self, Order order) const {
    return self(k, exclude_self, order, {});
}
template <class T>
KnnResult<T> KnnIndex<T>::self(index_t k, bool exclude_self, Order order,
                               KnnVisitor<T> const& visitor) const {
    check_k(k);
    return index_->self({.k = k, .exclude_self = exclude_self, .order = order}, visitor);
}

template <class T>
void KnnIndex<T>::write(std::ostream& out) const {
    write_tree(out, index_->tree(), dim(), box(), index_->options);
}
template <class T>
void KnnIndex<T>::save(std::filesystem::path const& path) const {
    write_whole_file(path, [&](std::ostream& out) { write(out); });
}

template <class T>
KnnIndex<T> KnnIndex<T>::read(std::istream& in, int threads) {
    return KnnIndex(restored<T>(in, threads));
}
template <class T>
KnnIndex<T> KnnIndex<T>::load(std::filesystem::path const& path, int threads) {
    return read_file(path, [&](std::istream& in) { return read(in, threads); });
}

std::size_t index_item_bytes(std::filesystem::path const& path) {
    return read_file(path,
                     [](std::istream& in) { return std::size_t(read_tree_header(in).item_bytes); });
}

int index_dim(std::filesystem::path const& path) {
    return read_file(path, [](std::istream& in) { return read_tree_header(in).dim; });
}

template class KnnIndex<float>;
template class KnnIndex<double>;

}  // namespace zwalk::inline v0
