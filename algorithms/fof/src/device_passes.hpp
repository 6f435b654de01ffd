// The passes of a catalogue over the members of all groups, on a device: functions of elements, for Place::for_each.
//
// Members are in group order. A thread takes a piece of it, and folds the run of each group that lies in it by the code of threads
// (moment_folds.hpp). What it finds is added to what the group has in memory: integers, bits and maxima, so that no order of threads
// changes a bit of the result. The number of axes is a number like others: a pass with a sum for each axis has a thread for each.
#pragma once
#include <cstddef>
#include <cstdint>

#include "moment_folds.hpp"
#include "zwalk/core/device_points.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/exec/shared_sums.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Numbers of rows and columns in a device's memory.
template <class T>
struct NumbersThere {
    T const* data = nullptr;  ///< null: none
    std::size_t row_stride = 0, column_stride = 0;

    NumbersThere() = default;
    explicit NumbersThere(DevicePoints<T> const& rows)
        : data(rows.size ? rows.data : nullptr),
          row_stride(rows.row_stride),
          column_stride(rows.column_stride) {}
    [[nodiscard]] ZWALK_HD double at(std::size_t row, std::size_t j) const {
        return data[row * row_stride + j * column_stride];
    }
};

/// What is known of all members.
template <class T>
struct MembersThere {
    NumbersThere<T> x, v;
    T const* mass;               ///< null: all 1
    pos_t const* row;            ///< of points, in group order
    index_t const* input_index;  ///< of these rows in the input; null: they are the same
    Axis const* axis;
    std::size_t dim, size;
    Scales scales;
};

/// What there is one of for each axis of something: elements of a loop. Each thing has so many elements, a power of two, that a
/// shift tells which is whose.
struct AxisElements {
    std::size_t dim, shift = 0;

    explicit AxisElements(std::size_t axes) : dim(axes) {
        while ((std::size_t(1) << shift) < dim) ++shift;
    }
    /// How many elements n things have.
    [[nodiscard]] std::size_t of(std::size_t n) const { return n << shift; }
    /// f(thing, axis) for an element.
    template <class F>
    ZWALK_HD void at(std::size_t i, F const& f) const {
        std::size_t const thing = i >> shift, axis = i - (thing << shift);
        if (axis < dim) f(thing, axis);
    }
};

/// Sums over the members of a group; all begin as 0.
struct GroupSums {
    std::uint64_t mass_bound, x_bound, v_bound;  ///< the bits of what is in Bounds
    std::uint64_t label, far;                    ///< no_row_yet - the row
    std::uint64_t far2;                          ///< the bits of the largest square of a distance
    SharedSum mass, x2, v2;

    /// The smallest row.
    [[nodiscard]] ZWALK_HD index_t smallest() const { return no_row_yet - index_t(label); }
    [[nodiscard]] ZWALK_HD Units units() const {
        Bounds bounds;
        bounds.mass = bit_cast_to<double>(mass_bound);
        bounds.x = bit_cast_to<double>(x_bound);
        bounds.v = bit_cast_to<double>(v_bound);
        return Units(bounds);
    }
};
struct AxisSums {
    std::uint64_t used;  ///< slices
    SharedSum x, v;
};

/// All groups of the catalogue, in group order. Arrays with a value for each axis have those of a group side by side.
struct GroupsThere {
    std::size_t size;
    pos_t const *first, *count;  ///< members: order[first], ...
    GroupSums* sums;
    AxisSums* axis_sums;
    SeenAlong* seen;  ///< for each axis
    Units* unit;
    double* mass;               ///< in its unit
    double *centre, *velocity;  ///< for each axis
};

/// Members of a group as folds want them; i: in group order. Some axes of it, or all.
template <class T>
class MembersOf {
  public:
    ZWALK_HD MembersOf(MembersThere<T> const& all, SeenAlong const* seen, std::size_t first_axis,
                       std::size_t dim)
        : all_(all), seen_(seen), first_axis_(first_axis), dim_(dim) {}

    [[nodiscard]] ZWALK_HD std::size_t dim() const { return dim_; }
    [[nodiscard]] ZWALK_HD bool moves() const { return all_.v.data; }
    [[nodiscard]] ZWALK_HD Axis const& axis(std::size_t j) const { return all_.axis[first_axis_ + j]; }
    [[nodiscard]] ZWALK_HD Scales const& scales() const { return all_.scales; }
    [[nodiscard]] ZWALK_HD index_t row(std::size_t i) const {
        pos_t const row = all_.row[i];
        return all_.input_index ? all_.input_index[row] : index_t(row);
    }
    [[nodiscard]] ZWALK_HD double x(std::size_t i, std::size_t j) const {
        return all_.x.at(all_.row[i], first_axis_ + j);
    }
    [[nodiscard]] ZWALK_HD double velocity(std::size_t i, std::size_t j) const {
        return all_.v.at(all_.row[i], first_axis_ + j);
    }
    [[nodiscard]] ZWALK_HD double mass(std::size_t i) const {
        return all_.mass ? double(all_.mass[all_.row[i]]) : 1.;
    }
    [[nodiscard]] ZWALK_HD double separation(std::size_t i, std::size_t j) const {
        return seen_[first_axis_ + j].separation(x(i, j), axis(j));
    }

