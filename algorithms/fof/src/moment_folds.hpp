// What is found out of a group's members, pass by pass: sums, maxima and bits, which have no order. So any number of threads, lanes
// or ranks may share the members. Usable in kernels.
//
// A fold is made of `members` of a group, seen from its first one:
//
//   dim(), moves()       axes; whether there are velocities
//   axis(j), scales()    axis j, and the units of sums
//   x(i, j), velocity(i, j), mass(i), row(i)   of member i; row: of the input
//   separation(i, j)     its coordinate relative to that of the first
//
// Folds hold no pointers: parts of a group may be of other processes.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include "zwalk/core/bits.hpp"
#include "zwalk/core/config.hpp"
#include "zwalk/core/fixed_sum.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/core/vec.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Units of the sums over numbers that are below 2 (masses), below 2 in each of two factors, and below
/// 2 * 16 * dim (squares of distances with components below 4, times a mass).
struct Scales {
    FixedScale mass{2}, product{4}, square;
    explicit Scales(int dim) : square(32. * dim) {}
};

/// An axis of all points.
struct Axis {
    static constexpr int slices = 64;

    double length = 0;  ///< its period; 0: it is open
    double lo = 0;      ///< least coordinate of all points
    double begin = 0;   ///< where centres begin: they lie in [begin, begin + length)

    /// The slice of a coordinate on a periodic axis.
    [[nodiscard]] ZWALK_HD int slice(double x) const {
        return min_of(max_of(int((x - lo) / length * slices), 0), slices - 1);
    }
    /// Moves a coordinate into [begin, begin + length).
    [[nodiscard]] ZWALK_HD double inside(double x) const {
        if (length == 0) return x;
        x -= length * std::floor((x - begin) / length);
        return x < begin + length ? max_of(x, begin) : begin;  // against rounding
    }
};

/// Which slices of the periodic axes hold members, as bits.
template <std::size_t Capacity>
struct Slices {
    std::uint64_t used[Capacity] = {};

    template <class Members>
    ZWALK_HD void add(Members const& members, std::size_t i) {
        for (std::size_t j = 0; j < members.dim(); ++j)
            if (members.axis(j).length > 0)
                used[j] |= std::uint64_t(1) << members.axis(j).slice(members.x(i, j));
    }
    void join(Slices const& o) {
        for (std::size_t j = 0; j < Capacity; ++j) used[j] |= o.used[j];
    }
};

/// Where a group begins on an axis of which it uses these slices: at that behind the longest run of unused ones, going around. 0 if no
/// member lies before that slice.
ZWALK_HD inline int first_slice(std::uint64_t used) {
    int best = 0, longest = -1;
    for (std::uint64_t rest = used; rest != 0; rest &= rest - 1) {
        int const slice = width_of_bits(rest & -rest) - 1;
        std::uint64_t const before = slice ? used >> slice | used << (Axis::slices - slice) : used;
        int const run = Axis::slices - width_of_bits(before);
        if (run > longest) longest = run, best = slice;
    }
    return (used & ((std::uint64_t(1) << best) - 1)) == 0 ? 0 : best;
}

/// How a group is seen along an axis: from its first member, and without the periodic edge.
struct SeenAlong {
    double reference = 0, reference_shift = 0;
    int begin = 0;   ///< the group's first slice; those before it come behind its end
    int around = 0;  ///< no slice is free to cut the axis at: the nearest image is taken

    SeenAlong() = default;
    /// @param from  coordinate of the first member
    ZWALK_HD SeenAlong(double from, std::uint64_t used, Axis const& axis) : reference(from) {
        if (axis.length == 0) return;
        begin = first_slice(used);
        around = used == ~std::uint64_t(0);
        reference_shift = shift(from, axis);
    }
    [[nodiscard]] ZWALK_HD double separation(double x, Axis const& axis) const {
        double const dx = x - reference;
        if (around) return dx - axis.length * std::round(dx / axis.length);
        return begin > 0 ? dx + (shift(x, axis) - reference_shift) : dx;
    }

  private:
    [[nodiscard]] ZWALK_HD double shift(double x, Axis const& axis) const {
        return axis.slice(x) < begin ? axis.length : 0;
    }
};

/// The power of two that a group's numbers (lengths, velocities, masses) are divided by, exactly: |x| / unit < 2 for
/// |x| <= bound. So their products and squares neither overflow nor vanish. A LengthUnit for kernels.
struct Unit {
    double size = 1, inverse = 1;

    [[nodiscard]] ZWALK_HD double in(double x) const { return x * inverse; }
    [[nodiscard]] ZWALK_HD double out(double x) const { return x * size; }
};
ZWALK_HD inline Unit unit_below(double bound) {
    if (!(bound > 0)) return {};
    int const exponent = max_of(std::ilogb(bound), -1022);  // so that its inverse is a number
    return {std::ldexp(1., exponent), std::ldexp(1., -exponent)};
}

inline constexpr index_t no_row_yet = std::numeric_limits<index_t>::max();

