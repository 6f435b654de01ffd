// The part of a trait that nodes meet with.
#pragma once

namespace zwalk { inline namespace v0 {

/// A trait's own type, unless that holds more than how nodes meet: how points are folded, or where results go. Then a
/// specialisation may name another trait that decides alike, with the same Node, Reach and Summary; so a device's kernels of
/// nodes are compiled once for all traits that differ in what nodes don't see. Not for traits that derive from such a one: what
/// they change counts.
template <class I>
struct NodePart {
    using type = I;
    static I const& of(I const& trait) { return trait; }
};

}}  // namespace zwalk::v0
