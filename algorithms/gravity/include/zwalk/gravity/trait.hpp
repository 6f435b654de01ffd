// Gravity as a trait: a fast multipole method on the dual-tree walk (Dehnen 2002, J. Comput. Phys. 179, 27).
//
// Moments go up the tree as summaries. Pairs of nodes that are far enough apart are accepted: the moments of the source
// become a field about the target's middle (absorb), which goes down to its children (inherit) and is evaluated where a
// target point begins. The others end as leaves whose points meet one by one (visit).
#pragma once
#include <cmath>

#include "zwalk/gravity/detail/expansion.hpp"
#include "zwalk/walk/interaction.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

template <class T>
struct PointMass {
    T mass;  ///< >= 0
};

// Expansions are in double also for float: their fifth powers of lengths, and the inverse of these, need its range. Masses that
// meet one by one have the precision of the points.

/// The masses of a node.
template <int P, class T>
struct Multipole {
    Vec<3, T> lo, hi;                ///< their box
    Vec<3, double> centre;           ///< of mass
    Coefficients<P, double> moment;  ///< about that; [0]: the mass
    /// Square of the diagonal that decides, at least that of the box: more where masses are further from their centre than in
    /// a box that is evenly filled. No less than those of the nodes in it.
    T size2;

    /// The middle of the box: no point is further from it than half the diagonal, as some may be from the centre of mass.
    [[nodiscard]] ZWALK_HD Vec<3, double> middle() const {
        Vec<3, double> m;
        ZWALK_AXES_LOOP
        for (int i = 0; i < 3; ++i) m[i] = double(lo[i]) / 2 + double(hi[i]) / 2;
        return m;
    }
};

/// The field of all that has been accepted for a node and those above it, about the middle of the node.
template <int P>
struct LocalField {
    Vec<3, double> middle;
    Coefficients<P, double> field;
};

/// Accelerations and potentials of masses in open space by expansions of order P, with G = 1 and Plummer softening: that
/// of a mass m at distance r is -m / sqrt(r^2 + softening^2). Masses at the same place don't attract each other; a point's
/// own mass is left out, and without softening so is that of all others at its place, whose potential would be infinite.
template <int P, class T>
struct Gravity : Types<3, T, PointMass<T>, Multipole<P, T>, LocalField<P>> {
    using Base = Types<3, T, PointMass<T>, Multipole<P, T>, LocalField<P>>;
    using typename Base::Node, typename Base::Point, typename Base::Target, typename Base::State,
        typename Base::Summary, typename Base::Leaf;
    /// What meets point by point has no error but rounding, and 64 pairs take no longer than an expansion of order 4 or 5.
    static constexpr Uses uses{.state = true, .summary = true, .displacement = true, .lanes = true};
    static constexpr Tuning tuning{.lane_absorb = true, .few_pairs = 64, .leaf_summary = true};

    /// Square of the opening: a source node acts as a whole on a target node if (3 a + b) / 2 is less than this times the gap
    /// between them, for sizes a of the target and b of the source (Multipole::size2). The smaller, the more accurate.
    T opening2;
    T softening2;
    /// One over the unit of length of expansions, a power of two. No result depends on it, unless powers of lengths get
    /// out of range.
    double per_unit;
    Vec<3, T>* acceleration;  ///< of each target, by its index
    T* potential;

    ZWALK_HD Summary summarize(Point const& p) const {
        Summary s{p.x, p.x, in_double(p.x), {}, 0};
        s.moment.at[0] = p.payload.mass;
        return s;
    }
    /// With the centre first: else all moments so far would have to follow it from point to point.
    ZWALK_HD Summary summarize_leaf(Leaf const& leaf) const {
        Summary s = summarize(leaf[0]);
        if (leaf.count == 1) return s;
        for (pos_t i = 1; i < leaf.count; ++i) {
            Point const p = leaf[i];
            add_box_and_centre(s, p.x, p.x, in_double(p.x), p.payload.mass);
        }
        s.moment.at[0] = 0;
        for (pos_t i = 0; i < leaf.count; ++i) {
            Point const p = leaf[i];
            add_moments<P>(s.moment, double(p.payload.mass), in_units(in_double(p.x), s.centre));
        }
        s.size2 = size2_of(s);
        return s;
    }
    ZWALK_HD Summary merge(Summary const& a, Summary const& b) const {
        Summary s{a.lo, a.hi, a.centre, {}, 0};
        s.moment.at[0] = a.moment.at[0];
        add_box_and_centre(s, b.lo, b.hi, b.centre, b.moment.at[0]);
        s.moment.at[0] = 0;
        shift_moments<P>(s.moment, a.moment, in_units(a.centre, s.centre));
        if (is_one_place(b)) add_moments<P>(s.moment, b.moment.at[0], in_units(b.centre, s.centre));
        else shift_moments<P>(s.moment, b.moment, in_units(b.centre, s.centre));
        s.size2 = max_of(size2_of(s), max_of(a.size2, b.size2));
        return s;
    }

