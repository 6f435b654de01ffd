// Names of the reductions that come with the library.
#pragma once

namespace zwalk::inline v0 {

/// One number per query from its neighbours: KthDistance, BallDensity, SphDensity of reduce.hpp.
enum class Reduction { radius, density, sph };

namespace detail {
/// @throws InputError  the reduction isn't for points of so many dimensions
void check_reduction(Reduction what, int dim);
}  // namespace detail
}  // namespace zwalk::inline v0
