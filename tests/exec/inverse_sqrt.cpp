// inverse_sqrt_of: how far from 1 / sqrt(x) it is, over all magnitudes, and the same bits from each instruction set.
#include "zwalk/exec/inverse_sqrt.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "support/packs.hpp"

using namespace zwalk;

namespace {

/// x = y^-2 has 1 / sqrt(x) = y, so how many units in the last place of 1 / sqrt(x) another number is away from it. Long doubles
/// have 11 bits more than doubles.
template <class T>
double units_off(T x, T y) {
    long double const exact = 1 / std::sqrt(static_cast<long double>(x));
    T const near = T(exact);
    T const below = std::bit_cast<T>(detail::WordOf<T>(std::bit_cast<detail::WordOf<T>>(near) - 1));
    return double(std::fabs(static_cast<long double>(y) - exact) /
                  static_cast<long double>(near - below));
}

/// Every so many-th float of two periods, or as many doubles.
template <class T>
std::vector<T> two_periods() {
    using Bits = detail::WordOf<T>;
    std::vector<T> x;
    Bits const first = std::bit_cast<Bits>(T(1)), last = std::bit_cast<Bits>(T(4));
    Bits const step = (last - first) / 1000003;
    for (Bits b = first; b < last; b += step) x.push_back(std::bit_cast<T>(b));
    return x;
}
/// Some numbers of each magnitude, and the ends of the range.
template <class T>
std::vector<T> all_magnitudes() {
    using Limits = std::numeric_limits<T>;
    std::mt19937 random(5);
    std::vector<T> x{inverse_sqrt_from<T>, inverse_sqrt_to<T>};
    for (int e = Limits::min_exponent; e <= Limits::max_exponent; ++e)
        for (int i = 0; i < 50; ++i)
            x.push_back(std::ldexp(T(random() | 0x80000000U), e - 32) *
                        (i == 0 ? T(1) : T(1 - Limits::epsilon())));
    return x;
}

template <class T>
void check_errors(double most) {
    CHECK(inverse_sqrt_from<T> == std::numeric_limits<T>::min());
    CHECK(inverse_sqrt_to<T> == std::numeric_limits<T>::max());
    double worst = 0;
    for (auto const& numbers : {two_periods<T>(), all_magnitudes<T>()})
        for (T const x : numbers) worst = std::max(worst, units_off(x, inverse_sqrt_of(x)));
    CHECK(worst < most);
    CHECK(worst > most / 2);  // else it isn't looked at, or says too much
    // What it is documented to be elsewhere.
    for (T const x : {T(0), std::numeric_limits<T>::denorm_min()}) CHECK(inverse_sqrt_of(x) > 0);
    for (T const x : {std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN(), T(-1)}) {
        T const y = inverse_sqrt_of(x);
        CHECK(!std::isfinite(y));
    }
}

}  // namespace

TEST_CASE("inverse_sqrt_of: errors") {
    check_errors<float>(1.4);
    check_errors<double>(1);
}

TEST_CASE("inverse_sqrt_of: packs have the bits of numbers") {
    auto const f = [](auto const& v) { return inverse_sqrt_of(v); };
    test::check_packs(all_magnitudes<float>(), f);
    test::check_packs(all_magnitudes<double>(), f);
}
