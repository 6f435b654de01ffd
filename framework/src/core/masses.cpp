#include "zwalk/core/masses.hpp"

#include <cmath>

#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"

namespace zwalk { inline namespace v0 {

void detail::check_masses_shape(std::size_t points, std::size_t masses) {
    if (masses != points)
        throw InputError(detail::text("there are {} masses for {} points", masses, points));
}

void detail::refuse_mass(std::uint64_t row, double mass) {
    // Both may be what rounding has made of other numbers.
    bool const is_rounded = mass == 0 || std::isinf(mass);
    throw InputError(detail::text("mass {} is {}: masses must be finite and above 0{}", row, mass,
                                  is_rounded ? ", in the precision of the points" : ""));
}

template <class T>
void detail::check_masses(std::span<T const> masses, std::uint64_t first_row) {
    for (std::size_t i = 0; i < masses.size(); ++i)
        if (!(masses[i] > 0) || std::isinf(masses[i])) refuse_mass(first_row + i, double(masses[i]));
}
template void detail::check_masses(std::span<float const>, std::uint64_t);
template void detail::check_masses(std::span<double const>, std::uint64_t);

}}  // namespace zwalk::v0
