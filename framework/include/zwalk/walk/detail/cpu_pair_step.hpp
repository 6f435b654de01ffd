// Symmetric walks on a CPU thread: pairs of nodes and of points, each met once.
//
// Depth first over pairs of nodes: a pair that descends goes on a stack, and its children are met at
// once, lanes over those of the second node. In leaves, lanes test the points of one against the box of
// the other, then run over the other's points for each point that is near enough.
//
// With uses.links (and no total) joining two points of one group has no effect, so pairs are left out
// that can't do anything else: of nodes whose points are known to be one group, both the same; of
// points, as soon as a link has settled what the rest could.
#pragma once
#include <cstdint>
#include <vector>

#include "zwalk/core/bits.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/walk/cpu_node_step.hpp"
#include "zwalk/walk/detail/cpu_lanes.hpp"
#include "zwalk/walk/detail/leaf_step.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

/// Two nodes of one plane.
struct NodePair {
    pos_t plane, a, b;
};

/// A Sink that also notices whether there was a link.
template <class I>
struct PairSink {
    using Total = typename Sink<I>::Total;
    Links links;
    Total* sum;
    bool linked = false;

    ZWALK_INLINE void link(pos_t a, pos_t b) {
        links.link(a, b);
        linked = true;
    }
    ZWALK_INLINE Total& total() { return *sum; }
};

/// The memory that one thread of a symmetric walk writes to.
template <class I>
struct PairWorkspace {
    std::vector<NodePair> stack;
    std::size_t depth = 0;  ///< elements of the stack in use
    typename Sink<I>::Total total{};
    WalkCounts counts;

    ZWALK_INLINE void push(NodePair pair) {
        if (depth == stack.size()) [[unlikely]]
            grow();
        stack[depth++] = pair;
    }

  private:
    [[gnu::noinline]] void grow() { stack.resize(2 * stack.size() + 256); }
};

/// The data that all threads of a symmetric walk read: element p belongs to plane p.
template <class I, class Space>
struct PairPlanes {
    std::vector<Step<I, Space>> step;
    /// uses.links: not 0 where all points of a node are known to be one group. Set before the node
    /// meets others, and not changed then.
    std::vector<std::vector<std::uint8_t>> joined;
    LeafPoints<I> points;
};

template <Isa isa, class I, class Space>
class CpuPairs {
    using T = typename I::real;
    using Node = typename I::Node;
    using Point = typename I::Point;
    static constexpr pos_t W = simd_width<T>;
    /// Points of a leaf that are taken to their group one by one; in larger leaves all pairs are met.
    static constexpr pos_t group_capacity = 256;

  public:
    // Functions on the way to a trait's pair() are not ZWALK_INLINE: see exec/pack.hpp.
    ZWALK_INLINE CpuPairs(PairPlanes<I, Space> const& planes, PairWorkspace<I>& ws)
        : planes_(planes),
          ws_(ws),
          trait_(planes.step.front().trait),
          space_(planes.step.front().space),
          sink_{planes.step.front().links, &ws.total} {
        if constexpr (I::uses.cutoff) cutoff2_ = trait_.cutoff2();
    }

    /// Nodes [begin, end) of a plane meet those behind them, up to `last`.
    inline void siblings(pos_t plane, pos_t begin, pos_t end, pos_t last) {
        for (pos_t a = begin; a < end; ++a) {
            meet(plane, a, a + 1, last);
            while (ws_.depth > 0) {
                NodePair const pair = ws_.stack[--ws_.depth];
                if (same_group(pair)) continue;
                if (pair.plane == 0) {
                    ++ws_.counts.leaf_entries;
                    leaves(pair.a, pair.b);
                    continue;
                }
                pos_t const* const child = planes_.step[pair.plane].source_child;
                for (pos_t c = child[pair.a]; c < child[pair.a + 1]; ++c)
                    meet(pair.plane - 1, c, child[pair.b], child[pair.b + 1]);
            }
        }
    }

    /// The points of one leaf meet each other. True if they are known to be one group then.
    inline bool leaf(pos_t i) {
        pos_t const* const first = planes_.step[0].sources.first;
        pos_t const begin = first[i], end = first[i + 1];
        if constexpr (only_links<I>)
            if (end - begin <= group_capacity) return groups(begin, end) == 1;
        if constexpr (tuning_of<I>.leaf_pairs) {
            trait_.pair_leaves(LeafPairs(*this, i, i),
                               Range<T>{0, source_view(planes_.step[0], i).diag2}, sink_);
            return false;
        }
        for (pos_t p = begin; p + 1 < end; ++p) points_of(p, p + 1, end, no_pos, false);
        return false;
    }