    /// The target's size weighs more: large nodes in thin outskirts get all that they feel from one side, so that errors add
    /// up, and have few points, so that it costs little to look closer. (With equal weights the errors that 99 of
    /// 100 points of a Plummer sphere keep are two to four times as large, in the same time.) A target that is much smaller than
    /// the source is taken for a larger one: else a single point would look at a source's mere b / 2, closer than its expansion
    /// goes.
    ZWALK_HD Decision decide(Node const& t, auto const& s, Range<T> d) const {
        if (are_at_one_place(t, s, d))  // see above
            return softening2 > 0 ? Decision::accept : Decision::discard;
        // (3 a + b)^2 <= 2 (9 a^2 + b^2)
        T const b2 = s.summary.size2, a2 = max_of(t.summary.size2, b2 / 2);
        return 9 * a2 + b2 < 2 * opening2 * d.lo2 ? Decision::accept : Decision::descend;
    }

    ZWALK_HD State top_state() const { return {}; }
    ZWALK_HD State inherit(State const& own, Node const& parent, Node const& child) const {
        auto const from = parent.summary.middle(), to = child.summary.middle();
        return {to, shift_field<P>(own.field, in_units(from, to))};
    }
    // tutorial-begin absorb
    /// The moments of a source, or of several; by default of one without mass.
    template <class V>
    struct Accepted {
        Vec<3, V> to_target{V(1), V(0), V(0)};  ///< from their centre to the target's middle, in units
        Coefficients<P, V> moment{};
    };
    ZWALK_HD Accepted<double> accepted(Node const& t, auto const& s, Range<T>) const {
        return {in_units(s.summary.centre, t.summary.middle()), s.summary.moment};
    }
    template <class V>
    ZWALK_HD void absorb(State& own, Node const& t, AcceptedView<Accepted<V>> sources) const {
        V const soft2 = double(softening2) * per_unit * per_unit;
        Coefficients<P, V> all{};
        for (auto const& s : sources) add_field<P>(all, s.moment, s.to_target, soft2);
        own.middle = t.summary.middle();
        add_sums<P>(own.field, all);
    }
    // tutorial-end absorb

    template <class V>
    struct Fold {
        Vec<3, V> acceleration{};
        V potential{0};
        V mass_here{0};  ///< at the target's place
    };
    ZWALK_HD Fold<T> begin(Target const& p, State const& own) const {
        auto const far = evaluate<P>(own.field, in_units(own.middle, in_double(p.x)));
        double const u = per_unit, u2 = u * u;
        return {{T(far.gradient[0] * u2), T(far.gradient[1] * u2), T(far.gradient[2] * u2)},
                T(-far.sum * u),
                -p.payload.mass};
    }
    template <class V>
    ZWALK_HD void visit(Fold<V>& a, Target const&, auto const& q, V d2, Vec<3, V> const& dx) const {
        V const r2 = d2 + softening2;
        V inverse{0};
        if (all_of((d2 >= inverse_sqrt_from<T>)&(r2 <= inverse_sqrt_to<T>))) [[likely]] {
            inverse = inverse_sqrt_of(r2);
        } else {  // some source is here, or lacks (d2 is NaN), or is very near or far
            inverse = select(d2 > 0, 1 / sqrt_of(r2), 0);
            a.mass_here += select(d2 == 0, q.payload.mass, 0);
        }
        V const g = q.payload.mass * inverse, w = g * (inverse * inverse);
        a.potential -= g;
        ZWALK_AXES_LOOP  // g++ leaves loops what they are, with sums in memory, unless asked
            for (int i = 0; i < 3; ++i) a.acceleration[i] = fma_of(w, dx[i], a.acceleration[i]);
    }
    ZWALK_HD void join(Fold<T>& a, auto const& lanes) const {
        a.potential += sum_of(lanes.potential);
        a.mass_here += sum_of(lanes.mass_here);
        ZWALK_AXES_LOOP
        for (int i = 0; i < 3; ++i) a.acceleration[i] += sum_of(lanes.acceleration[i]);
    }
    ZWALK_HD void end(Fold<T> const& a, Target const& p) const {
        acceleration[p.index] = a.acceleration;
        potential[p.index] = a.potential;
        if (softening2 > 0) potential[p.index] -= a.mass_here / std::sqrt(softening2);
    }

