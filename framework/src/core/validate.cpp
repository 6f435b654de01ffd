#include "zwalk/core/validate.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>

#include "zwalk/core/error.hpp"
#include "zwalk/core/parallel.hpp"
#include "zwalk/core/wrap_first.hpp"

namespace zwalk::inline v0 {
namespace {

constexpr int max_columns = 64;
constexpr std::size_t grain = 1 << 14;  // coordinates per task

/// Index of the first coordinate of [begin, end) that is not finite, or end.
template <class T>
std::size_t first_not_finite_in(T const* x, std::size_t begin, std::size_t end) {
    bool bad = false;  // x - x is 0, or nan where x is not finite; this loop vectorises
    for (std::size_t i = begin; i < end; ++i) bad |= !(x[i] - x[i] == 0);
    if (!bad) return end;
    while (std::isfinite(x[begin])) ++begin;
    return begin;
}

/// Index of the first coordinate that is not finite, or n. Tasks behind one that was found are
/// skipped; those before it are not, so the first one is found whatever the order of the tasks.
template <class T>
std::size_t first_not_finite(T const* x, std::size_t n) {
    if (n <= grain) return first_not_finite_in(x, 0, n);  // a few queries shall not wait for tasks
    std::atomic<std::size_t> found = n;
    parallel_for(n, grain, [&](std::size_t begin, std::size_t end) {
        if (begin >= found) return;
        std::size_t const i = first_not_finite_in(x, begin, end);
        if (i == end) return;
        std::size_t old = found;
        while (i < old && !found.compare_exchange_weak(old, i)) {
        }
    });
    return found;
}

}  // namespace

void check_shape(std::size_t size, int dim, char const* name) {
    if (dim < 1 || dim > max_columns)
        throw InputError(
            fmt::format("{}: {} columns; from 1 to {} are possible", name, dim, max_columns));
    if (size > max_points)
        throw InputError(
            fmt::format("{}: {} rows; at most {} are possible on one device", name, size, max_points));
}

void refuse_not_finite(std::size_t row, int column, double value, char const* name) {
    throw InputError(fmt::format("{}: row {}, column {} is {}; coordinates must be finite", name, row,
                                 column, value));
}

template <class T>
void check_points(Points<T> points, char const* name, std::size_t first_row) {
    check_shape(points.size, points.dim, name);
    std::size_t const dim = std::size_t(points.dim), n = points.size * dim;
    std::size_t const bad = first_not_finite(points.data, n);
    if (bad < n)
        refuse_not_finite(first_row + bad / dim, int(bad % dim), double(points.data[bad]), name);
}

template <class T>
void check_box(T const* lo, T const* hi, T const* box, int dim, char const* whose) {
    for (int j = 0; j < dim; ++j) {
        if (!(box[j] >= 0))
            throw InputError(fmt::format(
                "box: length {} on axis {}; it must be positive, or 0 for an open axis", box[j], j));
        bool const open = box[j] == 0 || std::isinf(box[j]);
        T const extent = hi[j] - lo[j];
        if (!open && !(extent <= box[j]))
            throw InputError(
                fmt::format("box: the {} span {} ({} to {}) on axis {}, more than the box length {}; {}",
                            whose, extent, lo[j], hi[j], j, box[j], wrap_first));
    }
}

template void check_points(Points<float>, char const*, std::size_t);
template void check_points(Points<double>, char const*, std::size_t);
template void check_box(float const*, float const*, float const*, int, char const*);
template void check_box(double const*, double const*, double const*, int, char const*);

}  // namespace zwalk::inline v0
