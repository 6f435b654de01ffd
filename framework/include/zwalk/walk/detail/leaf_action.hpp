// Two points meet: the leaf action of a trait, in whichever form it has.
#pragma once
#include "zwalk/walk/hooks.hpp"
#include "zwalk/walk/interaction.hpp"

namespace zwalk { inline namespace v0 {

/// The source as a trait with uses.lanes sees it.
template <class I>
ZWALK_INLINE auto source_of(typename I::Point const& q) {
    return detail::SourceOf<I, typename I::real>{q.x, q.payload};
}

/// Target p meets source q, whose squared distance is d2.
template <class I, class Space, class Fold>
ZWALK_INLINE void meet_source(I const& trait, Space const& space, Fold& fold,
                              typename I::Target const& p, typename I::Point const& q,
                              typename I::real d2) {
    using T = typename I::real;
    if constexpr (I::uses.lanes && I::uses.displacement)
        trait.template visit<T>(fold, p, source_of<I>(q), d2, displacement(space, p.x, q.x));
    else if constexpr (I::uses.lanes) trait.template visit<T>(fold, p, source_of<I>(q), d2);
    else if constexpr (I::uses.displacement) trait.visit(fold, p, q, d2, displacement(space, p.x, q.x));
    else trait.visit(fold, p, q, d2);
}

/// Target p has met all sources: end(), in whichever form the trait has it.
template <class I, class Space, class Fold, class Sink>
ZWALK_INLINE void end_fold(I const& trait, [[maybe_unused]] Space const& space, Fold& fold,
                           typename I::Target const& p, [[maybe_unused]] Sink& sink) {
    if constexpr (detail::EndsWithSinkAndSpace<I>) trait.end(fold, p, sink, space);
    else if constexpr (detail::EndsWithSink<I>) trait.end(fold, p, sink);
    else if constexpr (detail::EndsWithSpace<I>) trait.end(fold, p, space);
    else trait.end(fold, p);
}

/// Points p and q, in order, meet: once.
template <class I, class Space, class Sink>
ZWALK_INLINE void meet_pair(I const& trait, Space const& space, typename I::Point const& p,
                            typename I::Point const& q, typename I::real d2, Sink& sink) {
    using T = typename I::real;
    if constexpr (I::uses.lanes && I::uses.displacement)
        trait.template pair<T>(p, source_of<I>(q), d2, displacement(space, p.x, q.x), sink);
    else if constexpr (I::uses.lanes) trait.template pair<T>(p, source_of<I>(q), d2, sink);
    else if constexpr (I::uses.displacement) trait.pair(p, q, d2, displacement(space, p.x, q.x), sink);
    else trait.pair(p, q, d2, sink);
}

}}  // namespace zwalk::v0
