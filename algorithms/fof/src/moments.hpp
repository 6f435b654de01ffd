// The members of one group, on threads: brought together, and folded in passes that any number of threads may share.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "moment_folds.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/tree/extent.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The axes of all points.
struct Axes {
    std::array<Axis, 64> of{};
    bool periodic = false;  ///< along some axis

    Axes() = default;
    /// @param period  of checked_period(); empty: all is open
    /// @param extent  of all points
    template <class T>
    Axes(std::vector<T> const& period, Extent<T> const& extent) {
        for (std::size_t j = 0; j < period.size(); ++j) {
            if (std::isinf(period[j])) continue;
            double const lo = extent.lo[j], hi = extent.hi[j], length = period[j];
            periodic = true;
            of[j] = {length, lo,
                     lo >= 0 && hi <= length                 ? 0
                     : lo >= -length / 2 && hi <= length / 2 ? -length / 2
                                                             : lo};
        }
    }
};

/// The points of a catalogue, and where they live.
template <class T>
struct Particles {
    Points<T> points{}, velocities{};  ///< no velocities: of size 0
    std::span<T const> masses{};       ///< empty: all 1
    std::span<index_t const>
        input_index{};  ///< of each point; empty: they are in the order of the input
    Axes axes{};
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
        if (all_.axes.periodic)
            own.slices = reduce_members<Slices<capacity>>(
                size(), [this](auto& slices, std::size_t i) { slices.add(*this, i); });
        return own;
    }
    /// Takes the place from where the whole group is seen. Separations are there afterwards.
    void see_from(Outset<capacity> const& outset) {
        for (std::size_t j = 0; j < dim(); ++j)
            seen_[j] = SeenAlong(outset.reference[j], outset.slices.used[j], axis(j));
    }

    [[nodiscard]] std::size_t size() const { return rows_.size(); }
    [[nodiscard]] std::size_t dim() const { return Dim ? std::size_t(Dim) : dim_; }
    [[nodiscard]] bool moves() const { return all_.velocities.size > 0; }
    [[nodiscard]] Axis const& axis(std::size_t j) const { return all_.axes.of[j]; }
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
    [[nodiscard]] SeenAlong const& seen(std::size_t j) const { return seen_[j]; }
    /// Coordinate of a member along an axis, relative to that of the group's first.
    [[nodiscard]] double separation(std::size_t i, std::size_t j) const {
        return seen_[j].separation(x(i, j), axis(j));
    }

  private:
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
    Particles<T> const& all_;
    std::span<pos_t const> rows_;
    std::size_t dim_;
    MemberMemory<T> const& memory_;
    std::array<SeenAlong, capacity> seen_;
};

/// What passes have found out for those that follow.
template <std::size_t Capacity>
struct Known {
    Units unit;                                     ///< after the first pass
    double mass = 0;                                ///< after the second; in these units, as all below
    std::array<double, Capacity> centre, velocity;  ///< the centre as seen from the first member
};

}}}  // namespace zwalk::v0::detail
