// Concurrent union-find over z-order positions: the `links` service of the walk.
#pragma once
#include <atomic>

#include "zwalk/core/config.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/core/relaxed.hpp"

namespace zwalk { inline namespace v0 {

/// View of a parent array in which every element points to itself (a root) or to a smaller
/// position of its group; the root of a group is its smallest position, so the final partition and
/// its roots don't depend on the order of the links (paper section IV-A). Any number of threads
/// may link and search at once: a link is a compare-and-swap on a root, repeated if that root was
/// taken meanwhile. Near-constant amortised cost by path halving.
struct Links {
    pos_t* parent = nullptr;

    [[nodiscard]] ZWALK_HD pos_t root(pos_t i) const {
        // i is no root, so no thread links it; whatever another thread stores here meanwhile is an ancestor of
        // i too.
        return climb(i, [this](pos_t at, pos_t, pos_t up) { store(at, up); });
    }

    ZWALK_HD void link(pos_t a, pos_t b) const {
        for (;;) {
            a = root(a);
            b = root(b);
            if (a == b) return;
            if (a < b) {
                pos_t const t = a;
                a = b;
                b = t;
            }
            if (store_if(a, a, b)) return;  // the larger root now points to the smaller one
        }
    }

    /// Some member of i's group; often its root, for one read.
    [[nodiscard]] ZWALK_HD pos_t relative(pos_t i) const { return load(i); }
    /// Makes i a member of the group of `first` <= i; before any thread links or searches.
    ZWALK_HD void start(pos_t i, pos_t first) const { store(i, first); }

    /// Points i straight to its root; when no thread links any more, but others may settle.
    ZWALK_HD void settle(pos_t i) const {
        // A shortcut that comes late must not replace the root that another thread has stored meanwhile.
        store(i, climb(i, [this](pos_t at, pos_t p, pos_t up) { (void)store_if(at, p, up); }));
    }

  private:
    /// The root of i by path halving: shorten(at, p, up) may make `up` the parent of `at` in place of p.
    template <class Shorten>
    [[nodiscard]] ZWALK_HD pos_t climb(pos_t i, Shorten const& shorten) const {
        pos_t p = load(i);
        while (p != i) {
            pos_t const up = load(p);
            if (up != p) shorten(i, p, up);
            i = p;
            p = up;
        }
        return i;
    }
    [[nodiscard]] ZWALK_HD pos_t load(pos_t i) const { return detail::load_relaxed(parent + i); }
    ZWALK_HD void store(pos_t i, pos_t value) const { detail::store_relaxed(parent + i, value); }
    ZWALK_HD bool store_if(pos_t i, pos_t expected, pos_t value) const {
#if defined(__CUDA_ARCH__)
        return atomicCAS(parent + i, expected, value) == expected;
#else
        return std::atomic_ref<pos_t>(parent[i]).compare_exchange_strong(expected, value,
                                                                         std::memory_order_relaxed);
#endif
    }
};

}}  // namespace zwalk::v0