  private:
    ZWALK_INLINE bool joined(pos_t plane, pos_t i) const {
        if constexpr (only_links<I>) return planes_.joined[plane][i] != 0;
        return false;
    }
    ZWALK_INLINE pos_t first_of(pos_t plane, pos_t i) const {
        return planes_.step[plane].sources.first[i];
    }
    ZWALK_INLINE bool same_group(NodePair p) const {
        return joined(p.plane, p.a) && joined(p.plane, p.b) &&
               sink_.links.root(first_of(p.plane, p.a)) == sink_.links.root(first_of(p.plane, p.b));
    }

    /// Decides on node a with each of [begin, end); those to descend into go on the stack.
    ZWALK_INLINE void meet(pos_t plane, pos_t a, pos_t begin, pos_t end) {
        Step<I, Space> const& step = planes_.step[plane];
        ws_.counts.planes[plane].tested += end - begin;
        alignas(64) T lo2[W], hi2[W];
        for (pos_t c = begin; c < end; c += W) {
            block_ranges(space_, box_of(step.targets, a), step.sources, c, lo2, hi2);
            std::uint32_t wanted = lanes_below(min_of(pos_t(end - c), W), W);
            if constexpr (I::uses.cutoff) wanted &= Simd<isa>::at_most(lo2, cutoff2_);
            for (; wanted != 0; wanted &= wanted - 1) {
                unsigned const l = unsigned(trailing_zeros(wanted));
                decide({plane, a, c + l}, {lo2[l], hi2[l]});
            }
        }
    }
    ZWALK_INLINE void decide(NodePair pair, Range<T> range) {
        if (same_group(pair)) return;
        Step<I, Space> const& step = planes_.step[pair.plane];
        Node const a = source_view(step, pair.a), b = source_view(step, pair.b);
        if constexpr (I::uses.metric) range = trait_.metric(a, b, range);
        Decision const decision = detail::decided(trait_, a, b, range);
        if (decision == Decision::descend) {
            if constexpr (accepts_nodes<I>)
                if (pair.plane == 0 && step.lacks_points(pair.b)) [[unlikely]]
                    detail::throw_not_monotone();
            ++ws_.counts.node_entries;
            ++ws_.counts.planes[pair.plane].descended;
            ws_.push(pair);
        }
        if constexpr (I::uses.links || I::uses.total)
            if (decision == Decision::accept) {
                ++ws_.counts.planes[pair.plane].accepted;
                trait_.accept(a, b, range, sink_);
            }
    }

    /// Takes the points of a leaf to their groups: from the first point that is in none on, each point
    /// linked to a member is a member, and meets only those that aren't. Returns how many groups.
    ZWALK_INLINE pos_t groups(pos_t begin, pos_t end) {
        pos_t const count = end - begin;
        std::uint32_t open[group_capacity / W];  // bits of points that are in no group yet
        pos_t member[group_capacity];
        pos_t const blocks = (count + W - 1) / W;
        for (pos_t b = 0; b < blocks; ++b) open[b] = lanes_below(min_of(pos_t(count - b * W), W), W);
        pos_t found = 0;
        for (pos_t b = 0; b < blocks; ++b)
            while (open[b] != 0) {
                pos_t const seed = b * W + pos_t(trailing_zeros(open[b]));
                open[b] &= open[b] - 1;
                member[0] = seed;
                ++found;
                for (pos_t next = 0, size = 1; next < size; ++next)
                    size = add_members(begin, blocks, b, member, next, size, open);
            }
        return found;
    }
    /// Adds the open points that link to member[next]; all of them lie in blocks [from, blocks).
    ZWALK_INLINE pos_t add_members(pos_t begin, pos_t blocks, pos_t from, pos_t* member, pos_t next,
                                   pos_t size, std::uint32_t* open) {
        pos_t const p = begin + member[next];
        Vec<I::dim, T> const x = planes_.points.sources.point(p);
        alignas(64) T d2[W];
        for (pos_t b = from; b < blocks; ++b) {
            if (open[b] == 0) continue;
            std::uint32_t near = distances(x, begin + b * W, d2) & open[b];
            for (; near != 0; near &= near - 1) {
                pos_t const l = pos_t(trailing_zeros(near));
                if (!pair(p, begin + b * W + l, d2[l])) continue;
                open[b] &= ~(std::uint32_t(1) << l);
                member[size++] = b * W + l;
            }
        }
        return size;
    }

    /// The pairs of points of two leaves, or of one, for tuning.leaf_pairs.
    class LeafPairs {
      public:
        using Numbers = Pack<T, isa>;

