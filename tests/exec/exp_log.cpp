// exp_of and log_of: how far from exp(x) and log(x) they are, over all magnitudes, what they are at the ends, and the same bits
// from each instruction set; gather: entries of a table for numbers and for packs.
#include "zwalk/exec/exp_log.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "support/packs.hpp"
#include "zwalk/exec/gather.hpp"

using namespace zwalk;

namespace {

/// Units in the last place between y and what it should be. Long doubles have 11 bits more than doubles.
template <class T>
double units_off(T y, long double exact) {
    T const near = std::fabs(T(exact));
    T const below = std::nextafter(near, T(0));
    return double(std::fabs(static_cast<long double>(y) - exact) /
                  (static_cast<long double>(near) - static_cast<long double>(below)));
}

template <class T>
std::vector<T> exponents() {
    std::mt19937_64 random(3);
    std::vector<T> x{detail::Format<T>::least, detail::Format<T>::most, T(0), T(1), T(-1)};
    for (double const most : {double(-detail::Format<T>::least), 2., 1e-3, 1e-9}) {
        std::uniform_real_distribution<double> some(-most,
                                                    std::min(most, double(detail::Format<T>::most)));
        for (int i = 0; i < 100'000; ++i) x.push_back(T(some(random)));
    }
    return x;
}
template <class T>
std::vector<T> positive() {
    using Limits = std::numeric_limits<T>;
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> fraction(1, 2), near(-.01, .01);
    std::vector<T> x{Limits::denorm_min(), Limits::min(), Limits::max(), T(2), T(.5)};
    for (int e = Limits::min_exponent - Limits::digits; e < Limits::max_exponent; ++e)
        for (int i = 0; i < 50; ++i) x.push_back(std::ldexp(T(fraction(random)), e));
    for (int i = 0; i < 100'000; ++i) x.push_back(T(1 + near(random)));
    for (int i = 0; i < 100'000; ++i) x.push_back(T(fraction(random) * (i % 2 == 0 ? 1. : .6)));
    std::erase(x, T(0));
    std::erase(x, T(1));  // its logarithm has no last place
    return x;
}

template <class T>
void check_errors() {
    double worst = 0;
    for (T const x : exponents<T>())
        worst = std::max(worst, units_off(exp_of(x), std::exp(static_cast<long double>(x))));
    CHECK(worst < 1.2);
    CHECK(worst > .6);  // else it isn't looked at, or says too much
    worst = 0;
    for (T const x : positive<T>())
        worst = std::max(worst, units_off(log_of(x), std::log(static_cast<long double>(x))));
    CHECK(worst < .9);
    CHECK(worst > .5);
}

template <class T>
void check_ends() {
    using Limits = std::numeric_limits<T>;
    using F = detail::Format<T>;
    T const inf = Limits::infinity(), nan = Limits::quiet_NaN();
    CHECK(exp_of(T(0)) == 1);
    CHECK(exp_of(F::least) >= Limits::min());
    CHECK(exp_of(std::nextafter(F::least, -inf)) == 0);
    CHECK(std::isfinite(exp_of(F::most)));
    CHECK(exp_of(std::nextafter(F::most, inf)) == inf);
    for (T const x : {T(1e30), Limits::max(), inf}) {
        CHECK(exp_of(x) == inf);
        CHECK(exp_of(-x) == 0);
    }
    CHECK(std::isnan(exp_of(nan)));
    CHECK(log_of(T(1)) == 0);
    CHECK(log_of(T(0)) == -inf);
    CHECK(log_of(T(-0.)) == -inf);
    CHECK(log_of(inf) == inf);
    for (T const x : {T(-1), -Limits::denorm_min(), -inf, nan}) CHECK(std::isnan(log_of(x)));
}

template <class T>
void check_packs_of_all() {
    using Limits = std::numeric_limits<T>;
    std::vector<T> const ends{T(0),
                              T(-0.),
                              Limits::infinity(),
                              -Limits::infinity(),
                              Limits::quiet_NaN(),
                              T(1e30),
                              T(-1),
                              T(-1e30),
                              Limits::max(),
                              Limits::denorm_min(),
                              T(-1000),
                              T(800),
                              T(1),
                              T(.5),
                              T(2),
                              T(-2)};
    auto x = exponents<T>(), y = positive<T>();
    x.insert(x.begin(), ends.begin(), ends.end());
    y.insert(y.begin(), ends.begin(), ends.end());
    test::check_packs(x, [](auto const& v) { return exp_of(v); });
    test::check_packs(y, [](auto const& v) { return log_of(v); });
    T const table[]{3, 1, 4, 1, 5, 9};
    test::check_packs(y, [&](auto const& v) { return gather(table, 6, v); });
}

}  // namespace

TEST_CASE("exp_of, log_of: errors") {
    check_errors<float>();
    check_errors<double>();
}
TEST_CASE("exp_of, log_of: zeros, infinities and what is no number") {
    check_ends<float>();
    check_ends<double>();
}
TEST_CASE("exp_of, log_of, gather: packs have the bits of numbers") {
    check_packs_of_all<float>();
    check_packs_of_all<double>();
}
TEST_CASE("gather: the whole part of a number names an entry, from the first to the last") {
    float const table[]{3, 1, 4};
    float const nan = std::numeric_limits<float>::quiet_NaN(),
                inf = std::numeric_limits<float>::infinity();
    CHECK(gather(table, 3, 0.F) == 3);
    CHECK(gather(table, 3, 1.99F) == 1);
    CHECK(gather(table, 3, 2.F) == 4);
    for (float const x : {-1.F, nan, -inf}) CHECK(gather(table, 3, x) == 3);
    for (float const x : {2.5F, 3.F, 1e30F, inf}) CHECK(gather(table, 3, x) == 4);
}
