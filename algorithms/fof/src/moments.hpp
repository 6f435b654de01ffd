// Sums over the members of one group, in passes that any number of threads may share.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "zwalk/core/fixed_sum.hpp"
#include "zwalk/core/length_unit.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Units of the sums over numbers that are below 2 (masses), below 2 in each of two factors, and below
/// 2 * 16 * dim (squares of distances with components below 4, times a mass).
struct Scales {
    FixedScale mass{2}, product{4}, square;
    explicit Scales(int dim) : square(32. * dim) {}
};

/// The points of a catalogue, and where they live.
template <class T>
struct Particles {
    Points<T> points{}, velocities{};  ///< no velocities: of size 0
    std::span<T const> masses{};       ///< empty: all 1
    std::span<index_t const>
        input_index{};                ///< of each point; empty: they are in the order of the input
    bool periodic = false;            ///< along some axis
    std::array<double, 64> period{};  ///< 0 on open axes
    std::array<double, 64> lo{};      ///< least coordinate of all points
    Scales scales{points.dim};
};

constexpr std::size_t member_grain = 1 << 13;  // members per task

/// add(fold, i) for members i < n, folds of parts joined by fold.join(other) in any order.
template <class Fold, class Add>
Fold reduce_members(std::size_t n, Add const& add) {
    auto const part = [&add](std::size_t i, std::size_t end, Fold fold) {
        for (; i < end; ++i) add(fold, i);
        return fold;
    };
    if (n <= member_grain) return part(0, n, Fold{});  // without waiting for tasks
    return parallel_reduce(n, member_grain, Fold{}, part, [](Fold a, Fold const& b) {
        a.join(b);
        return a;
    });
}

// Folds below hold sums alone, and no pointers: parts of a group may be of other processes.

/// Which of 64 slices of every periodic axis hold members, as bits.
template <std::size_t Capacity>
struct Slices {
    static constexpr int count = 64;
    std::array<std::uint64_t, Capacity> used{};

    template <class Members>
    void add(Members const& members, std::size_t i) {
        for (std::size_t j = 0; j < members.dim(); ++j)
            if (members.length(j) > 0) used[j] |= std::uint64_t(1) << members.slice(members.x(i, j), j);
    }
    void join(Slices const& o) {
        for (std::size_t j = 0; j < used.size(); ++j) used[j] |= o.used[j];
    }
    /// Where the group begins on an axis: at the slice behind the longest run of unused ones, going
    /// around. 0 if no member lies before that slice.
    [[nodiscard]] int begin(std::size_t j) const {
        int best = 0, longest = -1;
        for (std::uint64_t rest = used[j]; rest != 0; rest &= rest - 1) {
            int const slice = std::countr_zero(rest);
            int const run = std::countl_zero(std::rotr(used[j], slice));  // of those before it
            if (run > longest) longest = run, best = slice;
        }
        return (used[j] & ((std::uint64_t(1) << best) - 1)) == 0 ? 0 : best;
    }
    [[nodiscard]] bool all_used(std::size_t j) const { return used[j] == ~std::uint64_t(0); }
};

/// Before all sums: the first member, and where others are on periodic axes.
template <std::size_t Capacity>
struct Outset {
    std::array<double, Capacity> reference{};  ///< the first member's coordinates
    Slices<Capacity> slices;

    /// Joins a part whose members come later.
    void join(Outset const& o) { slices.join(o.slices); }
};

/// Memory for the members of one group.
template <class T>
struct MemberMemory {
    std::vector<T> x, v, m;
};

/// The members of one group, or of a part of one, brought together; and where they lie as seen from the first of the
/// group, without the periodic edges. Dim: number of axes, or 0: any.
template <int Dim, class T>
class Members {
  public:
    static constexpr std::size_t capacity = Dim ? Dim : 64;

    /// @param rows  of `all`, in z-order
    Members(Particles<T> const& all, std::span<pos_t const> rows, MemberMemory<T>& memory)
        : all_(all), rows_(rows), dim_(std::size_t(all.points.dim)), memory_(memory) {
        gather(all.points, memory.x);
        gather(all.velocities, memory.v);
        gather({all.masses.data(), all.masses.size(), 1}, memory.m);
    }
    [[nodiscard]] Outset<capacity> outset() const {
        Outset<capacity> own;
        for (std::size_t j = 0; j < dim(); ++j) own.reference[j] = x(0, j);
        if (all_.periodic)
            own.slices = reduce_members<Slices<capacity>>(
                size(), [this](auto& slices, std::size_t i) { slices.add(*this, i); });
        return own;
    }
    /// Takes the place from where the whole group is seen. Separations are there afterwards.
    void see_from(Outset<capacity> const& outset) {
        for (std::size_t j = 0; j < dim(); ++j) {
            Axis& a = axis_[j];
            a.reference = outset.reference[j];
            if (length(j) == 0) continue;
            a.begin = outset.slices.begin(j);
            a.around = outset.slices.all_used(j);
            a.reference_shift = shift(a.reference, j);
        }
    }

    [[nodiscard]] std::size_t size() const { return rows_.size(); }
    [[nodiscard]] std::size_t dim() const { return Dim ? std::size_t(Dim) : dim_; }
    [[nodiscard]] bool moves() const { return all_.velocities.size > 0; }
    [[nodiscard]] double length(std::size_t j) const { return all_.period[j]; }
    [[nodiscard]] Scales const& scales() const { return all_.scales; }

