// Walks of shipped traits: each is compiled once for its dimension, type and place. Drivers, which only name them, cost little
// to compile, so there can be one for ranks beside one for a single process over the same walk.
#pragma once
#include <cstdlib>
#include <span>
#include <type_traits>
#include <vector>

#include "zwalk/exec/columns_on.hpp"
#include "zwalk/exec/place.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/tree.hpp"
#include "zwalk/walk/counts.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// walk() of the trait I on a place P, in the space that has these periods (none: open). Defined by ZWALK_WALK in files that
/// zwalk_add_walk() generates; tests define those on their own devices.
template <class I, class P>
struct CompiledWalk {
    using T = typename I::real;
    /// @param carried  on the host, by position: what all points carry, where inputs doesn't have that on the place
    static WalkCounts run(P& place, I const& trait, std::vector<T> const& period,
                          Tree<T, P> const& targets, Tree<T, P> const& sources,
                          WalkInputs<I> const& inputs,
                          std::span<typename I::Payload const> carried = {});
};

/// What is compiled as the walk of I on a place P: walk() itself, unless this is specialised.
template <class I, class P>
struct WalkOf {
    static constexpr bool is_asked = true;  ///< false: no driver asks for it, so it isn't compiled
    template <class Space, class T>
    static WalkCounts run(P& place, I const& trait, Space const& space, Tree<T, P> const& targets,
                          Tree<T, P> const& sources, WalkInputs<I> const& inputs) {
        return walk(place, trait, space, targets, sources, inputs);
    }
};
/// For traits that some dimensions or places do without.
struct NotAsked {
    static constexpr bool is_asked = false;
};

/// The body of CompiledWalk::run().
template <class I, class P, class T>
WalkCounts walk_carrying(P& place, I const& trait, std::vector<T> const& period,
                         Tree<T, P> const& targets, Tree<T, P> const& sources, WalkInputs<I> inputs,
                         [[maybe_unused]] std::span<typename I::Payload const> carried) {
    if constexpr (WalkOf<I, P>::is_asked) {
        ColumnsOn<typename I::Payload, P> columns;
        if constexpr (!std::is_empty_v<typename I::Payload>)
            if (!carried.empty()) {
                columns = {place, carried};
                inputs.target_payload = inputs.source_payload = columns.view();
            }
        return with_space<I::dim>(period, [&](auto const& space) {
            return WalkOf<I, P>::run(place, trait, space, targets, sources, inputs);
        });
    } else {
        std::abort();
    }
}

/// Compiles the walk of Trait<D, T>. Include the place first, as for ZWALK_INSTANCE.
#define ZWALK_WALK(Trait, D, T, P)                                                                   \
    template <>                                                                                      \
    WalkCounts CompiledWalk<Trait<D, T>, P>::run(                                                    \
        P& place, Trait<D, T> const& trait, std::vector<T> const& period, Tree<T, P> const& targets, \
        Tree<T, P> const& sources, WalkInputs<Trait<D, T>> const& inputs,                            \
        std::span<Trait<D, T>::Payload const> carried) {                                             \
        return walk_carrying(place, trait, period, targets, sources, inputs, carried);               \
    }

}}}  // namespace zwalk::v0::detail