        /// Of two leaves the inner one is that whose packs are fuller.
        ZWALK_INLINE LeafPairs(CpuPairs const& walk, pos_t a, pos_t b)
            : walk_(walk), outer_(a), inner_(b) {
            if (packs(b, a) < packs(a, b)) outer_ = b, inner_ = a;
        }
        [[nodiscard]] size_type count() const {
            size_type const n = size(outer_);
            return outer_ == inner_ ? n * (n - 1) / 2 : n * size(inner_);
        }
        /// f(d2) for packs of squared distances, NaN where a lane has no pair. Pairs further than limit2 may be left out.
        template <class F>
        inline void each(F const& f, T limit2 = infinity<T>) const {
            if constexpr (I::uses.cutoff) limit2 = min_of(limit2, walk_.cutoff2_);
            if (outer_ == inner_) return each_of_one(f);
            pos_t const end = walk_.first_of(0, inner_ + 1);
            for (pos_t q = walk_.first_of(0, inner_); q < end; q += piece * W)
                meet(q, min_of(pos_t(end - q), pos_t(piece * W)), limit2, f);
        }

      private:
        [[nodiscard]] ZWALK_INLINE pos_t size(pos_t leaf) const {
            return walk_.first_of(0, leaf + 1) - walk_.first_of(0, leaf);
        }
        [[nodiscard]] ZWALK_INLINE size_type packs(pos_t outer, pos_t inner) const {
            return size_type(size(outer)) * ((size(inner) + W - 1) / W);
        }
        /// Packs that are copied at once, and those that a point meets at once: 32 registers hold them, and what a trait needs.
        static constexpr int piece = 4, side = isa == Isa::avx512 && I::dim <= 4 ? 2 : 1;

        /// The outer leaf meets `count` points from q on, as a copy with NaN behind the last one: so packs are alike, in registers.
        template <class F>
        inline void meet(pos_t q, pos_t count, T limit2, F const& f) const {
            constexpr int D = I::dim, stride = piece * int(W);
            alignas(64) T x[D * stride];
            pos_t const packs = (count + W - 1) / W;
            for (int j = 0; j < D; ++j)
                for (pos_t c = 0; c < packs * W; c += W) {
                    T* const to = x + j * stride + c;
                    T const* const from = walk_.planes_.points.sources.from(j, q + c);
                    ZWALK_SIMD_LOOP
                    for (int l = 0; l < int(W); ++l)
                        to[l] = int(c) + l < int(count) ? from[l] : not_a_number<T>;
                }
            pos_t const last = walk_.first_of(0, outer_ + 1);
            for (pos_t p0 = walk_.first_of(0, outer_); p0 < last; p0 += W) {
                std::uint32_t const wanted =
                    lanes_below(min_of(pos_t(last - p0), W), W) & walk_.near_box(p0, inner_, limit2);
                for (pos_t b = 0; b < packs; b += side) {
                    PointColumns<D, T> const sources{x + b * W, stride, stride};
                    if (side > 1 && b + 1 == packs) meet_packs<1>(p0, wanted, sources, f);
                    else meet_packs<side>(p0, wanted, sources, f);
                }
            }
        }
        /// Points p0 + l, for the bits l of `wanted`, meet the first `packs` packs.
        template <int packs, class F>
        inline void meet_packs(pos_t p0, std::uint32_t wanted, PointColumns<I::dim, T> const& sources,
                               F const& f) const {
            for (; wanted != 0; wanted &= wanted - 1) {
                pos_t const p = p0 + pos_t(trailing_zeros(wanted));
                SourceBlock<Space> const block{0, packs * W, walk_.space_, sources,
                                               walk_.planes_.points.sources.point(p)};
                ZWALK_AXES_LOOP
                for (int b = 0; b < packs; ++b) {
                    alignas(64) T d2[W];
                    block.distances(pos_t(b) * W, d2);
                    f(Numbers::load(d2));
                }
            }
        }
        /// Each point of the leaf meets those behind it.
        template <class F>
        inline void each_of_one(F const& f) const {
            pos_t const end = walk_.first_of(0, inner_ + 1);
            alignas(64) T lane[W], d2[W];
            for (pos_t l = 0; l < W; ++l) lane[l] = T(l);
            for (pos_t p = walk_.first_of(0, inner_); p + 1 < end; ++p) {
                SourceBlock<Space> const block{p + 1, end - (p + 1), walk_.space_,
                                               walk_.planes_.points.sources,
                                               walk_.planes_.points.sources.point(p)};
                for (pos_t c = 0; c < block.count; c += W) {
                    block.distances(c, d2);
                    f(select(Numbers::load(lane) < Numbers(T(block.count - c)), Numbers::load(d2),
                             not_a_number<T>));
                }
            }
        }
        CpuPairs const& walk_;
        pos_t outer_, inner_;
    };

