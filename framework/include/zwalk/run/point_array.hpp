// Outputs of a walk, one for each point, on any place.
#pragma once
#include <atomic>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/exec/columns_on.hpp"
#include "zwalk/exec/place.hpp"
#include "zwalk/nearest/search.hpp"
#include "zwalk/run/prepared_points.hpp"

namespace zwalk { inline namespace v0 {

namespace detail {

/// Says for as long as it lives that at `begin` there are so many elements for the points of a tree. To be moved, not copied.
class ArrayNote {
  public:
    ArrayNote(void const* begin, std::size_t elements, void const* tree);
    ArrayNote(ArrayNote&& other) noexcept : begin_(std::exchange(other.begin_, nullptr)) {}
    ArrayNote& operator=(ArrayNote&& other) noexcept {
        forget();
        begin_ = std::exchange(other.begin_, nullptr);
        return *this;
    }
    ~ArrayNote() { forget(); }

  private:
    void forget() noexcept;

    void const* begin_;
};

}  // namespace detail

/// One V for each point of a tree, by z-order position, in the memory of the tree's place. Made by PointTree::array().
template <class V, class T, class P>
class PointArray {
    static_assert(std::is_trivially_copyable_v<V> && !std::is_same_v<V, bool>,
                  "zwalk: outputs are plain values, and unsigned char instead of bool");
    using Home = PlaceOf<P>;

  public:
    PointArray(P& place, std::shared_ptr<PreparedPoints<T, Home> const> points)
        : place_(&place),
          points_(std::move(points)),
          values_(place.template buffer<V>(points_->tree.size())),
          note_(values_.data(), values_.size(), points_.get()) {}

    [[nodiscard]] std::size_t size() const { return values_.size(); }
    /// It has an element for each point of this tree.
    [[nodiscard]] bool is_of(void const* tree) const { return points_.get() == tree; }
    /// For traits: memory of the place, element i for the point at z-order position i.
    [[nodiscard]] V* data() { return values_.data(); }
    [[nodiscard]] V const* data() const { return values_.data(); }

    /// A copy on the host: element i belongs to row i of the input. Waits.
    [[nodiscard]] std::vector<V> in_input_order() const {
        auto sorted = place_->template buffer<V>(size());
        place_->for_each(size(), Scatter<V>{values_.data(), points_->tree.input.data(), sorted.data()});
        return on_host(sorted);
    }
    /// A copy on the host: element i belongs to the point at z-order position i. Waits.
    [[nodiscard]] std::vector<V> in_z_order() const { return on_host(values_); }

  private:
    std::vector<V> on_host(ArrayOn<Home, V> const& from) const {
        std::vector<V> to(from.size());
        place_->download(to.data(), from.data(), from.size());
        return to;
    }

    P* place_;
    std::shared_ptr<PreparedPoints<T, Home> const> points_;
    ArrayOn<Home, V> values_;
    detail::ArrayNote note_;
};

namespace detail {

/// What trees on all places have for the outputs of traits.
template <class Tree>
class Binds {
  public:
    /// array() for what a trait writes through `pointer`, a member of it, which is set: `auto out = tree.bind(trait.out)`.
    template <class V>
    [[nodiscard]] auto bind(V*& pointer) const {
        auto all = own().template array<V>();
        pointer = all.data();
        return all;
    }
    template <class V>
    [[nodiscard]] auto bind(V*& pointer, std::type_identity_t<V> const& value) const {
        auto all = own().template array<V>(value);
        pointer = all.data();
        return all;
    }

  private:
    [[nodiscard]] Tree const& own() const { return static_cast<Tree const&>(*this); }
};

}  // namespace detail

/// The payload of a tree's points, in the memory of the tree's place. Made by PointTree::payload().
template <class A, class P>
class PointPayload {
    using Home = PlaceOf<P>;

  public:
    /// @param tree  the tree whose points carry it
    PointPayload(P& place, std::span<A const> rows, std::shared_ptr<void const> tree,
                 ArrayOn<Home, pos_t> const& order)
        : tree_(std::move(tree)), columns_(place, rows, order) {}

    [[nodiscard]] ColumnsView<A> view() const { return columns_.view(); }
    [[nodiscard]] bool is_of(void const* tree) const { return tree_.get() == tree; }

  private:
    std::shared_ptr<void const> tree_;
    ColumnsOn<A, Home> columns_;
};

namespace detail {

/// Throws InputError unless a payload is that of the tree it is walked with.
void check_owner(bool is_of_this, char const* whose);
/// Which trees a tree has been walked over.
struct MetTrees {
    std::atomic<bool> itself = false, others = false;
    /// Throws InputError where positions that an output of this tree holds can't be its own points.
    void check_own_positions() const;
};
/// Throws InputError unless position `at` is one of `size` points.
void check_position(pos_t at, pos_t size);
/// Throws InputError unless there are `rows` rows of something for `points` points.
void check_rows(std::size_t rows, std::size_t points, char const* name);
/// Throws InputError if the place that a tree was made on is gone.
void check_life(bool is_gone);
/// Throws InputError unless a further set of points has as many columns as the first one.
void check_columns_of_set(std::size_t set, int columns, int first);
/// Throws InputError unless targets have as many columns as the sources.
void check_columns_of_targets(int columns, int dim);
/// Throws InputError for two trees that can't meet: of a trait that meets one tree alone, or of different periods.
template <class T>
void check_two_trees(bool meets_one_alone, std::vector<T> const& a, std::vector<T> const& b);
/// Throws InputError for a number of neighbours below 1, a negative distance, and where points of one tree shall not be their
/// own neighbours in another one.
void check_nearest(NearestSearch const& search, bool other_tree);
/// Throws InputError unless a tree for `most` columns holds so many.
void check_most_columns(int columns, int most);
/// Throws InputError unless a tree of `columns` columns with points of `dim` can be walked over by traits for `asked` ones.
void check_columns_of_index(int dim, int columns, int asked);
/// Throws InputError unless the place that an index is to be walked on is that where it is.
void check_place_of_index(bool is_its_own);

}  // namespace detail
}}  // namespace zwalk::v0