    /// The row of a member in the input.
    [[nodiscard]] index_t row(std::size_t i) const {
        return all_.input_index.empty() ? index_t(rows_[i]) : all_.input_index[rows_[i]];
    }
    [[nodiscard]] double x(std::size_t i, std::size_t j) const { return memory_.x[i * dim() + j]; }
    [[nodiscard]] double velocity(std::size_t i, std::size_t j) const {
        return memory_.v[i * dim() + j];
    }
    [[nodiscard]] double mass(std::size_t i) const { return all_.masses.empty() ? 1 : memory_.m[i]; }
    [[nodiscard]] double reference(std::size_t j) const { return axis_[j].reference; }
    /// The slice of a coordinate on a periodic axis.
    [[nodiscard]] int slice(double x, std::size_t j) const {
        constexpr int count = Slices<capacity>::count;
        double const part = (x - all_.lo[j]) / length(j);
        return std::clamp(int(part * count), 0, count - 1);
    }
    /// Coordinate of a member along an axis, relative to that of the group's first.
    [[nodiscard]] double separation(std::size_t i, std::size_t j) const {
        Axis const& a = axis_[j];
        double const dx = x(i, j) - a.reference;
        if (a.around) return dx - length(j) * std::round(dx / length(j));
        return a.begin > 0 ? dx + (shift(x(i, j), j) - a.reference_shift) : dx;
    }

  private:
    struct Axis {
        double reference = 0, reference_shift = 0;
        int begin = 0;        ///< the group's first slice; those before it come behind its end
        bool around = false;  ///< no slice is free to cut the axis at: the nearest image is taken
    };

    void gather(Points<T> from, std::vector<T>& to) {
        if (from.size == 0) return;
        auto const columns = std::size_t(from.dim);
        to.resize(std::max(to.size(), size() * columns));
        auto const part = [&](std::size_t i, std::size_t end) {
            for (; i < end; ++i)
                for (std::size_t j = 0; j < columns; ++j)
                    to[i * columns + j] = from.data[rows_[i] * columns + j];
        };
        if (size() <= member_grain) part(0, size());
        else parallel_for(size(), member_grain, part);
    }
    [[nodiscard]] double shift(double x, std::size_t j) const {
        return slice(x, j) < axis_[j].begin ? length(j) : 0;
    }

    Particles<T> const& all_;
    std::span<pos_t const> rows_;
    std::size_t dim_;
    MemberMemory<T> const& memory_;
    std::array<Axis, capacity> axis_;
};

/// The power of two that a group's numbers (lengths, velocities, masses) are divided by, exactly: |x| / unit < 2 for
/// |x| <= bound. So their products and squares neither overflow nor vanish.
using Unit = LengthUnit<double>;
inline Unit unit_below(double bound) { return bound > 0 ? Unit(std::ilogb(bound)) : Unit(); }

/// What passes have found out for those that follow.
template <std::size_t Capacity>
struct Known {
    struct Units {
        Unit mass, x, v;
    } unit;                                         ///< after the first pass
    double mass = 0;                                ///< after the second; in these units, as all below
    std::array<double, Capacity> centre, velocity;  ///< the centre as seen from the first member
};

/// First pass: how large the numbers are, and the label.
struct Bounds {
    double mass = 0, x = 0, v = 0;  ///< largest m, |dx_j|, |v_j|
    index_t label = std::numeric_limits<index_t>::max();

    template <class Members>
    void add(Members const& members, Known<Members::capacity> const&, std::size_t i) {
        mass = std::max(mass, members.mass(i));
        label = std::min(label, members.row(i));
        for (std::size_t j = 0; j < members.dim(); ++j) {
            x = std::max(x, std::abs(members.separation(i, j)));
            if (members.moves()) v = std::max(v, std::abs(members.velocity(i, j)));
        }
    }
    void join(Bounds const& o) {
        mass = std::max(mass, o.mass);
        x = std::max(x, o.x);
        v = std::max(v, o.v);
        label = std::min(label, o.label);
    }
};

/// Second pass: mass, and sums of m dx and m v, dx as seen from the first member.
template <std::size_t Capacity>
struct FirstMoments {
    FixedSum mass = 0;
    std::array<FixedSum, Capacity> x{}, v{};

    template <class Members>
    void add(Members const& members, Known<Capacity> const& known, std::size_t i) {
        auto const& unit = known.unit;
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
        for (std::size_t j = 0; j < x.size(); ++j) x[j] += o.x[j], v[j] += o.v[j];
    }
};

/// Third pass: sums of m |dx - centre|^2 and m |v - velocity|^2, and the member that is furthest from the centre (of
/// several the one with the smallest index).
struct SecondMoments {
    FixedSum x = 0, v = 0;
    double far2 = -1;
    index_t far = std::numeric_limits<index_t>::max();

    template <class Members>
    void add(Members const& members, Known<Members::capacity> const& known, std::size_t i) {
        double x2 = 0, v2 = 0;
        for (std::size_t j = 0; j < members.dim(); ++j) {
            double const dx = known.unit.x.in(members.separation(i, j)) - known.centre[j];
            x2 += dx * dx;
            if (!members.moves()) continue;
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
    void take(double d2, index_t row) {
        if (d2 > far2 || (d2 == far2 && row < far)) far2 = d2, far = row;
    }
};

}}}  // namespace zwalk::v0::detail