    /// The points of one leaf meet those of another.
    inline void leaves(pos_t outer, pos_t inner) {
        if constexpr (tuning_of<I>.leaf_pairs) {
            auto const& plane = planes_.step[0].sources;
            return trait_.pair_leaves(LeafPairs(*this, outer, inner),
                                      node_range(space_, plane, outer, plane, inner), sink_);
        }
        if (joined(0, outer) && !joined(0, inner)) {
            pos_t const t = outer;
            outer = inner;
            inner = t;
        }
        bool const outer_joined = joined(0, outer), inner_joined = joined(0, inner);
        pos_t const begin = first_of(0, inner), end = first_of(0, inner + 1);
        pos_t const last = first_of(0, outer + 1);
        for (pos_t p0 = first_of(0, outer); p0 < last; p0 += W) {
            std::uint32_t wanted = lanes_below(min_of(pos_t(last - p0), W), W);
            if constexpr (I::uses.cutoff) wanted &= near_box(p0, inner, cutoff2_);
            for (; wanted != 0; wanted &= wanted - 1) {
                pos_t const p = p0 + pos_t(trailing_zeros(wanted));
                pos_t const group = inner_joined ? begin : no_pos;
                if (points_of(p, begin, end, group, inner_joined) && outer_joined) return;
            }
        }
    }

    /// Point p meets points [begin, end). If these are one group (that of point `group`), then only until
    /// p belongs to it; returns whether it was linked to one of them.
    inline bool points_of(pos_t p, pos_t begin, pos_t end, pos_t group, bool one_is_enough) {
        if constexpr (only_links<I>)
            if (one_is_enough && sink_.links.root(p) == sink_.links.root(group)) return false;
        Vec<I::dim, T> const x = planes_.points.sources.point(p);
        alignas(64) T d2[W];
        if constexpr (I::uses.lanes) {
            for (pos_t c = begin; c < end; c += W)
                if (distances(x, c, d2) != 0) packs(p, c, min_of(pos_t(end - c), W), d2);
            return false;
        }
        bool linked = false;
        for (pos_t c = begin; c < end; c += W) {
            std::uint32_t near = distances(x, c, d2) & lanes_below(min_of(pos_t(end - c), W), W);
            for (; near != 0; near &= near - 1) {
                pos_t const l = pos_t(trailing_zeros(near));
                linked = pair(p, c + l, d2[l]) || linked;
                if (only_links<I> && one_is_enough && linked) return true;
            }
        }
        return linked;
    }

    /// Squared distances from x to points [c, c + W); bits of those within the cutoff.
    ZWALK_INLINE std::uint32_t distances(Vec<I::dim, T> const& x, pos_t c, T* d2) const {
        SourceBlock<Space> const block{c, W, space_, planes_.points.sources, x};
        block.distances(0, d2);
        if constexpr (I::uses.cutoff) return Simd<isa>::at_most(d2, cutoff2_);
        return lanes_below(W, W);
    }

    /// Bits of the points [p0, p0 + W) that are within a distance of a leaf's box.
    ZWALK_INLINE std::uint32_t near_box(pos_t p0, pos_t leaf, T limit2) const {
        alignas(64) T lo2[W];
        auto const column = [&](int j) { return planes_.points.sources.from(j, p0); };
        block_box_distances(space_, box_of(planes_.step[0].sources, leaf), column, lo2);
        return Simd<isa>::at_most(lo2, limit2);
    }

    /// Shows the trait point p and `count` points from c on, which are behind it; d2 holds their distances.
    inline void packs(pos_t p, pos_t c, pos_t count, T* d2) requires(I::uses.lanes) {
        ZWALK_SIMD_LOOP
        for (pos_t l = 0; l < W; ++l) d2[l] = l < count ? d2[l] : not_a_number<T>;
        meet_pack<isa>(trait_, space_, point(p), planes_.points, c, count, d2, sink_);
    }
    /// Shows the trait two points, in order. True if it linked them.
    ZWALK_INLINE bool pair(pos_t p, pos_t q, T d2) {
        Point const a = point(min_of(p, q)), b = point(max_of(p, q));
        sink_.linked = false;
        meet_pair(trait_, space_, a, b, d2, sink_);
        return sink_.linked;
    }
    ZWALK_INLINE Point point(pos_t i) const {
        return {planes_.points.sources.point(i), i, planes_.points.source_payload[i]};
    }

    PairPlanes<I, Space> const& planes_;
    PairWorkspace<I>& ws_;
    I const& trait_;
    Space const& space_;
    PairSink<I> sink_;
    T cutoff2_{};
};

}}  // namespace zwalk::v0
