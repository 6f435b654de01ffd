#include "zwalk/core/fixed_sum.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "support/points.hpp"

using namespace zwalk;

namespace {

double sum_of(std::vector<double> const& x, FixedScale const& scale, std::size_t parts) {
    std::vector<FixedSum> part(parts, 0);
    for (std::size_t i = 0; i < x.size(); ++i) part[i % parts] += scale.fixed(x[i]);
    FixedSum sum = 0;
    for (FixedSum const p : part) sum += p;
    return scale.value(sum);
}

}  // namespace

TEST_CASE("FixedSum: every order and every split gives the same bits, within the error bound") {
    test::Random r(3);
    for (double const bound : {1., .7, 3e-310, 1e-200, 1e8, 1e304}) {
        CAPTURE(bound);
        std::vector<double> x(1000);
        for (double& v : x)
            v = (r.below(2) ? 1 : -1) * r.uniform() * bound * std::pow(2., -double(r.below(40)));
        x[0] = bound;
        FixedScale const scale(bound);
        long double exact = 0;
        for (double const v : x) exact += v;
        double const sum = sum_of(x, scale, 1);
        // An extended sum rounds too; on machines without one this is as good as double gets.
        long double const slack =
            1000 * (0x1p-62L + std::numeric_limits<long double>::epsilon()) * (long double)(bound) +
            0x1p-53L * std::abs(exact) + std::numeric_limits<double>::denorm_min();
        CHECK(std::abs(sum - exact) <= slack);
        for (std::size_t const parts : {2, 7, 64}) {
            for (std::size_t i = x.size(); i > 1; --i) std::swap(x[i - 1], x[r.below(i)]);
            CHECK(sum_of(x, scale, parts) == sum);
        }
    }
}

TEST_CASE("FixedSum: integers and zeros are exact") {
    FixedScale const scale(3);
    FixedSum sum = 0;
    for (int i = 0; i < 1000; ++i) sum += scale.fixed(i % 4 - 1.5);
    CHECK(scale.value(sum) == 0);
    sum += scale.fixed(3) + FixedSum(scale.fixed(1e-30));
    CHECK(scale.value(sum) == 3);
    FixedScale const zero(0);
    CHECK(zero.value(zero.fixed(0)) == 0);
}