  private:
    MembersThere<T> const& all_;
    SeenAlong const* seen_;
    std::size_t first_axis_, dim_;
};

/// What is known of a group, as folds want it.
struct KnownThere {
    Units unit;
    double const *centre, *velocity;
};

/// Members in group order that a thread goes through.
inline constexpr std::size_t catalogue_piece = 64;
inline std::size_t catalogue_pieces(std::size_t members) {
    return (members + catalogue_piece - 1) / catalogue_piece;
}

/// What all passes have.
template <class T>
struct Pass {
    MembersThere<T> all;
    GroupsThere groups;
    AxisElements axes;

    /// f(group, begin, end) for each group that has members in a piece.
    template <class F>
    ZWALK_HD void each_run(std::size_t piece, F const& f) const {
        std::size_t const begin = piece * catalogue_piece,
                          end = min_of(begin + catalogue_piece, all.size);
        std::size_t low = 0, high = groups.size;  // groups before `low` begin at `begin` or before
        while (low < high) {
            std::size_t const middle = (low + high) / 2;
            if (groups.first[middle] <= begin) low = middle + 1;
            else high = middle;
        }
        for (std::size_t g = low ? low - 1 : 0; g < groups.size && groups.first[g] < end; ++g) {
            std::size_t const from = max_of<std::size_t>(begin, groups.first[g]),
                              to = min_of<std::size_t>(end,
                                                       std::size_t(groups.first[g]) + groups.count[g]);
            if (from < to) f(g, from, to);
        }
    }
    /// f(group, axis, begin, end) for an element of pieces and axes.
    template <class F>
    ZWALK_HD void each_run_along(std::size_t i, F const& f) const {
        axes.at(i, [&](std::size_t piece, std::size_t j) {
            each_run(piece,
                     [&](std::size_t g, std::size_t begin, std::size_t end) { f(g, j, begin, end); });
        });
    }
    [[nodiscard]] ZWALK_HD MembersOf<T> of(std::size_t g) const {
        return {all, groups.seen + g * all.dim, 0, all.dim};
    }
    [[nodiscard]] ZWALK_HD MembersOf<T> along(std::size_t g, std::size_t axis) const {
        return {all, groups.seen + g * all.dim, axis, 1};
    }
    [[nodiscard]] ZWALK_HD KnownThere known(std::size_t g) const {
        return {groups.unit[g], groups.centre + g * all.dim, groups.velocity + g * all.dim};
    }
};

