// Gravity on any place, and on ranks: masses and lengths in units that keep powers of them in range, a walk, and results in the order
// asked for.
#pragma once
#include <cmath>
#include <cstdint>
#include <utility>

#include "accuracy.hpp"
#include "algorithm.hpp"
#include "compiled_orders.hpp"
#include "near_field.hpp"
#include "zwalk/core/least_normal.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Results in the units of the input, and in rows as the user wants them; for Place::for_each.
template <class T>
struct FinishForces {
    Vec<3, T> const* acceleration;
    T const* potential;
    Pull<T> const* far;  ///< beside these, of each point; null: none
    pos_t const* row;    ///< of each point; null: its position
    T unit_of_acceleration, unit_of_potential;
    int dim;
    T *accelerations, *potentials;
    ZWALK_HD void operator()(std::size_t i) const {
        std::size_t const to = row ? row[i] : i;
        for (int j = 0; j < dim; ++j) {  // no array of a thread's own, which would be memory on a GPU
            T a = acceleration[i][j];
            if (far) a += far[i].gradient[j];
            accelerations[to * std::size_t(dim) + std::size_t(j)] = a * unit_of_acceleration;
        }
        T p = potential[i];
        if (far) p -= far[i].sum;
        potentials[to] = p * unit_of_potential;
    }
};

/// Flags what ForcesInRange counts; for Place::for_each.
template <class T>
struct FlagForces {
    Vec<3, T> const* acceleration;
    Pull<T> const* far;  ///< beside these; null: none
    T unit;
    std::uint8_t *pulled, *held;
    ZWALK_HD void operator()(std::size_t i) const {
        T most = 0;
        for (int j = 0; j < 3; ++j)
            most = max_of(most, abs_of(acceleration[i][j] + (far ? far[i].gradient[j] : T(0))));
        pulled[i] = most > 0;
        held[i] = most * unit >= least_normal<T> && most * unit < infinity<T>;
    }
};
template <class T, class P>
ForcesInRange forces_in_range(P& place, std::size_t n, FlagForces<T> flags) {
    auto pulled = place.template buffer<std::uint8_t>(n), held = place.template buffer<std::uint8_t>(n);
    flags.pulled = pulled.data();
    flags.held = held.data();
    place.for_each(n, flags);
    if (n == 0) return {};
    return {place.count(pulled.data(), n), place.count(held.data(), n)};
}

/// f.operator()<order>() for an order that a place has kernels for.
template <int first, class F>
void with_order(int order, F const& f) {
    if (order == first) f.template operator()<first>();
    else if constexpr (first < max_gravity_order) with_order<first + 1>(order, f);
}

template <class Points>
class Forces {
    using T = typename Points::real;
    using P = typename Points::WalkPlace;

  public:
    Forces(Points& points, GravityOptions const& o) : points_(points), asked_(o) {}

    ResultOf<GravityAlgorithm, Points> run() {
        o_ = points_.here([&] { return with_accuracy(asked_, is_device<P>); });
        weigh();
        with_order<is_device<P> ? least_chosen_order : least_compiled_order>(
            o_.expansion_order, [&]<int order>() { find<order>(); });
        r_.rows = asked_.order == Order::z ? points_.size_here() : points_.rows_here();
        r_.columns = std::size_t(points_.dim());
        r_.expansion_order = o_.expansion_order;
        r_.opening = o_.opening;
        points_.finish(r_, asked_.order);
        return std::move(r_);
    }

  private:
    /// Finds out whether there are masses on any rank, and what to measure them and lengths by.
    void weigh() {
        auto const& masses = asked_.masses;
        bool const all_have = points_.total(!masses.empty()) > 0;
        points_.here([&] {
            if (all_have && masses.size() != points_.rows_here())
                refuse_missing_masses(points_.rows_here());
        });
        double const heaviest = points_.largest(all_have && masses.empty() ? 0. : largest_mass(masses));
        points_.here([&] { to_gravity_unit(o_, points_.unit(), heaviest); });
        unit_of_mass_ = T(unit_of_mass(heaviest));
        unit_of_length_ = unit_of_length(points_.here([&] { return extent_to_measure(points_, o_); }));
    }
    template <int order>
    void find() {
        auto const trait = gravity_trait<order, T>(o_, unit_of_length_);
        NearField<order, Points> near(points_, o_, trait, [&](std::size_t n) {
            return masses_in<T>(double(unit_of_mass_), asked_.masses, n);
        });
        auto const felt = near.walk(trait);
        auto const& far = near.far();
        finish(felt.acceleration.data(), felt.potential.data(), far.size() > 0 ? far.data() : nullptr);
    }
    void finish(Vec<3, T> const* acceleration, T const* potential, Pull<T> const* far) {
        auto&& place = points_.place();
        std::size_t const n = points_.size_here(), dim = std::size_t(points_.dim());
        int const exponent = points_.unit().exponent();
        T const of_acceleration = T(std::ldexp(double(unit_of_mass_), -2 * exponent)),
                of_potential = T(std::ldexp(double(unit_of_mass_), -exponent));
        points_.here([&] {
            r_.accelerations = place.template buffer<T>(n * dim);
            r_.potentials = place.template buffer<T>(n);
            place.for_each(n, FinishForces<T>{acceleration, potential, far, points_.row_in(asked_.order),
                                              of_acceleration, of_potential, int(dim),
                                              r_.accelerations.data(), r_.potentials.data()});
        });
        if (!points_.unit().is_plain()) {
            auto const own = points_.here([&] {
                return forces_in_range(
                    place, n, FlagForces<T>{acceleration, far, of_acceleration, nullptr, nullptr});
            });
            ForcesInRange const all{points_.total(own.pulled), points_.total(own.held)};
            points_.here([&] {
                if (all.most_are_lost()) refuse_forces<T>();
            });
        }
        points_.end_phase("order");
        points_.bring_home(r_.accelerations, dim, asked_.order);
        points_.bring_home(r_.potentials, 1, asked_.order);
    }

    Points& points_;
    GravityOptions const& asked_;
    GravityOptions o_;  // with an order and an opening, in the unit of the points
    T unit_of_mass_ = 1;
    double unit_of_length_ = 1;
    ResultOf<GravityAlgorithm, Points> r_;
};

template <class Points>
ResultOf<GravityAlgorithm, Points> GravityAlgorithm::run(Points& points, GravityOptions const& options) {
    return Forces<Points>(points, options).run();
}

}}}  // namespace zwalk::v0::detail
