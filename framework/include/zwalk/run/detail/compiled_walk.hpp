// Walks of shipped traits: each is compiled once for its dimension, type and place. Drivers, which only name them, cost little
// to compile, so there can be one for ranks beside one for a single process over the same walk.
#pragma once
#include <vector>

#include "zwalk/exec/place.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/tree.hpp"
#include "zwalk/walk/counts.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk::inline v0::detail {

/// walk() of the trait I on a place P, in the space that has these periods (none: open). Defined by ZWALK_WALK in files that
/// zwalk_add_walk() generates; tests define those on their own devices.
template <class I, class P>
struct CompiledWalk {
    using T = typename I::real;
    static WalkCounts run(P& place, I const& trait, std::vector<T> const& period,
                          Tree<T, P> const& targets, Tree<T, P> const& sources,
                          WalkInputs<I> const& inputs);
};

/// Compiles the walk of Trait<D, T>. Include the place first, as for ZWALK_INSTANCE.
#define ZWALK_WALK(Trait, D, T, P)                                                                   \
    template <>                                                                                      \
    WalkCounts CompiledWalk<Trait<D, T>, P>::run(                                                    \
        P& place, Trait<D, T> const& trait, std::vector<T> const& period, Tree<T, P> const& targets, \
        Tree<T, P> const& sources, WalkInputs<Trait<D, T>> const& inputs) {                          \
        return with_space<D>(period, [&](auto const& space) {                                        \
            return walk(place, trait, space, targets, sources, inputs);                              \
        });                                                                                          \
    }

}  // namespace zwalk::inline v0::detail
