// Neighbours again and again: sort and group the sources once, query them as often as you like.
#pragma once
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <span>

#include "zwalk/knn/knn.hpp"

namespace zwalk::inline v0 {

struct IndexOptions {
    std::vector<double> box{};  ///< as in KnnOptions
    int threads = 0;            ///< of the build and of each query; 0: as many as the machine has
    /// As in KnnOptions, for each query by itself: many are walked in batches.
    std::uint64_t memory_budget = 0;
    TreeOptions tree{};
};

namespace detail {
template <class T>
struct Index;  // the index of one compiled dimension
}

/// Points that are ready to be searched: a hierarchy, kept. It holds copies of the coordinates, so
/// the input may go.
///
/// Results are those of knn(), bit for bit. The cost of a query follows the batch, not the number N
/// of sources: a single query takes some microseconds and needs no threads, large batches run on
/// all of them. All members are const but construction and assignment: any number of threads may
/// query one index at once.
template <class T>
class KnnIndex {
  public:
    /// O(N log N). Memory: N (D sizeof(T) + 4) bytes and a tenth for the nodes, where D is the
    /// compiled dimension.
    /// @throws InputError  as knn()
    explicit KnnIndex(Points<T> points, IndexOptions const& options = {});
    KnnIndex(KnnIndex&&) noexcept;
    KnnIndex& operator=(KnnIndex&&) noexcept;
    ~KnnIndex();

    [[nodiscard]] std::size_t size() const;  ///< N
    [[nodiscard]] int dim() const;           ///< columns of the points
    /// One period per axis, 0 on open ones; empty in open space.
    [[nodiscard]] std::vector<double> box() const;
    /// Input index of each point in z-order: what KnnResult::source_order would hold.
    [[nodiscard]] std::span<pos_t const> z_order() const;

    /// The k nearest sources of every query, shape (n, dim()); equal to knn(sources, queries).
    ///
    /// O(n (log N + k)) for few queries, O(n log n + n k) for many. With Order::z the result's
    /// `source_order` stays empty: it is z_order(), and copying it would take O(N).
    /// @throws InputError  k < 1, another number of columns, coordinates that are not finite, or
    ///                     queries that don't fit into the box together with the sources
    [[nodiscard]] KnnResult<T> query(Points<T> queries, index_t k, Order order = Order::input) const;

    /// The k nearest sources of every source; equal to knn(sources).
    [[nodiscard]] KnnResult<T> self(index_t k, bool exclude_self = false,
                                    Order order = Order::input) const;

    /// Calls f(row, neighbours) once for every query, with its k nearest sources; equal to
    /// knn_visit(sources, queries, f), which says what f is. Nothing is kept: O(n) memory for any k.
    template <class F>
    Stats visit(Points<T> queries, index_t k, F const& f, Order order = Order::input) const {
        return query(queries, k, order, make_visitor<T>(f)).stats;
    }
    /// The same for every source; equal to knn_visit(sources, f).
    template <class F>
    Stats visit_self(index_t k, F const& f, bool exclude_self = false,
                     Order order = Order::input) const {
        return self(k, exclude_self, order, make_visitor<T>(f)).stats;
    }

    /// From now on queries have this budget (IndexOptions::memory_budget). An index in a file has none.
    void set_memory_budget(std::uint64_t bytes) { memory_budget_ = bytes; }

    /// Writes the index into a file that load() reads without sorting; it appears whole or not at
    /// all, and replaces one that exists. Format: tree/tree_file.hpp.
    /// @throws Error  it can't be written
    void save(std::filesystem::path const& path) const;
    void write(std::ostream& out) const;

    /// The index in a file. O(N).
    /// @throws InputError  no such file; not written by save() for this T, truncated or corrupted
    static KnnIndex load(std::filesystem::path const& path, int threads = 0);
    static KnnIndex read(std::istream& in, int threads = 0);

  private:
    explicit KnnIndex(std::unique_ptr<detail::Index<T> const> index);
    /// With a visitor the result has no rows.
    KnnResult<T> query(Points<T> queries, index_t k, Order order, KnnVisitor<T> const& visitor) const;
    KnnResult<T> self(index_t k, bool exclude_self, Order order, KnnVisitor<T> const& visitor) const;

    std::unique_ptr<detail::Index<T> const> index_;
    std::uint64_t memory_budget_ = 0;
};
template <class Rows>
KnnIndex(Rows const&, IndexOptions const& = {})
    -> KnnIndex<std::remove_cvref_t<decltype(*std::declval<Rows>().data()->data())>>;

/// Bytes of a coordinate in an index file: 4 if KnnIndex<float> can load it, 8 if KnnIndex<double>.
/// @throws InputError  no such file; not written by KnnIndex::save, or corrupted
std::size_t index_item_bytes(std::filesystem::path const& path);
/// Columns of the points in it. @throws as index_item_bytes
int index_dim(std::filesystem::path const& path);

extern template class KnnIndex<float>;
extern template class KnnIndex<double>;

}  // namespace zwalk::inline v0
