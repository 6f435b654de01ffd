// Refusals of masses of points.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace zwalk { inline namespace v0 { namespace detail {

/// Throws InputError unless there are as many masses as points.
void check_masses_shape(std::size_t points, std::size_t masses);
/// The refusal of a mass that isn't finite and above 0.
[[noreturn]] void refuse_mass(std::uint64_t row, double mass);
/// Throws InputError unless masses are finite and above 0; names the first one that isn't. O(N).
/// @param first_row  the number of the first one, where they are part of more
template <class T>
void check_masses(std::span<T const> masses, std::uint64_t first_row = 0);

extern template void check_masses(std::span<float const>, std::uint64_t);
extern template void check_masses(std::span<double const>, std::uint64_t);

}}}  // namespace zwalk::v0::detail
