// make_tree(): the way to a PointTree, and a sentence for what leads to none.
#pragma once
#include <array>
#include <type_traits>

#include "zwalk/core/points.hpp"
#include "zwalk/exec/place.hpp"
#include "zwalk/run/point_tree.hpp"

namespace zwalk { inline namespace v0 {

/// Points of at most D columns, ready to be walked over on `place`. They are copied: the input may go.
///
/// O(N log N). Memory there: N (D sizeof(T) + 4) bytes and a tenth for the nodes; more while it is built.
/// @param points  what Points can be made from: a vector of std::array<T, D> or Vec<D, T>, or
///                Points(pointer, n, columns); T is float or double
/// @throws InputError  coordinates that are not finite (row and column are named), more than D columns, a box with
///                     another number of lengths or smaller than the data's extent, too many points for one place
template <int D, Place P, class T>
requires(!std::is_const_v<P>) PointTree<D, T, P> make_tree(P& place, Points<T> const& points,
                                                           PointTreeOptions const& options = {}) {
    return detail::PointSet<D, T, P>(place, points, options.box, options.tree);
}
namespace detail {
template <class P, class Kept>
inline constexpr bool walks_index = std::is_same_v<Kept, Cpu> || std::is_same_v<Kept, PlaceOf<P>>;
template <class X>
inline constexpr bool is_index = false;
template <class T, class P>
inline constexpr bool is_index<Index<T, P>> = true;
}  // namespace detail

/// The points of an index (run/index.hpp), which lends its tree: nothing is sorted or copied, O(1). The index must stay as long as
/// this tree and what it has made. A device gets a copy of an index of threads, O(N), which may go then.
/// @param place  for an index of threads any; one on a device is walked where it is: index.place()
/// @throws InputError  D is less than the columns of the points, or more than those of the index's tree; another device
template <int D, Place P, class T, class Kept>
requires(!std::is_const_v<P> &&
         detail::walks_index<P, Kept>) PointTree<D, T, P> make_tree(P& place,
                                                                    Index<T, Kept> const& index) {
    return detail::PointSet<D, T, P>(place, index);
}
template <int D, class P, class T, class Kept>
void make_tree(P&, Index<T, Kept> const&&) {
    static_assert(sizeof(P) == 0, "zwalk: the index must live as long as the tree: give it a name");
}
/// For arguments that fit nowhere else: compilation stops with a reason.
template <int D, class P, class Rows>
void make_tree(P&, Rows const&, PointTreeOptions const& = {}) {
    constexpr bool is_index = detail::is_index<Rows>;
    static_assert(!std::is_const_v<P>, "zwalk: the place of a tree can't be const");
    static_assert(
        std::is_const_v<P> || !is_index,
        "zwalk: an index keeps its own box and options, and is one for this place: an Index, or "
        "for MpiRanks a RankIndex");
    static_assert(
        std::is_const_v<P> || is_index,
        "zwalk: points are a vector or span of std::array<T, D> or Vec<D, T>, T being float or "
        "double, or Points(numbers.data(), rows, columns)");
}
template <int D, Place P, class Rows>
requires(!std::is_const_v<P> && requires(Rows const& r) {
    Points(r);
}) auto make_tree(P& place, Rows const& rows, PointTreeOptions const& options = {}) {
    return make_tree<D>(place, Points(rows), options);
}

namespace detail {
/// Options with a name that is looked for. {.period = ...} makes them, but neither {} nor values without names.
struct PeriodOptions {
    struct Nothing {
        Nothing(PeriodOptions const&) {}
    } nothing{*this};
    struct Lengths {
        template <class First, class... More>
        Lengths(First const&, More const&...) {}
    } period;
    TreeOptions tree{};
};
}  // namespace detail
template <int D, class P, class Rows>
void make_tree(P&, Rows const&, detail::PeriodOptions const&) {
    static_assert(sizeof(P) == 0, "zwalk: the option for periods is .box: {.box = {1, 0, 1}}");
}

/// A temporary place can't hold a tree.
template <int D, class P, class Rows>
requires(!std::is_reference_v<P>) void make_tree(P&&, Rows const&, PointTreeOptions const& = {}) {
    static_assert(sizeof(P) == 0, "zwalk: the place must live as long as the tree: give it a name");
}

}}  // namespace zwalk::v0
