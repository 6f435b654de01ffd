// Minimum spanning trees on any place: rounds, which have a form for threads (cpu_driver.hpp) and one for
// devices (device_driver.hpp).
#pragma once
#include "algorithm.hpp"
#include "zwalk/run/instance.hpp"

namespace zwalk::inline v0::detail {

template <int D, class T, class P>
EmstResult<T, P> EmstAlgorithm::run(P& place, RunPoints<T, P>& points, Task<T, P> const& task) {
    EmstResult<T, P> r;
    grow_tree(std::integral_constant<int, D>{}, place, points, task, r);
    return r;
}

}  // namespace zwalk::inline v0::detail
