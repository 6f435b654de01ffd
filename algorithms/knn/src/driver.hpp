// Nearest neighbours on any place, with a driver for threads (cpu_driver.hpp) and one for devices (device_driver.hpp).
#pragma once
#include "zwalk/knn/algorithm.hpp"
#include "zwalk/run/instance.hpp"

namespace zwalk::inline v0::detail {

template <int D, class T, class P>
KnnResult<T, P> KnnAlgorithm::run(P& place, RunPoints<T, P>& points, KnnSearch<T, P> const& search) {
    return find_neighbours(std::integral_constant<int, D>{}, place, points, search);
}

}  // namespace zwalk::inline v0::detail
