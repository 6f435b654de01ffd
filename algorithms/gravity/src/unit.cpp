// The unit that gravity has lengths in, where these are far from 1.
#include <cmath>
#include <limits>
#include <string>

#include "algorithm.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/validate.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T>
void to_gravity_unit(GravityOptions& o, LengthUnit<T> const& unit, double heaviest) {
    if (unit.is_plain()) return;
    o.softening = std::ldexp(o.softening, -unit.exponent());
    for (double& length : o.box) length = std::ldexp(length, -unit.exponent());
    // Forces are multiplied by this.
    int const exponent = heaviest > 0 ? std::ilogb(heaviest) - 2 * unit.exponent() : 0;
    using Limits = std::numeric_limits<T>;
    if (exponent <= Limits::min_exponent || exponent >= Limits::max_exponent - 1) refuse_forces<T>();
}

template <class T>
void refuse_forces() {
    refuse_range<T>("accelerations");
}

void refuse_missing_masses(std::size_t points) {
    throw InputError("there are no masses for " + std::to_string(points) +
                     " points of this rank, but others have such");
}

template void to_gravity_unit(GravityOptions&, LengthUnit<float> const&, double);
template void to_gravity_unit(GravityOptions&, LengthUnit<double> const&, double);
template void refuse_forces<float>();
template void refuse_forces<double>();

}}}  // namespace zwalk::v0::detail
