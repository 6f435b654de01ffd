// Trees from the memory of one place to that of another.
#pragma once
#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk::inline v0 {

/// A copy of a tree in the memory of `to`; `from` is where it is, and one of them is a Cpu. O(N), waits.
template <class T, class P, class To, class From>
requires std::same_as<P, PlaceOf<From>> Tree<T, PlaceOf<To>> copy_tree(To& to, From& from,
                                                                       Tree<T, P> const& tree) {
    auto const copied = [&](auto const& array) {
        using V = std::remove_cvref_t<decltype(*array.data())>;
        auto copy = to.template buffer<V>(array.size());
        if constexpr (is_device<From>) from.download(copy.data(), array.data(), array.size());
        else to.upload(copy.data(), array.data(), array.size());
        return copy;
    };
    Tree<T, PlaceOf<To>> copy;
    copy.columns = tree.columns;
    copy.x = copied(tree.x);
    copy.stride = tree.stride;
    copy.input = copied(tree.input);
    for (auto const& plane : tree.planes) {
        auto& p = copy.planes.emplace_back();
        p.first = copied(plane.first);
        p.child = copied(plane.child);
        p.lo = copied(plane.lo);
        p.hi = copied(plane.hi);
        p.stride = plane.stride;
    }
    return copy;
}

}  // namespace zwalk::inline v0
