// The walk of gravity that zwalk_add_walk() compiles, for each order of expansions.
#pragma once
#include "zwalk/gravity/trait.hpp"
#include "zwalk/run/instance.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// In open space: in a box its images are among the sources.
template <int order, class T, class P>
struct WalkOf<Gravity<order, T>, P> {
    static constexpr bool is_asked = true;
    template <class Space>
    static WalkCounts run(P& place, Gravity<order, T> const& trait, Space const& space,
                          Tree<T, P> const& targets, Tree<T, P> const& sources,
                          WalkInputs<Gravity<order, T>> const& inputs) {
        if constexpr (std::is_same_v<Space, Open<3, T>>)
            return walk(place, trait, space, targets, sources, inputs);
        else std::abort();
    }
};

}}}  // namespace zwalk::v0::detail
