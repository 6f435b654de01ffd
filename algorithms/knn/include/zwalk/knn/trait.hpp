// k-nearest neighbours as an interaction trait (paper section III).
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "zwalk/knn/candidates.hpp"
#include "zwalk/knn/collector.hpp"
#include "zwalk/knn/counted_radii.hpp"
#include "zwalk/knn/neighbours.hpp"
#include "zwalk/walk/interaction.hpp"

namespace zwalk::inline v0 {

/// Neighbours of a target that there is room for: k, or as many as there are sources; at least one.
inline pos_t attainable_k(std::size_t k, pos_t sources) {
    return pos_t(std::min<std::size_t>(k, std::max<pos_t>(1, sources)));
}

/// An output that keeps everything: one row per target, as KnnResult describes it. Or nothing: with a
/// visitor, that is called for each target instead.
template <class T>
struct KnnRows {
    std::size_t columns = 1;  ///< row length, >= k
    index_t* indices = nullptr;
    T* distances = nullptr;
    pos_t const* row_of = nullptr;     ///< output row of a target position; null: the position
    pos_t const* source_of = nullptr;  ///< output index of a source position; null: the position
    KnnVisitor<T> visitor{};
    bool squared = false;  ///< squared distances
    pos_t ring = 0;        ///< not 0: row i is that of the target position i modulo this

    /// Rows lie anywhere in memory: fetches the first cache lines of a target's row early.
    template <class Point>
    ZWALK_INLINE void prepare([[maybe_unused]] Point const& target) const {
#if !defined(__CUDA_ARCH__)
        if (visitor) return;
        std::size_t const row = row_start(target);
        std::size_t const bytes = min_of(columns * sizeof(T), std::size_t(256));
        for (std::size_t at = 0; at < bytes; at += 64) {
            __builtin_prefetch(reinterpret_cast<char*>(distances + row) + at, 1);
            __builtin_prefetch(reinterpret_cast<char*>(indices + row) + 2 * at, 1);
            __builtin_prefetch(reinterpret_cast<char*>(indices + row) + 2 * at + 64, 1);
        }
#endif
    }
    template <class Point, class Neighbours>
    ZWALK_INLINE void operator()(Point const& target, Neighbours const& found) const {
        if constexpr (requires { found.d2(); })  // side by side: a fold of CPUs
            if (visitor)
                return visitor.call(visitor.object, row_of ? row_of[target.index] : target.index,
                                    {found.d2(), found.position(), found.size(), source_of});
        T* const distance = distances + row_start(target);
        index_t* const index = indices + row_start(target);
        int const n = int(found.size());
        if constexpr (requires { Neighbours::in_registers; }) {
            found.each([&](int j, Key<T> key) {
                distance[j] = squared ? key.d2 : std::sqrt(key.d2);
                index[j] = source_of ? source_of[key.pos] : key.pos;
            });
            return fill(distance, index, n);
        } else {
            write(distance, index, n, found);
        }
    }

    /// Neighbour i of the target; i < columns. Where there is none, the key's position is no_pos.
    template <class Point>
    ZWALK_INLINE void place(Point const& target, std::size_t i, Key<T> key) const {
        std::size_t const at = row_start(target) + i;
        if (key.pos == no_pos) {
            distances[at] = infinity<T>;
            indices[at] = -1;
        } else {
            distances[at] = squared ? key.d2 : std::sqrt(key.d2);
            indices[at] = source_of ? source_of[key.pos] : key.pos;
        }
    }

  private:
    template <class Neighbours>
    ZWALK_INLINE void write(T* distance, index_t* index, int n, Neighbours const& found) const {
        if (squared) {
            ZWALK_SIMD_LOOP
            for (int j = 0; j < n; ++j) distance[j] = found.d2(j);
        } else {
            ZWALK_SIMD_LOOP
            for (int j = 0; j < n; ++j) distance[j] = std::sqrt(found.d2(j));
        }
        if (source_of) {
            ZWALK_SIMD_LOOP
            for (int j = 0; j < n; ++j) index[j] = source_of[found.position(j)];
        } else {
            ZWALK_SIMD_LOOP
            for (int j = 0; j < n; ++j) index[j] = found.position(j);
        }
        fill(distance, index, n);
    }
    ZWALK_INLINE void fill(T* distance, index_t* index, int n) const {
        for (std::size_t j = std::size_t(n); j < columns; ++j) {
            distance[j] = infinity<T>;
            index[j] = -1;
        }
    }
    template <class Point>
    ZWALK_INLINE std::size_t row_start(Point const& target) const {
        if (ring) return target.index % ring * columns;
        return (row_of ? row_of[target.index] : target.index) * columns;
    }
};

#if !defined(__CUDACC__)
template <class T>
using DefaultFold = Collector<T>;
#else
template <class T>
using DefaultFold = Candidates<T>;
#endif

/// The fold of a whole group of lanes, if there is one (GroupCandidates).
template <class Fold, class G>
struct OnGroup {
    using type = Empty;
};
template <class Fold, class G>
requires requires { Fold::largest_k; }
struct OnGroup<Fold, G> {
    using type = typename Fold::template On<G>;
};

/// Finds the k smallest keys (d2, source position) of every target, and hands them to an output.
///
/// The lexicographic key makes the answer unique, and keeps duplicated points cheap: among nodes
/// at equal distance only those with the first positions survive.
///
/// Output: `void operator()(Point target, auto const& neighbours) const`, called once per target from
/// any thread, a trivially copyable struct. neighbours.size(), .d2(i), .position(i): up to k sources,
/// nearest first, as squared distances and z-order positions. On a GPU neighbours.each(f) instead, f(i, key)
/// in this order, because neighbours may be in registers. `void prepare(Point) const`, if there is
/// one, may be called some time before. On a GPU an output with `columns` and `void place(Point, std::size_t i,
/// Key) const` may get neighbour after neighbour i < columns instead, in no order, from all lanes of a group.
template <int D, class T, class Output = KnnRows<T>, class FoldT = DefaultFold<T>>
struct Knn : Types<D, T> {
    using typename Types<D, T>::Node;
    using typename Types<D, T>::Point;
    using typename Types<D, T>::State;
    static constexpr bool collects = std::is_same_v<FoldT, Collector<T>>;
    static constexpr bool in_registers = requires { FoldT::in_registers; };
    static constexpr bool in_groups = requires { FoldT::largest_k; };
    static constexpr Uses uses{.reach = true,
                               .ordered = true,
                               .scratch = !in_registers,
                               .blocks = collects,
                               .guess = collects,
                               .group = in_groups,
                               .batch = in_registers};

