// The k nearest sources of one query by a descent of its own: for queries so few that there is
// nothing to gain from walking them as nodes.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "zwalk/core/vec.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/nearest/detail/collector.hpp"
#include "zwalk/walk/bounds.hpp"
#include "zwalk/walk/cpu_node_step.hpp"
#include "zwalk/walk/source_block.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Depth first through the planes of the sources, the nearest child first; lanes are the children
/// of one node or the points of one leaf. Nodes and points are met by the same keys, bounds and
/// candidates as in the walk, so the answer is the same to the last bit.
///
/// Holds the memory that a thread needs for one query after the other. O(log N + k) nodes per query
/// on data of few dimensions.
template <int D, class T, class Space>
class Descent {
  public:
    /// @param k       from 1 to the number of sources (1 without sources)
    /// @param limit2  squared distance of the furthest that is wanted
    Descent(Tree<T, Cpu> const& sources, Space const& space, pos_t k, T limit2)
        : sources_(sources),
          points_(sources.template points<D>()),
          space_(space),
          k_(k),
          limit2_(limit2),
          selector_(make_selector<T>(isa_, k)),
          memory_((Collector<T>::bytes(k, selector_) + 7) / 8) {}

    /// The k nearest sources of the query q, of `dim` coordinates: finished, valid until the next
    /// call.
    Collector<T> const& nearest(T const* q, int dim) {
        for (int j = 0; j < D; ++j) query_[j] = j < dim ? q[j] + T(0) : T(0);
        best_ = Collector<T>(memory_.data(), k_, &selector_, limit2_);
        used_ = 0;
        if (!sources_.planes.empty())
            meet_nodes(sources_.planes.size() - 1, 0, sources_.planes.back().nodes());
        best_.finish();
        return best_;
    }

  private:
    static constexpr pos_t width = simd_width<T>;

    /// A node and the best key that a point of it can have.
    struct Near {
        Key<T> key;
        pos_t node;
    };

    /// Nodes [begin, end) of a plane.
    void meet_nodes(std::size_t p, pos_t begin, pos_t end) {
        std::size_t const base = used_;
        make_room(waiting_, base + (end - begin) + width);
        gather(sources_.template plane<D>(p), begin, end);
        if (used_ == base) return;
        // The nearest one first: what it brings spares the sorting of most others.
        std::size_t nearest = base;
        for (std::size_t i = base + 1; i < used_; ++i)
            if (waiting_[i].key < waiting_[nearest].key) nearest = i;
        std::swap(waiting_[base], waiting_[nearest]);
        if (used_ - base <= 8)
            for (std::size_t i = base; i < used_; ++i) prefetch(p, waiting_[i].node);
        enter(p, waiting_[base].node);

        Key<T> const worst = best_.worst();
        Near* const others = waiting_.data() + base + 1;
        Near* const end_of_others = std::remove_if(others, waiting_.data() + used_,
                                                   [&](Near const& n) { return worst < n.key; });
        used_ = std::size_t(end_of_others - waiting_.data());
        std::sort(others, end_of_others, [](Near const& a, Near const& b) { return a.key < b.key; });
        for (Near const* other = others; other != end_of_others; ++other) prefetch(p, other->node);
        for (std::size_t i = base + 1, last = used_; i < last; ++i) {
            if (best_.worst() < waiting_[i].key) break;
            enter(p, waiting_[i].node);
        }
        used_ = base;
    }

    void enter(std::size_t p, pos_t node) {
        auto const& plane = sources_.planes[p];
        if (p == 0) meet_points(plane.first[node], plane.first[node + 1]);
        else meet_nodes(p - 1, plane.child[node], plane.child[node + 1]);
    }

    /// Starts to load what entering a node will read: one after the other these loads from memory
    /// would take most of the time of a query that has no other one near it.
    void prefetch(std::size_t p, pos_t node) const {
        auto const& plane = sources_.planes[p];
        if (p == 0) {
            for (int j = 0; j < D; ++j) {
                fetch(points_.from(j, plane.first[node]));
                fetch(points_.from(j, plane.first[node + 1] - 1));
            }
        } else {
            auto const children = sources_.template plane<D>(p - 1);
            pos_t const begin = plane.child[node];
            fetch(children.first + begin);
            if (p > 1) fetch(children.child + begin);
            for (int j = 0; j < D; ++j) {
                fetch(children.lo_from(j, begin));
                fetch(children.hi_from(j, begin));
            }
        }
    }
    static void fetch(void const* address) { __builtin_prefetch(address); }

    /// Puts those of the nodes [begin, end) that still matter behind the others in `waiting_`, which has
    /// room for all of them.
    void gather(PlaneView<D, T> const& plane, pos_t begin, pos_t end) {
        T const limit = best_.worst().d2;
        Near* out = waiting_.data() + used_;
        with_isa(isa_, [&]<Isa isa>() {
            alignas(64) T lo2[width];
            for (pos_t c = begin; c < end; c += width) {
                block_box_distances(plane, c, lo2);
                std::uint32_t wanted =
                    Simd<isa>::at_most(lo2, limit) & lanes_below(min_of(pos_t(end - c), width), width);
                for (; wanted != 0; wanted &= wanted - 1) {
                    pos_t const l = pos_t(std::countr_zero(wanted));
                    *out++ = {{lo2[l], plane.first[c + l]}, c + l};
                }
            }
        });
        used_ = std::size_t(out - waiting_.data());
    }
    /// Squared distances to the boxes of nodes begin, begin + 1, ... (columns are padded).
    ZWALK_INLINE void block_box_distances(PlaneView<D, T> const& plane, pos_t begin, T* lo2) const {
        ZWALK_SIMD_LOOP
        for (int l = 0; l < int(width); ++l) lo2[l] = 0;
        ZWALK_AXES_LOOP
        for (int j = 0; j < D; ++j) {
            T const *const lo = plane.lo_from(j, begin), *const hi = plane.hi_from(j, begin);
            T const x = query_[j];
            ZWALK_SIMD_LOOP
            for (int l = 0; l < int(width); ++l) {
                Range<T> r{lo2[l], 0};
                add_axis(space_, j, x, x, lo[l], hi[l], r);
                lo2[l] = r.lo2;
            }
        }
    }

    /// Points [begin, end) of a leaf.
    void meet_points(pos_t begin, pos_t end) {
        using Block = SourceBlock<Space>;
        with_isa(isa_, [&]<Isa isa>() {
            for (pos_t c = begin; c < end; c += Block::capacity) {
                pos_t const n = min_of(pos_t(end - c), Block::capacity);
                best_.template add<isa>(Block{c, n, space_, points_, query_}, no_pos);
            }
        });
    }

    Tree<T, Cpu> const& sources_;
    PointColumns<D, T> points_;
    Space space_;
    pos_t k_;
    T limit2_;
    Isa isa_ = best_isa();
    Selector<T> selector_;
    std::vector<std::uint64_t> memory_;  // of best_
    Collector<T> best_;
    Vec<D, T> query_;
    std::vector<Near> waiting_;  // `used_` of them
    std::size_t used_ = 0;
};

}}}  // namespace zwalk::v0::detail
