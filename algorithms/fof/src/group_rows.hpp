// Rows of the catalogue: the passes over the members of a group, in one place or in several at once.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>

#include "moments.hpp"
#include "zwalk/fof/catalogue.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Sizes all fields for the rows that `first` has. What is new isn't written yet: those that write rows do, all threads together.
inline void set_sizes(FofCatalogue& c, bool velocities) {
    std::size_t const n = c.first.size(), all = n * std::size_t(c.dim);
    c.label.resize(n);
    c.most_distant.resize(n);
    c.centre_of_mass.resize(all);
    for (auto* field : {&c.mass, &c.inertia_radius, &c.radius}) field->resize(n);
    if (!velocities) return;
    c.velocity.resize(all);
    c.velocity_dispersion.resize(n);
}

/// What is made of a group, pass by pass. For each pass, in this order: fold<Fold>() is that of the members that are here,
/// take(fold) hands in that of the whole group; folds of parts are joined in the order of their members.
template <int Dim, class T>
class GroupRow {
    using M = Members<Dim, T>;

  public:
    using Start = Outset<M::capacity>;
    using First = FirstMoments<M::capacity>;

    /// @param members  of the group, or a part of them: in z-order
    GroupRow(Particles<T> const& all, std::span<pos_t const> members, MemberMemory<T>& memory)
        : all_(all), members_(all, members, memory) {}

    template <class Fold>
    [[nodiscard]] Fold fold() const {
        if constexpr (std::is_same_v<Fold, Start>) return members_.outset();
        else
            return reduce_members<Fold>(members_.size(), [this](Fold& fold, std::size_t i) {
                if constexpr (std::is_same_v<Fold, Bounds>) fold.add(members_, i);
                else fold.add(members_, known_, i);
            });
    }
    void take(Start const& start) { members_.see_from(start); }
    void take(Bounds const& bounds) {
        known_.unit = Units(bounds);
        label_ = bounds.label;
    }
    void take(First const& sums) {
        known_.mass = all_.scales.mass.value(sums.mass);
        auto const of = formulas();
        for (std::size_t j = 0; j < members_.dim(); ++j) {
            known_.centre[j] = of.mean(sums.x[j]);
            known_.velocity[j] = of.mean(sums.v[j]);
        }
    }
    void take(SecondMoments const& sums) { second_ = sums; }

    /// Writes row i of a catalogue whose columns have their sizes.
    void write(FofCatalogue& c, std::size_t i) const {
        std::size_t const dim = members_.dim();
        auto const of = formulas();
        for (std::size_t j = 0; j < dim; ++j)
            c.centre_of_mass[i * dim + j] =
                of.centre(known_.centre[j], members_.seen(j), members_.axis(j));
        c.label[i] = label_;
        c.mass[i] = of.total_mass();
        c.inertia_radius[i] = of.inertia_radius(second_.x);
        c.most_distant[i] = second_.far;
        c.radius[i] = of.radius(second_.far2);
        if (!members_.moves()) return;
        for (std::size_t j = 0; j < dim; ++j) c.velocity[i * dim + j] = of.velocity(known_.velocity[j]);
        c.velocity_dispersion[i] = of.velocity_dispersion(second_.v);
    }

  private:
    [[nodiscard]] RowFormulas formulas() const { return {all_.scales, known_.unit, known_.mass}; }

    Particles<T> const& all_;
    M members_;
    Known<M::capacity> known_;
    index_t label_ = 0;
    SecondMoments second_;
};

/// f(fold) for each pass, where `fold` is a Fold of that pass: what is of one type for all rows.
template <class Row, class F>
void each_pass(F const& f) {
    f.template operator()<typename Row::Start>();
    f.template operator()<Bounds>();
    f.template operator()<typename Row::First>();
    f.template operator()<SecondMoments>();
}

/// Rows of `groups` groups whose members are all here: members(i) are those of the i-th, which goes to row(i).
template <int Dim, class T, class RowOf, class MembersOf>
void fill_rows(FofCatalogue& c, std::size_t groups, RowOf const& row, MembersOf const& members,
               Particles<T> const& all) {
    constexpr std::size_t groups_per_task = 16;
    parallel_for(groups, groups_per_task, [&](std::size_t i, std::size_t end) {
        MemberMemory<T> memory;
        for (; i < end; ++i) {
            GroupRow<Dim, T> group(all, members(i), memory);
            each_pass<GroupRow<Dim, T>>([&]<class Fold>() { group.take(group.template fold<Fold>()); });
            group.write(c, row(i));
        }
    });
}

}}}  // namespace zwalk::v0::detail
