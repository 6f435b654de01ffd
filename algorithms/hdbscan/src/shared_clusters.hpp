// Which cluster each point is in, for any number of threads at once: the union-find of single_linkage().
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// A cluster by its id in the linkage.
struct Cluster {
    pos_t id, size;
};

/// A union-find that has the cluster of each set at the set's root, its smallest point. Edges come in strips, and for each of these
/// there are three steps, one after another; any number of threads may be in one step at once:
///
/// 1. claim() asks for the cluster of a root. The first to ask gets it.
/// 2. link() joins sets of claimed roots.
/// 3. add() makes the clusters of the roots that are left, each of all that was claimed below it.
///
/// One array of 8 bytes per point, since where an edge's points are in memory can't be foreseen: nearly all the time of a linkage is
/// waiting for them. Near-constant amortised cost by path halving.
class SharedClusters {
  public:
    SharedClusters(Cpu const& cpu, std::size_t points) : slot_(points) {
        cpu.for_each(points, [this](std::size_t i) { slot_[i] = word({pos_t(i), 1}); });
    }

    /// Brings what root(i) reads first to the cache.
    void prefetch(pos_t i) const { __builtin_prefetch(&slot_[i]); }
    /// Brings what it reads next; a while after prefetch(i).
    void prefetch_next(pos_t i) const {
        Cluster const c = load(i);
        if (c.size == inner) prefetch(c.id);
    }
    /// Also while others ask, or link.
    [[nodiscard]] pos_t root(pos_t i) {
        for (;;) {
            Cluster const here = load(i);
            if (here.size != inner) return i;
            Cluster const up = load(here.id);
            if (up.size != inner) return here.id;
            store(i, up);  // whatever another thread stores here meanwhile is above i, too
            i = up.id;
        }
    }

    /// The cluster of a root, if nobody has asked for it before; `by` is who asks. Else size 0, and who did in place of an id.
    [[nodiscard]] Cluster claim(pos_t root, pos_t by) {
        std::uint64_t now = at(root).load(std::memory_order_relaxed);
        while (cluster(now).size != claimed)
            if (at(root).compare_exchange_weak(now, word({by, claimed}), std::memory_order_relaxed))
                return cluster(now);
        return {cluster(now).id, inner};
    }
    /// Makes one set of those of two points, whose roots have been claimed.
    void link(pos_t a, pos_t b) {
        for (;;) {
            a = root(a), b = root(b);
            if (a == b) return;
            if (a < b) std::swap(a, b);
            std::uint64_t now = at(a).load(std::memory_order_relaxed);
            if (cluster(now).size != inner &&
                at(a).compare_exchange_strong(now, word({b, inner}), std::memory_order_relaxed))
                return;
        }
    }
    /// Adds a part to the cluster of a root: that has the largest id, and all their points. It begins with what the root has been
    /// claimed with, which is claimed_with(by).
    template <class ClaimedWith>
    void add(pos_t root, Cluster part, ClaimedWith const& claimed_with) {
        std::uint64_t now = at(root).load(std::memory_order_relaxed);
        for (;;) {
            Cluster c = cluster(now);
            if (c.size == claimed) c = claimed_with(c.id);
            Cluster const sum{std::max(c.id, part.id), c.size + part.size};
            if (at(root).compare_exchange_weak(now, word(sum), std::memory_order_relaxed)) return;
        }
    }

    [[nodiscard]] bool is_root(pos_t i) const { return load(i).size != inner; }
    /// The cluster of a root that isn't claimed.
    [[nodiscard]] Cluster of(pos_t root) const { return load(root); }
    /// Gives a root another cluster. Not while others do anything with that root.
    void set(pos_t root, Cluster c) { store(root, c); }
    /// Puts a root below another one, without the steps above. Not while others do anything with it.
    void set_below(pos_t root, pos_t other) { store(root, {other, inner}); }

  private:
    // In place of a size. More points than max_points there are not.
    static constexpr pos_t inner = 0;  ///< it is no root; in place of an id there is a point above
    static constexpr pos_t claimed = no_pos;  ///< in place of an id there is who has claimed it

    static std::uint64_t word(Cluster c) { return std::uint64_t(c.id) << 32 | c.size; }
    static Cluster cluster(std::uint64_t w) { return {pos_t(w >> 32), pos_t(w)}; }
    [[nodiscard]] std::atomic_ref<std::uint64_t> at(pos_t i) const {
        return std::atomic_ref<std::uint64_t>(slot_[i]);
    }
    [[nodiscard]] Cluster load(pos_t i) const { return cluster(at(i).load(std::memory_order_relaxed)); }
    void store(pos_t i, Cluster c) { at(i).store(word(c), std::memory_order_relaxed); }

    mutable Buffer<std::uint64_t> slot_;
};

}}}  // namespace zwalk::v0::detail