  private:
    /// Adds a mass to all that moments are about: the box, the centre, and all mass.
    static ZWALK_HD void add_box_and_centre(Summary& s, Vec<3, T> const& lo, Vec<3, T> const& hi,
                                            Vec<3, double> const& centre, double mass) {
        double const sum = s.moment.at[0] + mass, share = sum > 0 ? mass / sum : .5;
        ZWALK_AXES_LOOP
        for (int i = 0; i < 3; ++i) {
            s.lo[i] = min_of(s.lo[i], lo[i]);
            s.hi[i] = max_of(s.hi[i], hi[i]);
            s.centre[i] = s.centre[i] + (centre[i] - s.centre[i]) * share;
        }
        s.moment.at[0] = sum;
    }
    /// As leaves of one point are: such masses have no moments about their centre but the first. No
    /// result depends on it; on a GPU, where code for this, too, would spill registers, it is not tested.
    static ZWALK_HD bool is_one_place([[maybe_unused]] Summary const& s) {
#if defined(__CUDA_ARCH__)
        return false;
#else
        return s.lo[0] == s.hi[0] && s.lo[1] == s.hi[1] && s.lo[2] == s.hi[2];
#endif
    }
    /// Whether all points of two nodes are at one place. Sizes are in summaries, which are looked at anyway.
    static ZWALK_HD bool are_at_one_place(Node const& t, auto const& s, Range<T> d) {
#if defined(__CUDA_ARCH__)
        return t.diag2 + s.diag2 == 0 && d.lo2 == 0;
#else
        return d.lo2 == 0 && t.summary.size2 + s.summary.size2 == 0;
#endif
    }
    /// For Multipole::size2, but for nodes below: how large an evenly filled box is whose moments are as large. At most three times
    /// diag2, as of clumps at its corners.
    ///
    /// What an expansion leaves out begins with the moments after the last, which are most of all those of few masses far from
    /// the others: of the sixth order they are at least the square of the fourth over the second (Cauchy and Schwarz).
    ZWALK_HD T size2_of(Summary const& s) const {
        double diag2 = 0;
        for (int i = 0; i < 3; ++i) diag2 += double(s.hi[i] - s.lo[i]) * double(s.hi[i] - s.lo[i]);
        double even = 1;  // of diag2
        double const unit2 = diag2 * per_unit * per_unit;
        if constexpr (P >= 2) {
            double const second = mean_power<2>(s.moment) / unit2;
            even = max_of(even, 12 * second);
            if constexpr (P >= 4) {
                double const fourth = mean_power<4>(s.moment) / (unit2 * unit2);
                // In an evenly filled line: 1 / 12, 1 / 80, .001875. Roots, which all machines round alike, are about a cubic one.
                double const fourth_root = std::sqrt(std::sqrt(fourth * fourth / (.001875 * second)));
                even = max_of(even, fourth_root * std::sqrt(fourth_root));
            }
        }
        return T(diag2 * min_of(even, 3.));
    }
    /// The mean of the n-th power of the distances of masses from their centre, in units.
    template <int n>
    static ZWALK_HD double mean_power(Coefficients<P, double> const& m) {
        using N = MultiIndices<P>;
        double sum = 0;
        for (int i = 0; i < 3; ++i) {
            int const e[3]{i == 0, i == 1, i == 2}, f[3]{i != 0, i != 1, i != 2};
            if constexpr (n == 2) sum += 2 * m.at[N::index(2 * e[0], 2 * e[1], 2 * e[2])];
            else
                sum += 24 * m.at[N::index(4 * e[0], 4 * e[1], 4 * e[2])] +
                       8 * m.at[N::index(2 * f[0], 2 * f[1], 2 * f[2])];
        }
        return sum / m.at[0];
    }
    static ZWALK_HD Vec<3, double> in_double(Vec<3, T> const& x) {
        return {double(x[0]), double(x[1]), double(x[2])};
    }
    /// The vector from a to b.
    [[nodiscard]] ZWALK_HD Vec<3, double> in_units(Vec<3, double> const& a,
                                                   Vec<3, double> const& b) const {
        double const u = per_unit;
        return {(b[0] - a[0]) * u, (b[1] - a[1]) * u, (b[2] - a[2]) * u};
    }
};

}}  // namespace zwalk::v0
