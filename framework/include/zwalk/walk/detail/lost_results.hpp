// Hooks that add to something that is gone when they return: they take by value, or by const&, what they should change. These compile,
// and answer nothing. What can take a temporary isn't a reference that keeps. (Pointers may be copied: what they point to stays.)
#pragma once
#include <type_traits>
#include <utility>

#include "zwalk/walk/hooks.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class I>
concept LosesFold =
    !std::is_pointer_v<FoldOf<I>> &&
    (
        requires(I const i, FoldOf<I> f, typename I::Target p, typename I::Point q, typename I::real d2,
                 Vec<I::dim, typename I::real> dx) { i.visit(std::move(f), p, q, d2); } ||
        requires(I const i, FoldOf<I> f, typename I::Target p, typename I::Point q, typename I::real d2,
                 Vec<I::dim, typename I::real> dx) { i.visit(std::move(f), p, q, d2, dx); });
template <class I>
concept LosesFar = !std::is_pointer_v<FoldOf<I>> &&
                   requires(I const i, FoldOf<I> f, typename I::Target p, typename I::Summary s,
                            Open<I::dim, typename I::real> space) {
    i.far(std::move(f), p, s, space);
};
template <class I>
concept LosesState = !std::is_pointer_v<typename I::State> &&
                     requires(I const i, typename I::State s, typename I::Node n, RangeOf<I> d) {
    i.absorb(std::move(s), n, n, d);
};
template <class I>
concept LosesReach = !std::is_pointer_v<typename I::Reach> &&
                     requires(I const i, typename I::Reach r, typename I::Node n, RangeOf<I> d) {
    i.reach_add(std::move(r), n, n, d);
};
template <class I>
concept LosesTotal = requires(I const i, typename I::Total t) {
    i.combine(std::move(t), t);
};

}}}  // namespace zwalk::v0::detail
