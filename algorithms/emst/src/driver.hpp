// Minimum spanning trees on any place: build, then rounds, which have a form for threads (cpu_driver.hpp) and one for
// devices (device_driver.hpp).
#pragma once
#include "../../common/instance.hpp"
#include "algorithm.hpp"

namespace zwalk::inline v0::detail {

template <int D, class T, class P>
EmstResult<T, P> EmstAlgorithm::run(P& place, RunInput<T, P> const& input, EmstOptions const& options) {
    EmstResult<T, P> r;
    auto tree = build_input(place, input, D, options.tree, r.stats);
    grow_tree(std::integral_constant<int, D>{}, place, input, options, std::move(tree), r);
    return r;
}

}  // namespace zwalk::inline v0::detail
