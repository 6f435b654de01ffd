// Float bits, msb, level and comparator against big-integer Morton codes.
#include "zwalk/zorder/compare.hpp"

#include <doctest/doctest.h>

#include "zorder/morton.hpp"

using namespace zwalk;
using namespace zwalk::test;

TEST_CASE_TEMPLATE("float bits", T, float, double) {
    using Limits = std::numeric_limits<T>;
    using L = FloatLayout<T>;
    CHECK(bits_of(T(-0.)) == bits_of(T(0)));
    CHECK(exponent_of<T>(bits_of(T(0))) == L::zero_exponent);
    CHECK(exponent_of<T>(bits_of(T(-1.5))) == 0);
    CHECK(exponent_of<T>(bits_of(Limits::denorm_min())) == L::emin);
    CHECK(exponent_of<T>(bits_of(Limits::min() / 2)) == Limits::min_exponent - 2);
    CHECK(exponent_of<T>(bits_of(Limits::max())) == L::emax - 1);
    std::mt19937_64 g(test_seed());
    for (int i = 0; i < 5000; ++i) {
        T const a = random_coordinate<T>(g, Style(i % int(Style::count)));
        T const b = random_coordinate<T>(g, Style(i / 5 % int(Style::count)));
        REQUIRE((ordered_bits(a) < ordered_bits(b)) == (a < b));
        REQUIRE((ordered_bits(a) == ordered_bits(b)) == (a == b));
        auto const bits = bits_of(a);
        T const back = std::ldexp(T(significand<T>(bits)), lowest_bit<T>(bits));
        REQUIRE(back == std::abs(a));
    }
}

TEST_CASE_TEMPLATE("msb of numbers in all cases of eq. 2", T, float, double) {
    using Limits = std::numeric_limits<T>;
    using L = FloatLayout<T>;
    CHECK(msb(T(-1), T(1)) == L::emax);
    CHECK(msb(T(-1), T(0)) == L::emax);
    CHECK(msb(T(1), T(2)) == 1);  // the larger exponent, not one more
    CHECK(msb(T(1), T(0)) == 0);
    CHECK(msb(T(1), T(1.5)) == -1);
    CHECK(msb(T(-1), T(-1.5)) == -1);
    CHECK(msb(T(1), 1 + Limits::epsilon()) == -L::fraction_bits);
    CHECK(msb(Limits::denorm_min(), T(0)) == L::emin);
    CHECK(msb(Limits::denorm_min(), 2 * Limits::denorm_min()) == L::emin + 1);
    CHECK(msb(Limits::min(), Limits::denorm_min()) == Limits::min_exponent - 1);
    CHECK(msb(T(-0.), T(0)) == equal_msb<T>);
    CHECK(msb(Limits::max(), Limits::max()) == equal_msb<T>);
}

TEST_CASE_TEMPLATE("level and comparator agree with whole Morton codes", T, float, double) {
    std::mt19937_64 g(test_seed());
    for (int dim : {1, 2, 3, 5, 8, 64}) {
        int const n = dim == 64 ? 30 : 120;
        for (int style = 0; style < int(Style::count); ++style) {
            CAPTURE(dim);
            CAPTURE(style);
            auto const x = random_rows<T>(g, std::size_t(n), dim, Style(style), .2);
            std::vector<Big> codes;
            for (int i = 0; i < n; ++i) codes.push_back(morton_code(&x[std::size_t(i * dim)], dim));
            for (int i = 0; i < n; ++i) {
                int const k = int(g() % unsigned(n));
                T const *const p = &x[std::size_t(i * dim)], *const q = &x[std::size_t(k * dim)];
                auto const &a = codes[std::size_t(i)], &b = codes[std::size_t(k)];
                REQUIRE(z_less(p, q, dim) == (a < b));
                REQUIRE(z_level(p, q, dim) ==
                        (a == b ? equal_points_level : morton_level<T>(a, b, dim)));
            }
        }
    }
}

TEST_CASE_TEMPLATE("the comparator is a strict weak order", T, float, double) {
    std::mt19937_64 g(test_seed());
    for (int style = 0; style < int(Style::count); ++style) {
        auto const x = random_rows<T>(g, 40, 2, Style(style), .3);
        auto less = [&](std::size_t a, std::size_t b) { return z_less(&x[2 * a], &x[2 * b], 2); };
        for (std::size_t a = 0; a < 40; ++a) {
            REQUIRE(!less(a, a));
            for (std::size_t b = 0; b < 40; ++b) {
                REQUIRE(!(less(a, b) && less(b, a)));
                bool const same = x[2 * a] == x[2 * b] && x[2 * a + 1] == x[2 * b + 1];
                REQUIRE((!less(a, b) && !less(b, a)) == same);
                for (std::size_t c = 0; c < 40; ++c)
                    if (less(a, b) && less(b, c)) REQUIRE(less(a, c));
            }
        }
    }
}

TEST_CASE("points as Vec") {
    Vec<3, float> const p{{1, 2, 3}}, q{{1, 2, 3.5F}};
    CHECK(z_less(p, q));
    CHECK(!z_less(q, p));
    CHECK(z_level(p, q) == (-1 + 1) * 3 - 2);
    CHECK(z_level(p, p) == equal_points_level);
}
