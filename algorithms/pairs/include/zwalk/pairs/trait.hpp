// Pair counts as interaction traits: symmetric walks with a global total. A pair of nodes all of whose points fall into
// one bin is accepted as a whole.
#pragma once
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "zwalk/core/fixed_sum.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/walk/interaction.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

/// The weight of a point, or the sum of a node's, as an integer (FixedScale), so that sums don't depend on their order.
struct FixedWeight {
    std::int64_t units;
};

/// Pairs, and the sums of the products of their weights, by bin.
template <int capacity, bool weighted>
struct PairTotal {
    size_type pairs[capacity] = {};
    FixedSum products[weighted ? capacity : 1] = {};

    ZWALK_HD void add(int bin, size_type n) { pairs[bin] += n; }
    ZWALK_HD void add_product(int bin, std::int64_t a, std::int64_t b) {
        products[bin] += FixedSum(a) * b;
    }
    ZWALK_HD void add(PairTotal const& other, int bins) {
        for (int i = 0; i < bins; ++i) pairs[i] += other.pairs[i];
        if constexpr (weighted)
            for (int i = 0; i < bins; ++i) products[i] += other.products[i];
    }
};

/// Two sets of points in one hierarchy, side by side: pairs are those of a point of each. Nodes lie on one side.
struct PairSides {
    pos_t second =
        no_pos;  ///< position of the second set's first point; no_pos: there is one set, and all pairs count

    ZWALK_HD bool apart(pos_t a, pos_t b) const {
        return second == no_pos || (a < second) != (b < second);
    }
};

/// Ascending squared edges of up to `capacity` bins: bin b holds edge2[b] < d2 <= edge2[b + 1].
template <class T, int capacity>
struct SquaredEdges {
    T edge2[capacity + 1];
    int bins = 0;

    /// -1 up to the first edge, `bins` behind the last one. Most pairs are far from each other: counted from there.
    ZWALK_HD int bin(T d2) const {
        int b = bins;
        while (b >= 0 && !(edge2[b] < d2)) --b;
        return b;
    }
};

/// What the traits of pair counts have in common: weights, which add up.
template <int D, class T, bool weighted>
struct PairTypes : Types<D, T, std::conditional_t<weighted, FixedWeight, Empty>,
                         std::conditional_t<weighted, FixedWeight, Empty>> {
    using typename PairTypes::Types::Point, typename PairTypes::Types::Summary;
    ZWALK_HD Summary summarize(Point const& p) const requires weighted { return p.payload; }
    ZWALK_HD Summary merge(Summary a, Summary const& b) const requires weighted {
        return {a.units + b.units};
    }
};

/// Counts pairs by their distance.
template <int D, class T, bool weighted>
struct PairsByDistance : PairTypes<D, T, weighted> {
    using Base = PairTypes<D, T, weighted>;
    using typename Base::Node, typename Base::Point;
    static constexpr int capacity = 64;
    static constexpr Uses uses{
        .summary = weighted, .total = true, .symmetric = true, .cutoff = true, .lanes = !weighted};
    static constexpr Tuning tuning{.leaf_pairs = !weighted};
    using Total = PairTotal<capacity, weighted>;

    SquaredEdges<T, capacity> edges;
    PairSides sides;

