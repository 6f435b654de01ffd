// Trees from the memory of one place to that of another.
#pragma once
#include <algorithm>
#include <concepts>
#include <type_traits>

#include "zwalk/core/length_unit.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk { inline namespace v0 {

namespace detail {

/// A copy of a tree's columns, of `stride` elements each, in the memory of `to`: of the first `columns` ones, those behind them
/// 0.
template <class To, class From, class Array>
auto copy_columns(To& to, From& from, Array const& array, std::size_t stride, int columns) {
    using V = std::remove_cvref_t<decltype(*array.data())>;
    std::size_t const all = stride * std::size_t(columns), there = std::min(array.size(), all);
    auto copy = to.template buffer<V>(all);
    if constexpr (is_device<From>) from.download(copy.data(), array.data(), there);
    else to.upload(copy.data(), array.data(), there);
    if (there < all) to.zero(copy.data() + there, all - there);
    return copy;
}

}  // namespace detail

/// A copy of a tree in the memory of `to`; `from` is where it is, and one of them is a Cpu. O(N), waits.
/// @param columns  of the copy: at least as many as the data has, as those behind them are 0
template <class T, class P, class To, class From>
requires std::same_as<P, PlaceOf<From>> Tree<T, PlaceOf<To>> copy_tree(To& to, From& from,
                                                                       Tree<T, P> const& tree,
                                                                       int columns) {
    auto const copied = [&](auto const& array) {
        return detail::copy_columns(to, from, array, array.size(), 1);
    };
    Tree<T, PlaceOf<To>> copy;
    copy.columns = columns;
    copy.x = detail::copy_columns(to, from, tree.x, tree.stride, columns);
    copy.stride = tree.stride;
    copy.input = copied(tree.input);
    for (auto const& plane : tree.planes) {
        auto& p = copy.planes.emplace_back();
        p.first = copied(plane.first);
        p.child = copied(plane.child);
        p.lo = detail::copy_columns(to, from, plane.lo, plane.stride, columns);
        p.hi = detail::copy_columns(to, from, plane.hi, plane.stride, columns);
        p.stride = plane.stride;
    }
    return copy;
}
/// A copy of a tree in the memory of `to`, with the columns that the tree has.
template <class T, class P, class To, class From>
requires std::same_as<P, PlaceOf<From>> Tree<T, PlaceOf<To>> copy_tree(To& to, From& from,
                                                                       Tree<T, P> const& tree) {
    return copy_tree(to, from, tree, tree.columns);
}

/// Multiplies the coordinates of a tree by a power of two. O(N).
template <class T, class P, class Place>
requires std::same_as<P, PlaceOf<Place>>
void multiply(Place& place, Tree<T, P>& tree, T factor) {
    auto const all = [&](auto& x) { place.for_each(x.size(), MultiplyAll<T>{x.data(), factor}); };
    all(tree.x);
    for (auto& plane : tree.planes) {
        all(plane.lo);
        all(plane.hi);
    }
}

}}  // namespace zwalk::v0
