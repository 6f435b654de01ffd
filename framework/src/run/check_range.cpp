
#include <cmath>
#include <string>

#include "zwalk/run/prepared_points.hpp"

#include "zwalk/core/text.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T>
void check_range(LengthUnit<T> const& unit, T there, T largest, std::string const& name) {
    if (unit.in(largest) > std::ldexp(T(1), largest_met_exponent<T>))
        refuse_range<T>(detail::text(
            "coordinates go up to {} in the points, and up to {} in the {}: squares of distances "
            "between them",
            there, largest, name));
}

template <class T>
void check_plain_range(T largest, std::string const& name) {
    if (!unit_for(largest).is_plain())
        refuse_range<T>(
            detail::text("coordinates of the {} go up to {}: squares of distances, which a trait sees,",
                         name, largest));
}

#define ZWALK_RANGES(T)                                                        \
    template void check_range(LengthUnit<T> const&, T, T, std::string const&); \
    template void check_plain_range(T, std::string const&);
ZWALK_RANGES(float)
ZWALK_RANGES(double)

}}}  // namespace zwalk::v0::detail