    ZWALK_HD void combine(Total& a, Total const& b) const { a.add(b, edges.bins); }
    ZWALK_HD T cutoff2() const { return edges.edge2[edges.bins]; }
    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        if (!sides.apart(t.first, s.first)) return Decision::discard;
        int const lo = edges.bin(d.lo2), hi = edges.bin(d.hi2);
        if (hi < 0 || lo >= edges.bins) return Decision::discard;
        // A node and itself never are in one bin: they begin at 0, which is in none.
        return lo == hi ? Decision::accept : Decision::descend;
    }
    ZWALK_HD void accept(Node const& t, Node const& s, Range<T> d, auto& sink) const {
        int const b = edges.bin(d.lo2);
        sink.total().add(b, size_type(t.count) * s.count);
        if constexpr (weighted) sink.total().add_product(b, t.summary.units, s.summary.units);
    }
    ZWALK_HD void pair(Point const& p, Point const& q, T d2, auto& sink) const requires weighted {
        int const b = edges.bin(d2);
        if (b < 0 || b >= edges.bins) return;
        sink.total().add(b, 1);
        sink.total().add_product(b, p.payload.units, q.payload.units);
    }
    /// V is T, or a pack of them.
    template <class V>
    ZWALK_HD void pair(Point const&, auto const&, V d2, auto& sink) const requires(!weighted) {
        if constexpr (std::is_same_v<V, T>) {  // as on GPUs: one addition, and no more
            int const b = edges.bin(d2);
            if (b >= 0 && b < edges.bins) sink.total().add(b, 1);
        } else {
            add_by_bin(d2, edges.bins, sink);
        }
    }
    /// The range of two leaves leaves few edges to compare with, the same for all their pairs: so nothing is asked between them.
    inline void pair_leaves(auto const& leaves, Range<T> d, auto& sink) const requires(!weighted) {
        if (leaves.count() >= too_many) return by_bin(leaves, edges.bins, sink);
        int const lo = edges.bin(d.lo2), hi = edges.bin(d.hi2);
        if (hi < 0 || lo >= edges.bins) return;
        // How many are in bin `b` or nearer: all are, or nobody knows how many are further than the last edge.
        size_type within = leaves.count();
        int b = hi;
        while (b > lo && within > 0) {
            if (b < hi && within < leaves.count() / many) return by_bin(leaves, b + 1, sink);
            int const n = min_of(b - lo, most_edges);
            size_type below[most_edges];
            count_edges(leaves, b, n, below);
            for (int i = 0; i < n; ++i, --b) {
                if (b < edges.bins) sink.total().add(b, within - below[i]);
                within = below[i];
            }
        }
        if (lo >= 0) sink.total().add(lo, within);
    }

  private:
    static constexpr int most_edges = 5;
    static constexpr size_type too_many = size_type(1) << 31;  // for a lane's count
    /// Fewer than one of so many pairs are found bin by bin, and only near the other leaf: mostly a comparison says that there is none.
    static constexpr size_type many = 32;

    /// below[i], i < n: how many pairs are at edge b - i or nearer. Each edge costs two operations for every pack of pairs, beside
    /// the six of a distance in 3-D: so as many as there are. With more than five at once most would look at edges that few
    /// pairs are near to.
    inline void count_edges(auto const& leaves, int b, int n, size_type* below) const {
        if (n == 1) count_below<1>(leaves, b, below);
        else if (n == 2) count_below<2>(leaves, b, below);
        else if (n == 3) count_below<3>(leaves, b, below);
        else if (n == 4) count_below<4>(leaves, b, below);
        else count_below<5>(leaves, b, below);
    }
    template <int n>
    inline void count_below(auto const& leaves, int b, size_type* below) const {
        typename std::remove_cvref_t<decltype(leaves)>::Numbers::Counts counts[n];
        T edge2[n];
        for (int i = 0; i < n; ++i) edge2[i] = edges.edge2[b - i];
        auto const count = [&](auto const& d2) {
            ZWALK_AXES_LOOP
            for (int i = 0; i < n; ++i) counts[i] += d2 <= edge2[i];
        };
        leaves.each(count, edge2[0]);
        for (int i = 0; i < n; ++i) below[i] = size_type(counts[i].sum());
    }
    /// Adds the pairs of all bins below edge b.
    inline void by_bin(auto const& leaves, int b, auto& sink) const {
        leaves.each([&](auto const& d2) { add_by_bin(d2, b, sink); }, edges.edge2[b]);
    }
    /// From the last bin down, until no pair is left: most are in the last ones, which have most of the volume.
    ZWALK_HD void add_by_bin(auto const& d2, int bins, auto& sink) const {
        pos_t within = count_of(d2 <= edges.edge2[bins]);
        for (int b = bins - 1; b >= 0 && within > 0; --b) {
            pos_t const below = count_of(d2 <= edges.edge2[b]);
            sink.total().add(b, within - below);
            within = below;
        }
    }
};

