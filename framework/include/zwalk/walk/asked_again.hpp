// Finds what a decision must not depend on, by deciding again: for walks that look for mistakes.
#pragma once
#include "zwalk/core/key.hpp"
#include "zwalk/walk/interaction.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// What is wrong with a decision that is right where all sources are at hand, and not on MPI ranks; null: nothing was found.
///
/// Ranks import sources from each other. The rank that sends them numbers the points of others apart from its own, so positions
/// of targets and sources don't compare. And a target that has a near source there already doesn't matter to it, if its reach
/// shows so: what the other rank makes of it is made without that source.
template <class I>
char const* depends_on(I const& trait, typename I::Node const& t, typename I::Node const& s,
                       Range<typename I::real> d, Decision decision) {
    if constexpr (!I::uses.symmetric &&
                  !I::uses.links) {  // these meet one tree, in the order of positions
        auto numbered_apart = t;
        numbered_apart.first += 1 << 20;
        if (trait.decide(numbered_apart, s, d) != decision)
            return "compares the position of a target with that of a source, which MPI ranks number "
                   "apart: visit() may do so, decide() must not";
    }
    if constexpr (I::uses.reach) {
        bool const is_behind = t.reach < Key<typename I::real>{d.lo2, s.first};
        if (decision != Decision::discard || is_behind) return nullptr;
        auto unbound = t;
        unbound.reach = {};
        if (trait.decide(unbound, s, d) != decision)
            return "discards what is within reach because of the reach: ask it only for Key{d.lo2, "
                   "s.first} <= t.reach; that enough is found is a state";
    }
    return nullptr;
}

}}}  // namespace zwalk::v0::detail
