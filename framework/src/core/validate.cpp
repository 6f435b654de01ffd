#include "zwalk/core/validate.hpp"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

#include "zwalk/core/bits.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/parallel.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/core/wrap_first.hpp"

namespace zwalk { inline namespace v0 {
namespace {

constexpr int max_columns = 64;
constexpr std::size_t grain = 1 << 14;  // coordinates per task

/// What coordinates are like.
template <class T>
struct Looked {
    std::size_t bad;  ///< index of the first that is not finite, or one behind the last
    T largest = 0;    ///< without signs, of those before it
};

template <class T>
Looked<T> look_at(T const* x, std::size_t begin, std::size_t end) {
    // Without their signs numbers are in the order of their bits; infinity and NaN are the largest. The compiler makes SIMD of
    // a maximum of integers; of one of floats it does not, since the order of NaNs would matter.
    using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    Bits most = 0;
    for (std::size_t i = begin; i < end; ++i) {
        Bits const bits = bit_cast_to<Bits>(x[i]) & std::numeric_limits<Bits>::max();
        most = bits > most ? bits : most;
    }
    T const largest = bit_cast_to<T>(most);
    if (std::isfinite(largest)) return {end, largest};
    while (std::isfinite(x[begin])) ++begin;
    return {begin};
}

template <class V, class Better>
void put_if(std::atomic<V>& there, V value, Better const& better) {
    V old = there;
    while (better(value, old) && !there.compare_exchange_weak(old, value)) {
    }
}

/// Tasks behind a coordinate that isn't finite are skipped; those before it are not, so the first one is found whatever the
/// order of the tasks.
template <class T>
Looked<T> look_at_all(T const* x, std::size_t n) {
    if (n <= grain) return look_at(x, 0, n);  // a few queries shall not wait for tasks
    std::atomic<std::size_t> bad = n;
    std::atomic<T> largest = 0;
    parallel_for(n, grain, [&](std::size_t begin, std::size_t end) {
        if (begin >= bad) return;
        auto const part = look_at(x, begin, end);
        if (part.bad < end) put_if(bad, part.bad, std::less<>());
        put_if(largest, part.largest, std::greater<>());
    });
    return {bad, largest};
}

}  // namespace

void check_shape(std::size_t size, int dim, char const* name) {
    if (dim < 1 || dim > max_columns)
        throw InputError(
            detail::text("{}: {} columns; from 1 to {} are possible", name, dim, max_columns));
    if (size > max_points)
        throw InputError(
            detail::text("{}: {} rows; at most {} are possible on one device", name, size, max_points));
}

void refuse_not_finite(std::size_t row, int column, double value, char const* name) {
    throw InputError(detail::text("{}: row {}, column {} is {}; coordinates must be finite", name, row,
                                  column, value));
}

template <class T>
T check_points(Points<T> points, char const* name, std::size_t first_row) {
    check_shape(points.size, points.dim, name);
    std::size_t const dim = std::size_t(points.dim), n = points.size * dim;
    auto const [bad, largest] = look_at_all(points.data, n);
    if (bad < n)
        refuse_not_finite(first_row + bad / dim, int(bad % dim), double(points.data[bad]), name);
    return largest;
}

template <class T>
void check_span(T const* lo, T const* hi, int dim, char const* whose) {
    // In a unit in which no square overflows.
    T const unit = std::ldexp(T(1), std::numeric_limits<T>::max_exponent - 1);
    T d2 = 0;
    for (int j = 0; j < dim; ++j) {
        T const side = hi[j] / unit - lo[j] / unit;
        if (side > 0) d2 = std::fma(side, side, d2);
    }
    if (std::isfinite(std::sqrt(d2) * unit)) return;
    int widest = 0;
    for (int j = 1; j < dim; ++j)
        if (hi[j] / unit - lo[j] / unit > hi[widest] / unit - lo[widest] / unit) widest = j;
    refuse_range<T>(detail::text("the {} span {} to {} on axis {}: distances", whose, lo[widest],
                                 hi[widest], widest));
}

template <class T>
void refuse_range(std::string const& what) {
    throw InputError(what +
                     (sizeof(T) == 4
                          ? " leave the range of single precision: use double precision, or other units"
                          : " leave the range of double precision: use other units"));
}

template <class T>
void check_box(T const* lo, T const* hi, T const* box, int dim, char const* whose) {
    for (int j = 0; j < dim; ++j) {
        if (!(box[j] >= 0))
            throw InputError(detail::text(
                "box: length {} on axis {}; it must be positive, or 0 for an open axis", box[j], j));
        bool const open = box[j] == 0 || std::isinf(box[j]);
        T const extent = hi[j] - lo[j];
        if (!open && !(extent <= box[j]))
            throw InputError(detail::text(
                "box: the {} span {} ({} to {}) on axis {}, more than the box length {}; {}", whose,
                extent, lo[j], hi[j], j, box[j], wrap_first));
    }
}

template float check_points(Points<float>, char const*, std::size_t);
template double check_points(Points<double>, char const*, std::size_t);
template void refuse_range<float>(std::string const&);
template void refuse_range<double>(std::string const&);
template void check_span(float const*, float const*, int, char const*);
template void check_span(double const*, double const*, int, char const*);
template void check_box(float const*, float const*, float const*, int, char const*);
template void check_box(double const*, double const*, double const*, int, char const*);

}}  // namespace zwalk::v0