/// Bins of two numbers, one of them along the line of sight. Nodes are only discarded: the range of a separation along one axis
/// isn't known of them.
template <int D, class T>
struct TwoNumbers {
    static constexpr int capacity = 64, los_capacity = 256;

    SquaredEdges<T, capacity> edges;          ///< of rp or s
    SquaredEdges<T, los_capacity> los_edges;  ///< of pi or mu
    PairSides sides;
    int axis;    ///< the line of sight
    bool by_mu;  ///< s and mu; else rp and pi
    T above2;    ///< no pair at this d2 or less is in any bin
    T limit2;    ///< nor at a larger one than this

    [[nodiscard]] ZWALK_HD int cells() const { return edges.bins * los_edges.bins; }
    ZWALK_HD T cutoff2() const { return limit2; }
    ZWALK_HD Decision decide(auto const& t, auto const& s, Range<T> d) const {
        bool const none = !sides.apart(t.first, s.first) || d.lo2 > limit2 || d.hi2 <= above2;
        return none ? Decision::discard : Decision::descend;
    }
    /// Bin (i, j) is cell i * los_edges.bins + j; -1: none.
    [[nodiscard]] ZWALK_INLINE int cell(T d2, Vec<D, T> const& dx) const {
        T const along = on_axis(dx), along2 = along * along;
        int const i = edges.bin(by_mu ? d2 : across2(dx)), j = los_bin(along2, d2);
        bool const none = i < 0 || i >= edges.bins || j < 0 || j >= los_edges.bins;
        return none ? -1 : i * los_edges.bins + j;
    }

  private:
    /// dx[axis], up to the sign of a zero. An array that is indexed by a variable is memory on a GPU, and so is one of whose
    /// elements one is chosen.
    ZWALK_INLINE T on_axis(Vec<D, T> const& dx) const {
        T x = 0;
        ZWALK_UNROLL
        for (int j = 0; j < D; ++j) x += j == axis ? dx[j] : T(0);
        return x;
    }
    /// In the order of the axes, as squared distances are.
    ZWALK_INLINE T across2(Vec<D, T> const& dx) const {
        T sum = 0;
        ZWALK_UNROLL
        for (int j = 0; j < D; ++j)
            if (j != axis) sum = std::fma(dx[j], dx[j], sum);
        return sum;
    }
    /// mu^2 is compared as along2 with edge^2 * d2.
    ZWALK_INLINE int los_bin(T along2, T d2) const {
        T const unit = by_mu ? d2 : T(1);
        int b = los_edges.bins;
        while (b > 0 && !(los_edges.edge2[b] * unit < along2)) --b;
        return b > 0 || los_edges.edge2[0] * unit <= along2 ? b : -1;
    }
};

/// Counts pairs by two numbers.
template <int D, class T, bool weighted>
struct PairsByTwo : PairTypes<D, T, weighted>, TwoNumbers<D, T> {
    using Base = PairTypes<D, T, weighted>;
    using typename Base::Node, typename Base::Point;
    static constexpr int most_cells = 512;
    static constexpr Uses uses{
        .summary = weighted, .total = true, .symmetric = true, .cutoff = true, .displacement = true};
    using Total = PairTotal<most_cells, weighted>;

    ZWALK_HD void combine(Total& a, Total const& b) const { a.add(b, this->cells()); }
    /// Never called: decide() accepts nothing.
    ZWALK_HD void accept(Node const&, Node const&, Range<T>, auto&) const {}
    ZWALK_HD void pair(Point const& p, Point const& q, T d2, Vec<D, T> const& dx, auto& sink) const {
        int const cell = this->cell(d2, dx);
        if (cell < 0) return;
        sink.total().add(cell, 1);
        if constexpr (weighted) sink.total().add_product(cell, p.payload.units, q.payload.units);
    }
};

}}  // namespace zwalk::v0
