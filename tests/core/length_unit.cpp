// Units that keep squares in range: which one points get, and limits of distances in it.
#include "zwalk/core/length_unit.hpp"

#include <doctest/doctest.h>

#include "support/points.hpp"
#include "zwalk/core/within.hpp"

using namespace zwalk;

TEST_CASE_TEMPLATE("length unit: squares are in range, and usual points keep their unit", T, float,
                   double) {
    using Limits = std::numeric_limits<T>;
    for (T const usual : {T(0), T(1e-9), T(1), T(1e17)}) CHECK(unit_for(usual).is_plain());
    CHECK(unit_for(infinity<T>).is_plain());
    CHECK(unit_for(Limits::quiet_NaN()).is_plain());
    test::Random random(1);
    for (int exponent = Limits::min_exponent - Limits::digits; exponent < Limits::max_exponent;
         ++exponent) {
        T const largest = std::ldexp(T(1 + random.uniform()), exponent);
        if (largest == 0) continue;
        CAPTURE(largest);
        auto const unit = unit_for(largest);
        REQUIRE(unit.unit() * unit.inverse() == 1);
        REQUIRE(unit.out(unit.in(largest)) == largest);
        // Of 64 axes, and of others four times as far away; of neighbours in the last bit.
        T const side = unit.in(largest)*5,
                step = std::max(unit.in(largest)*Limits::epsilon() / 2, unit.in(Limits::denorm_min()));
        REQUIRE(64 * side * side < infinity<T>);
        REQUIRE(step * step >= Limits::min());
    }
}

TEST_CASE_TEMPLATE("length unit: a limit takes in what is reported to be within it", T, float, double) {
    using Limits = std::numeric_limits<T>;
    test::Random random(2);
    int const steps[]{0, 1, 2, 3, 4, 7, 8, 1000, 1001};
    for (int exponent :
         {Limits::min_exponent - 20, Limits::min_exponent, -70, 65, Limits::max_exponent - 2}) {
        LengthUnit<T> const unit(exponent);
        CAPTURE(exponent);
        auto const check = [&](T r) {
            CAPTURE(r);
            T const limit = T(unit.limit(double(r)));
            REQUIRE(unit.out(limit) <= r);
            T const next = std::nextafter(limit, infinity<T>);
            bool const all = limit * limit > Limits::max() / 8;
            REQUIRE((all || unit.out(next) > r));
            T const least = T(unit.least(double(r)));
            REQUIRE((all || unit.out(least) >= r));
            REQUIRE((r == 0 || unit.out(std::nextafter(least, T(0))) < r));
            // The square root of every square up to the bound is within the limit, too.
            REQUIRE(std::sqrt(largest_square(limit)) <= limit);
        };
        for (int const n : steps) check(T(n) * Limits::denorm_min());
        for (int i = 0; i < 1000; ++i) {
            int const digits = Limits::max_exponent - Limits::min_exponent;
            check(std::ldexp(T(1 + random.uniform()),
                             Limits::min_exponent + int(random.below(std::size_t(digits)))));
        }
    }
    CHECK(LengthUnit<T>().limit(.1) == .1);
}
