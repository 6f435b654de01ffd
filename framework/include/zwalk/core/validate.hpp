// Refusals: what is wrong with the input, and where, before any work begins.
#pragma once
#include <limits>
#include <string>

#include "zwalk/core/points.hpp"

namespace zwalk { inline namespace v0 {

/// Throws InputError unless the points, of shape (N, dim), have 1 <= dim <= 64 columns,
/// N <= max_points rows, and finite coordinates; names the first bad row and its first bad column
/// (both counted from 0). `name` is what the message calls the points, and `first_row` the number of
/// their first row, where they are part of more. O(N dim), on the threads of the calling arena
/// (Cpu::run); the message does not depend on their number.
/// @returns  the largest coordinate, without its sign; 0 if there are none
template <class T>
T check_points(Points<T> points, char const* name = "points", std::size_t first_row = 0);

/// The part of check_points that needs no data: the shape (size, dim).
void check_shape(std::size_t size, int dim, char const* name);
/// The refusal of a coordinate that isn't finite.
[[noreturn]] void refuse_not_finite(std::size_t row, int column, double value, char const* name);

/// Throws InputError unless box[j], j < dim, is a period that the data fits in: 0 or infinity for
/// an open axis, else positive with hi[j] - lo[j] <= box[j] (the difference rounded to T, as
/// everywhere; so that the nearest image of a separation a is at a or at box - a, see
/// core/space.hpp). lo and hi: the least and largest coordinates per axis. `whose` is what the message calls them.
template <class T>
void check_box(T const* lo, T const* hi, T const* box, int dim, char const* whose = "points");

/// "`what` leave the range of single precision: use double precision, or other units", for numbers of type T.
/// @throws InputError  always
template <class T>
[[noreturn]] void refuse_range(std::string const& what);

/// Throws InputError if points between these least and largest coordinates may be so far apart that no T holds their distance;
/// names the span.
template <class T>
void check_span(T const* lo, T const* hi, int dim, char const* whose = "points");
/// Whether that has to be looked at, for coordinates of up to `largest`.
template <class T>
constexpr bool may_span_too_much(T largest) {
    return largest > std::numeric_limits<T>::max() / 32;
}

}}  // namespace zwalk::v0