/// First pass: how large the numbers are, and the label.
struct Bounds {
    double mass = 0, x = 0, v = 0;  ///< largest m, |dx_j|, |v_j|
    index_t label = no_row_yet;

    template <class Members>
    ZWALK_HD void add(Members const& members, std::size_t i) {
        mass = max_of(mass, members.mass(i));
        label = min_of(label, members.row(i));
        for (std::size_t j = 0; j < members.dim(); ++j) {
            x = max_of(x, std::abs(members.separation(i, j)));
            if (members.moves()) v = max_of(v, std::abs(members.velocity(i, j)));
        }
    }
    void join(Bounds const& o) {
        mass = max_of(mass, o.mass);
        x = max_of(x, o.x);
        v = max_of(v, o.v);
        label = min_of(label, o.label);
    }
};

/// The units of a group, after the first pass.
struct Units {
    Unit mass, x, v;

    Units() = default;
    ZWALK_HD explicit Units(Bounds const& bounds)
        : mass(unit_below(bounds.mass)), x(unit_below(bounds.x)), v(unit_below(bounds.v)) {}
};

/// Second pass: mass, and sums of m dx and m v, dx as seen from the first member.
template <std::size_t Capacity>
struct FirstMoments {
    FixedSum mass = 0;
    FixedSum x[Capacity] = {}, v[Capacity] = {};

    template <class Members, class Known>
    ZWALK_HD void add(Members const& members, Known const& known, std::size_t i) {
        Units const& unit = known.unit;
        double const m = unit.mass.in(members.mass(i));
        mass += members.scales().mass.fixed(m);
        for (std::size_t j = 0; j < members.dim(); ++j) {
            x[j] += members.scales().product.fixed(m * unit.x.in(members.separation(i, j)));
            if (members.moves())
                v[j] += members.scales().product.fixed(m * unit.v.in(members.velocity(i, j)));
        }
    }
    void join(FirstMoments const& o) {
        mass += o.mass;
        for (std::size_t j = 0; j < Capacity; ++j) x[j] += o.x[j], v[j] += o.v[j];
    }
};

/// The square of a member's distance from the centre.
template <class Members, class Known>
ZWALK_HD double distance2(Members const& members, Known const& known, std::size_t i) {
    double x2 = 0;
    for (std::size_t j = 0; j < members.dim(); ++j) {
        double const dx = known.unit.x.in(members.separation(i, j)) - known.centre[j];
        x2 += dx * dx;
    }
    return x2;
}

/// Third pass: sums of m |dx - centre|^2 and m |v - velocity|^2, and the member that is furthest from the centre (of
/// several the one with the smallest index).
struct SecondMoments {
    FixedSum x = 0, v = 0;
    double far2 = -1;
    index_t far = no_row_yet;

    template <class Members, class Known>
    ZWALK_HD void add(Members const& members, Known const& known, std::size_t i) {
        double const x2 = distance2(members, known, i);
        double v2 = 0;
        for (std::size_t j = 0; members.moves() && j < members.dim(); ++j) {
            double const dv = known.unit.v.in(members.velocity(i, j)) - known.velocity[j];
            v2 += dv * dv;
        }
        double const m = known.unit.mass.in(members.mass(i));
        x += members.scales().square.fixed(m * x2);
        v += members.scales().square.fixed(m * v2);
        take(x2, members.row(i));
    }
    void join(SecondMoments const& o) {
        x += o.x;
        v += o.v;
        take(o.far2, o.far);
    }

  private:
    ZWALK_HD void take(double d2, index_t row) {
        if (d2 > far2 || (d2 == far2 && row < far)) far2 = d2, far = row;
    }
};

/// Numbers of a row of the catalogue, from sums over the group's members.
struct RowFormulas {
    Scales const& scales;
    Units unit;
    double mass;  ///< in its unit, as means are in theirs

    [[nodiscard]] ZWALK_HD double mean(FixedSum sum) const { return scales.product.value(sum) / mass; }
    [[nodiscard]] ZWALK_HD double total_mass() const { return unit.mass.out(mass); }
    /// Coordinate of the centre, by the mean as seen from the first member.
    [[nodiscard]] ZWALK_HD double centre(double mean, SeenAlong const& seen, Axis const& axis) const {
        return axis.inside(seen.reference + unit.x.out(mean));
    }
    [[nodiscard]] ZWALK_HD double velocity(double mean) const { return unit.v.out(mean); }
    [[nodiscard]] ZWALK_HD double inertia_radius(FixedSum x2) const { return unit.x.out(root_mean(x2)); }
    [[nodiscard]] ZWALK_HD double velocity_dispersion(FixedSum v2) const {
        return unit.v.out(root_mean(v2));
    }
    [[nodiscard]] ZWALK_HD double radius(double far2) const { return unit.x.out(std::sqrt(far2)); }

  private:
    [[nodiscard]] ZWALK_HD double root_mean(FixedSum sum) const {
        return std::sqrt(scales.square.value(sum) / mass);
    }
};

}}}  // namespace zwalk::v0::detail
