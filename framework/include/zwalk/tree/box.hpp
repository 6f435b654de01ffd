// From the lengths of a box, as users give them, to the space that points live in.
#pragma once
#include <vector>

#include "zwalk/core/length_unit.hpp"
#include "zwalk/core/space.hpp"
#include "zwalk/tree/extent.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The periods of all axes in the precision T, +infinity for open ones; none for no box. `box` is that of the
/// user's options: empty, one length for all axes, or one for each, 0 for open ones. The data lies in `extent`.
/// @throws InputError  the box has another number of lengths, or doesn't hold the data
template <class T>
std::vector<T> checked_period(std::vector<double> const& box, Extent<T> const& extent,
                              char const* whose = "points");

/// The same for points, and others that are searched with them: a refusal names the points alone where these don't fit in.
/// @param all  the extent of both
template <class T>
std::vector<T> checked_period_of_both(std::vector<double> const& box, Extent<T> const& points,
                                      Extent<T> const& all) {
    if (!box.empty()) (void)checked_period(box, points);
    return checked_period(box, all, "points of both sets together");
}

/// The other way: one length for each axis, 0 for open ones, in the unit of the input; none for open space.
template <class T>
std::vector<double> lengths_of_box(std::vector<T> const& period, LengthUnit<T> const& unit) {
    std::vector<double> box;
    for (T const length : period) box.push_back(length == infinity<T> ? 0 : double(unit.out(length)));
    return box;
}

/// Space for kernels compiled for D axes: padded axes are open.
template <int D, class T>
Periodic<D, T> periodic_space(std::vector<T> const& period) {
    Periodic<D, T> space;
    for (std::size_t j = 0; j < D; ++j) space.box[j] = j < period.size() ? period[j] : infinity<T>;
    return space;
}

/// Above this dimension walks in open space run through the periodic kernels (with infinite periods):
/// two operations more per axis, half the kernels to compile.
inline constexpr int max_open_dim = 8;

/// f(space) for a space of these periods (none: open).
template <int D, class T, class F>
auto with_space(std::vector<T> const& period, F const& f) {
    if constexpr (D <= max_open_dim)
        if (period.empty()) return f(Open<D, T>{});
    return f(periodic_space<D>(period));
}

}}}  // namespace zwalk::v0::detail