/// For each piece and axis: the slices of it that groups use.
template <class T>
struct FindSlices : Pass<T> {
    ZWALK_HD void operator()(std::size_t i) const {
        this->each_run_along(i, [&](std::size_t g, std::size_t j, std::size_t begin, std::size_t end) {
            if (this->all.axis[j].length == 0) return;
            auto const members = this->along(g, j);
            Slices<1> fold;
            for (std::size_t k = begin; k < end; ++k) fold.add(members, k);
            shared_or(&this->groups.axis_sums[g * this->all.dim + j].used, fold.used[0]);
        });
    }
};
/// For each group and axis: how the group is seen.
template <class T>
struct SeeFromFirst : Pass<T> {
    ZWALK_HD void operator()(std::size_t i) const {
        this->axes.at(i, [&](std::size_t g, std::size_t j) {
            std::size_t const at = g * this->all.dim + j;
            this->groups.seen[at] = SeenAlong(this->along(g, j).x(this->groups.first[g], 0),
                                              this->groups.axis_sums[at].used, this->all.axis[j]);
        });
    }
};
/// For each piece and axis: how large numbers are, and labels.
template <class T>
struct FindBounds : Pass<T> {
    ZWALK_HD void operator()(std::size_t i) const {
        this->each_run_along(i, [&](std::size_t g, std::size_t j, std::size_t begin, std::size_t end) {
            auto const members = this->along(g, j);
            Bounds fold;
            for (std::size_t k = begin; k < end; ++k) fold.add(members, k);
            GroupSums& sums = this->groups.sums[g];
            // Bits of numbers that aren't negative are in their order.
            atomic_max(&sums.mass_bound, bit_cast_to<std::uint64_t>(fold.mass));
            atomic_max(&sums.x_bound, bit_cast_to<std::uint64_t>(fold.x));
            atomic_max(&sums.v_bound, bit_cast_to<std::uint64_t>(fold.v));
            atomic_max(&sums.label, std::uint64_t(no_row_yet - fold.label));
        });
    }
};
/// For each group: its units.
struct SetUnits {
    GroupsThere groups;
    ZWALK_HD void operator()(std::size_t g) const { groups.unit[g] = groups.sums[g].units(); }
};
/// For each piece and axis: sums along it, and with the first one masses.
template <class T>
struct AddFirstMoments : Pass<T> {
    ZWALK_HD void operator()(std::size_t i) const {
        this->each_run_along(i, [&](std::size_t g, std::size_t j, std::size_t begin, std::size_t end) {
            auto const members = this->along(g, j);
            KnownThere const known = this->known(g);
            FirstMoments<1> fold;
            for (std::size_t k = begin; k < end; ++k) fold.add(members, known, k);
            AxisSums& sums = this->groups.axis_sums[g * this->all.dim + j];
            shared_add(&sums.x, fold.x[0]);
            if (this->all.v.data) shared_add(&sums.v, fold.v[0]);
            if (j == 0) shared_add(&this->groups.sums[g].mass, fold.mass);
        });
    }
};
/// For each group and axis: means.
struct SetMeans {
    GroupsThere groups;
    AxisElements axes;
    Scales scales;
    ZWALK_HD void operator()(std::size_t i) const {
        axes.at(i, [&](std::size_t g, std::size_t j) {
            double const mass = scales.mass.value(groups.sums[g].mass.value());
            if (j == 0) groups.mass[g] = mass;
            RowFormulas const of{scales, groups.unit[g], mass};
            std::size_t const at = g * axes.dim + j;
            groups.centre[at] = of.mean(groups.axis_sums[at].x.value());
            groups.velocity[at] = of.mean(groups.axis_sums[at].v.value());
        });
    }
};
/// For each piece: second moments, and how far members are from the centre.
template <class T>
struct AddSecondMoments : Pass<T> {
    ZWALK_HD void operator()(std::size_t piece) const {
        this->each_run(piece, [&](std::size_t g, std::size_t begin, std::size_t end) {
            auto const members = this->of(g);
            KnownThere const known = this->known(g);
            SecondMoments fold;
            for (std::size_t k = begin; k < end; ++k) fold.add(members, known, k);
            GroupSums& sums = this->groups.sums[g];
            shared_add(&sums.x2, fold.x);
            if (this->all.v.data) shared_add(&sums.v2, fold.v);
            atomic_max(&sums.far2, bit_cast_to<std::uint64_t>(fold.far2));
        });
    }
};
/// For each piece: the members that are as far from the centre as any.
template <class T>
struct FindFarthest : Pass<T> {
    ZWALK_HD void operator()(std::size_t piece) const {
        this->each_run(piece, [&](std::size_t g, std::size_t begin, std::size_t end) {
            GroupSums& sums = this->groups.sums[g];
            auto const members = this->of(g);
            KnownThere const known = this->known(g);
            double const most = bit_cast_to<double>(sums.far2);
            for (std::size_t k = begin; k < end; ++k)
                if (distance2(members, known, k) == most)
                    atomic_max(&sums.far, std::uint64_t(no_row_yet - members.row(k)));
        });
    }
};

/// By what groups are sorted: the largest first, of equal ones the one with the smaller label.
struct RowKeys {
    GroupsThere groups;
    std::uint64_t* key;
    pos_t* group;
    ZWALK_HD void operator()(std::size_t g) const {
        key[g] =
            std::uint64_t(no_pos - groups.count[g]) << 32 | std::uint64_t(groups.sums[g].smallest());
        group[g] = pos_t(g);
    }
};
/// The columns of a catalogue; those of velocities may be null.
struct RowsThere {
    index_t *label, *count, *most_distant, *first;
    double *mass, *centre, *velocity, *dispersion, *inertia_radius, *radius;
};
/// For each row and axis: what it has.
struct WriteCatalogue {
    GroupsThere groups;
    RowsThere rows;
    pos_t const* group;  ///< of each row
    Axis const* axis;
    AxisElements axes;
    Scales scales;
    ZWALK_HD void operator()(std::size_t i) const {
        axes.at(i, [&](std::size_t row, std::size_t j) {
            write_axis(row, j);
            if (j == 0) write_row(row);
        });
    }

  private:
    [[nodiscard]] ZWALK_HD RowFormulas formulas(std::size_t g) const {
        return {scales, groups.unit[g], groups.mass[g]};
    }
    ZWALK_HD void write_axis(std::size_t row, std::size_t j) const {
        std::size_t const g = group[row], from = g * axes.dim + j, to = row * axes.dim + j;
        auto const of = formulas(g);
        rows.centre[to] = of.centre(groups.centre[from], groups.seen[from], axis[j]);
        if (rows.velocity) rows.velocity[to] = of.velocity(groups.velocity[from]);
    }
    ZWALK_HD void write_row(std::size_t row) const {
        std::size_t const g = group[row];
        GroupSums const& sums = groups.sums[g];
        auto const of = formulas(g);
        rows.label[row] = sums.smallest();
        rows.count[row] = groups.count[g];
        rows.first[row] = groups.first[g];
        rows.most_distant[row] = no_row_yet - index_t(sums.far);
        rows.mass[row] = of.total_mass();
        rows.inertia_radius[row] = of.inertia_radius(sums.x2.value());
        rows.radius[row] = of.radius(bit_cast_to<double>(sums.far2));
        if (rows.velocity) rows.dispersion[row] = of.velocity_dispersion(sums.v2.value());
    }
};

}}}  // namespace zwalk::v0::detail