    Output output{};
    bool exclude_self = false;  ///< targets and sources are the same hierarchy

    /// @param neighbours  1 <= k <= number of sources (missing ones are the output's)
    explicit Knn(pos_t neighbours, Output const& out = {}) : output(out), k(neighbours) {
        if constexpr (collects) selector = make_selector<T>(best_isa(), k);
    }

    // In the registers of a GPU's thread 16 bins of doubles don't fit.
    using Reach = CountedRadii<T, collects || sizeof(T) == 4 ? 16 : 8>;
    ZWALK_HD Reach reach_begin(Node const&) const { return Reach(k + pos_t(exclude_self)); }
    ZWALK_HD void reach_add(Reach& r, Node const&, Node const& s, Range<T> d) const {
        r.add({d.hi2, s.last()}, s.count);
    }
    ZWALK_HD Key<T> reach_end(Reach const& r, Node const&) const { return r.bound(); }

    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        return Key<T>{d.lo2, s.first} <= t.reach ? Decision::descend : Decision::discard;
    }

    using Fold = FoldT;
    ZWALK_HD std::size_t scratch_bytes() const requires(!in_registers) {
        if constexpr (collects) return Fold::bytes(k, selector);
        else return Fold::bytes(k);
    }
    ZWALK_HD Fold begin(Point const&, State const&) const requires in_registers { return Fold(k); }
    ZWALK_HD Fold begin(Point const&, State const&, void* scratch) const requires(!in_registers) {
        if constexpr (collects) return Fold(scratch, k, &selector);
        else return Fold(scratch, k);
    }
    ZWALK_HD void visit(Fold& f, Point const& p, Point const& q, T d2) const {
        if (exclude_self && p.index == q.index) return;
        f.add({d2, q.index});
    }
    ZWALK_INLINE void visit_batch(Fold& f, Point const& p,
                                  Key<T> (&batch)[batch_size]) const requires in_registers {
        if (exclude_self) {
            ZWALK_UNROLL
            for (int i = 0; i < batch_size; ++i)
                if (batch[i].pos == p.index) batch[i] = Key<T>{};
        }
        f.add(batch);
    }
    ZWALK_HD Key<T> horizon(Fold const& f) const { return f.worst(); }
    ZWALK_HD void end(Fold& f, Point const& p) const {
        f.finish();
        Fold const found = f;  // a copy that nothing else points to: its loops become SIMD
        output(p, found);
    }

    template <Isa isa, class Block>
    ZWALK_INLINE void visit_block(Fold& f, Point const& p, Block const& block) const requires collects {
        if constexpr (requires { output.prepare(p); })
            if (f.size() == 0) output.prepare(p);
        f.template add<isa>(block, exclude_self ? p.index - block.first : no_pos);
    }

    template <class G>
    using GroupFold = typename OnGroup<FoldT, G>::type;
    template <class G>
    ZWALK_INLINE void group_begin(G const& g, GroupFold<G>& f, Point const&,
                                  State const&) const requires in_groups {
        f.begin(g, k);
    }
    template <class G>
    ZWALK_INLINE void group_visit(G const& g, GroupFold<G>& f, Point const& p, pos_t first, unsigned n,
                                  typename G::template var<T> const& d2) const requires in_groups {
        f.add(g, first, n, d2, exclude_self ? p.index : no_pos);
    }
    template <class G>
    ZWALK_INLINE Key<T> group_horizon(GroupFold<G> const& f) const requires in_groups {
        return f.worst();
    }
    template <class G>
    ZWALK_INLINE void group_end(G const& g, GroupFold<G>& f, Point const& p) const requires in_groups {
        f.finish(g);
        if constexpr (requires { output.place(p, output.columns, Key<T>{}); }) {
            f.each(g, [&](int, int i, Key<T> key) { output.place(p, std::size_t(i), key); });
            g.lanes([&](int l) {
                for (std::size_t i = k + std::size_t(l); i < output.columns; i += G::width)
                    output.place(p, i, Key<T>{});
            });
        } else {
            f.hand_over(g, [&](auto const& found) { output(p, found); });
        }
    }

    ZWALK_INLINE void assume(Fold& f, T d2) const requires collects { f.assume(d2); }
    ZWALK_INLINE bool is_short(Fold const& f) const requires collects { return f.size() < k; }
    ZWALK_INLINE T enough(Fold const& f) const requires collects {
        return f.size() < k ? infinity<T> : f.d2(int(k - 1));
    }

    pos_t k;
    std::conditional_t<collects, Selector<T>, Empty> selector{};
};

}  // namespace zwalk::inline v0
