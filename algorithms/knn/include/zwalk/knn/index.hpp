// Neighbours again and again: sort and group the sources once, query them as often as you like.
#pragma once
#include <type_traits>

#include "zwalk/knn/knn.hpp"
#include "zwalk/run/index.hpp"

namespace zwalk::inline v0 {

/// knn() for points that are kept (run/index.hpp): the k nearest of all of them for each. Box, tree options and place are the
/// index's. With Order::z `source_order` stays empty: it is index.z_order().
/// @throws InputError  as knn(points), or the options have a box
template <class T>
KnnResult<T> knn(Index<T> const& index, KnnOptions const& options = {});
/// The k nearest of the points that are kept, for each query.
/// @throws InputError  as KnnIndex::query(), exclude_self, or the options have a box
template <class T>
KnnResult<T> knn(Index<T> const& index, std::type_identity_t<Points<T>> queries,
                 KnnOptions const& options = {});
template <class T, class Queries>
requires(!std::is_same_v<Queries, Points<T>> && requires(Queries const& q) {
    Points(q);
}) auto knn(Index<T> const& index, Queries const& queries, KnnOptions const& options = {}) {
    return knn(index, Points(queries), options);
}

/// An index (run/index.hpp) that is asked for neighbours. Results are those of knn(), bit for bit.
///
/// The cost of a query follows the batch, not the number N of sources: a single query takes some microseconds and needs
/// no threads, large batches run on all of them. All members are const but construction and assignment: any number of
/// threads may query one index at once.
template <class T>
class KnnIndex : public Index<T> {
  public:
    /// As Index. @throws InputError  as knn()
    explicit KnnIndex(Points<T> points, IndexOptions const& options = {}, Cpu const& cpu = Cpu())
        : KnnIndex(Index<T>(points, options, cpu)) {}
    /// Takes an index over.
    explicit KnnIndex(Index<T>&& points);

    /// The k nearest sources of every query, shape (n, dim()); equal to knn(sources, queries).
    ///
    /// O(n (log N + k)) for few queries, O(n log n + n k) for many. With Order::z the result's
    /// `source_order` stays empty: it is z_order(), and copying it would take O(N).
    /// @throws InputError  k < 1, another number of columns, coordinates that are not finite, or
    ///                     queries that don't fit into the box together with the sources
    [[nodiscard]] KnnResult<T> query(Points<T> queries, index_t k, Order order = Order::input) const {
        return query(queries, {.k = k, .order = order}, {});
    }
    /// The k nearest sources of every source; equal to knn(sources).
    [[nodiscard]] KnnResult<T> self(index_t k, bool exclude_self = false,
                                    Order order = Order::input) const {
        return self({.k = k, .exclude_self = exclude_self, .order = order}, {});
    }

    /// Calls f(row, neighbours) once for every query, with its k nearest sources; equal to
    /// knn_visit(sources, queries, f), which says what f is. Nothing is kept: O(n) memory for any k.
    template <class F>
    Stats visit(Points<T> queries, index_t k, F const& f, Order order = Order::input) const {
        return query(queries, {.k = k, .order = order}, make_visitor<T>(f)).stats;
    }
    /// The same for every source; equal to knn_visit(sources, f).
    template <class F>
    Stats visit_self(index_t k, F const& f, bool exclude_self = false,
                     Order order = Order::input) const {
        return self({.k = k, .exclude_self = exclude_self, .order = order}, make_visitor<T>(f)).stats;
    }

    static KnnIndex load(std::filesystem::path const& path, Cpu const& cpu = Cpu()) {
        return KnnIndex(Index<T>::load(path, cpu));
    }
    static KnnIndex read(std::istream& in, Cpu const& cpu = Cpu()) {
        return KnnIndex(Index<T>::read(in, cpu));
    }

  private:
    /// With a visitor the result has no rows.
    KnnResult<T> query(Points<T> queries, KnnOptions const& options, KnnVisitor<T> const& visitor) const;
    KnnResult<T> self(KnnOptions const& options, KnnVisitor<T> const& visitor) const;
};
template <class Rows>
KnnIndex(Rows const&, IndexOptions const& = {}, Cpu const& = Cpu())
    -> KnnIndex<std::remove_cvref_t<decltype(*std::declval<Rows>().data()->data())>>;

extern template KnnResult<float> knn(Index<float> const&, KnnOptions const&);
extern template KnnResult<double> knn(Index<double> const&, KnnOptions const&);
extern template KnnResult<float> knn(Index<float> const&, Points<float>, KnnOptions const&);
extern template KnnResult<double> knn(Index<double> const&, Points<double>, KnnOptions const&);
extern template class KnnIndex<float>;
extern template class KnnIndex<double>;

}  // namespace zwalk::inline v0
