// Gravity as run/algorithm.hpp wants an algorithm, one for each order of expansions; the driver is in driver.hpp.
#pragma once
#include "zwalk/gravity/gravity.hpp"
#include "zwalk/run/algorithm.hpp"

namespace zwalk::inline v0::detail {

inline constexpr int max_gravity_order = 5;

/// What is asked: options that have been checked, with an order and an opening.
template <int order>
struct GravityByOrder {
    template <class T, class P>
    using Task = GravityOptions;
    template <class T, class P>
    using Result = GravityResult<T>;

    template <int D, class T, class P>
    static GravityResult<T> run(P& place, RunPoints<T, P>& points, GravityOptions const& options);
};

}  // namespace zwalk::inline v0::detail
