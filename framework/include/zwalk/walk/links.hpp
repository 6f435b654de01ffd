// Before and after a walk with uses.links, on any place.
#pragma once
#include "zwalk/exec/place.hpp"
#include "zwalk/walk/union_find.hpp"

namespace zwalk { inline namespace v0 {

namespace detail {

struct SettleLinks {
    Links links;
    ZWALK_HD void operator()(std::size_t i) const { links.settle(pos_t(i)); }
};

}  // namespace detail

/// Start of the union-find of a walk on any place: each of n points is its own group.
template <Place P>
ArrayOn<P, pos_t> links_init(P& place, pos_t n) {
    auto parent = place.template buffer<pos_t>(n);
    place.for_each(n, Iota{parent.data()});
    return parent;
}
/// End of it: every element becomes the smallest z-order position of its group.
template <Place P>
void links_settle(P& place, ArrayOn<P, pos_t>& parent) {
    place.for_each(parent.size(), detail::SettleLinks{{parent.data()}});
}

}}  // namespace zwalk::v0
