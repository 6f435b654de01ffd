// Arguments of a trait's leaf action with uses.lanes: sources, one or a pack of them, and folds of either. And those of
// absorb with tuning.lane_absorb.
#pragma once
#include <type_traits>

#include "zwalk/core/columns.hpp"
#include "zwalk/core/vec.hpp"
#include "zwalk/exec/pack.hpp"

namespace zwalk { inline namespace v0 {

/// What a trait with uses.lanes sees of a source, where V is a number, or of several at once, where it is a Pack.
template <int D, class V, class Payload>
struct SourceView {
    Vec<D, V> x;
    Payload payload;
};

/// Accepted sources, as absorb sees them with tuning.lane_absorb; A is an Accepted<V> of the trait.
template <class A>
struct AcceptedView {
    A const* first;
    pos_t count;  ///< number of numbers, or of packs

    [[nodiscard]] ZWALK_INLINE A const* begin() const { return first; }
    [[nodiscard]] ZWALK_INLINE A const* end() const { return first + count; }
};

namespace detail {

/// A payload of V's for one of T's: P<V> for P<T>. Numbers of other types can't be in it.
template <class Payload, class T, class V>
struct OfLanes;
template <class T, class V>
struct OfLanes<Empty, T, V> {
    using type = Empty;
};
template <template <class> class P, class T, class V>
struct OfLanes<P<T>, T, V> {
    using type = P<V>;
};
template <class I, class V>
using SourceOf = SourceView<I::dim, V, typename OfLanes<typename I::Payload, typename I::real, V>::type>;
/// The lanes that signatures are checked with.
template <class I>
using SomePack = Pack<typename I::real, Isa::baseline>;

template <class I>
concept HasLaneFold = requires {
    typename I::template Fold<typename I::real>;
};
/// The fold of a target.
template <class I>
struct FoldFor {};
template <class I>
requires requires { typename I::Fold; }
struct FoldFor<I> {
    using type = typename I::Fold;
};
template <HasLaneFold I>
struct FoldFor<I> {
    using type = typename I::template Fold<typename I::real>;
};
template <class I>
using FoldOf = typename FoldFor<I>::type;

template <class I>
concept HasLanePayload = std::is_same_v<typename I::Payload, Empty> ||(
    requires { typename SourceOf<I, SomePack<I>>; } && !requires { I::Payload::required_columns; } &&
    sizeof(SourceOf<I, SomePack<I>>) ==
        sizeof(SomePack<I>) / sizeof(typename I::real) * sizeof(SourceOf<I, typename I::real>));

/// The lanes that signatures of absorb are checked with.
using SomeDoubles = Pack<double, Isa::baseline>;
/// Accepted is a template, and has no numbers but V's.
template <class I>
concept HasLaneAccepted = requires {
    typename I::template Accepted<SomeDoubles>;
}
&&std::is_trivially_copyable_v<typename I::template Accepted<double>> &&
    sizeof(typename I::template Accepted<SomeDoubles>) ==
        simd_width<double> * sizeof(typename I::template Accepted<double>);

}  // namespace detail
}}  // namespace zwalk::v0
