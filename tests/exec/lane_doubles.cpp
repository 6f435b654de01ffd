// Arithmetic on a double for each lane: what plain doubles give, lane by lane. (On a GPU's lanes: tests/cuda/group.cu.)
#include "zwalk/exec/lane_doubles.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "zwalk/exec/group.hpp"

using namespace zwalk;

namespace {

constexpr int W = 32;
using Doubles = LaneDoubles<CpuGroup<W>, void>;

double a_of(int l) { return 1 + (l * 7 % 11) * .3; }
double b_of(int l) { return 1 + (l * 5 % 13) * .25; }

void check_lanes(Doubles const& found, auto const& expected) {
    for (int l = 0; l < W; ++l) CHECK(found.lane[l] == expected(l));
}

}  // namespace

TEST_CASE("lane doubles: each lane has what plain numbers give") {
    Doubles const a = Doubles::of(a_of), b = Doubles::of(b_of);
    check_lanes(Doubles(), [](int) { return 0.; });
    check_lanes(2.5, [](int) { return 2.5; });
    check_lanes(a + b, [](int l) { return a_of(l) + b_of(l); });
    check_lanes(a - 1, [](int l) { return a_of(l) - 1; });
    check_lanes(a * b, [](int l) { return a_of(l) * b_of(l); });
    check_lanes(1 / a, [](int l) { return 1 / a_of(l); });
    check_lanes(-a, [](int l) { return -a_of(l); });
    Doubles c = a;
    c += b, c *= b, c -= 1, c /= a;
    check_lanes(c, [](int l) { return ((a_of(l) + b_of(l)) * b_of(l) - 1) / a_of(l); });
    check_lanes(fma_of(a, b, .1), [](int l) { return std::fma(a_of(l), b_of(l), .1); });
    check_lanes(sqrt_of(a), [](int l) { return std::sqrt(a_of(l)); });
    check_lanes(abs_of(a - b), [](int l) { return std::fabs(a_of(l) - b_of(l)); });
    check_lanes(min_of(a, b), [](int l) { return min_of(a_of(l), b_of(l)); });
    check_lanes(max_of(a, 2), [](int l) { return max_of(a_of(l), 2.); });
    check_lanes(inverse_sqrt_of(a), [](int l) { return inverse_sqrt_of(a_of(l)); });
    check_lanes(exp_of(-a), [](int l) { return exp_of(-a_of(l)); });
    check_lanes(log_of(a), [](int l) { return log_of(a_of(l)); });
}

TEST_CASE("lane doubles: masks, and what is made of all lanes") {
    Doubles const a = Doubles::of(a_of), b = Doubles::of(b_of);
    check_lanes(select(a < b, a, b), [](int l) { return a_of(l) < b_of(l) ? a_of(l) : b_of(l); });
    check_lanes(select(a <= 2, a, 0), [](int l) { return a_of(l) <= 2 ? a_of(l) : 0; });
    pos_t both = 0, either = 0;
    for (int l = 0; l < W; ++l) {
        both += a_of(l) > b_of(l) && a_of(l) >= 2;
        either += a_of(l) > b_of(l) || a_of(l) == 1;
    }
    CHECK(count_of((a > b) & (a >= 2)) == both);
    CHECK(count_of((a > b) | (a == 1)) == either);
    CHECK((0 < both && both < either && either < W));
    CHECK(any_of(a == 1));
    CHECK(!any_of(a < 1));
    CHECK(all_of(a >= 1));
    CHECK(!all_of(a > 1));

    double half[W];  // the order of sum_of
    for (int l = 0; l < W; ++l) half[l] = a_of(l) / 3;
    for (int n = W / 2; n > 0; n /= 2)
        for (int l = 0; l < n; ++l) half[l] += half[l + n];
    CHECK(sum_of(a / 3) == half[0]);
}
