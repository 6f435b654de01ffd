// The squares that a radius stands for: the last whose root isn't above it, and the first whose root isn't below.
#include "zwalk/core/within.hpp"

#include <doctest/doctest.h>

#include "support/points.hpp"

using namespace zwalk;

namespace {

template <class T>
void check_squares(T r) {
    CAPTURE(r);
    T const within = largest_square(r), next = std::nextafter(within, infinity<T>);
    REQUIRE(std::sqrt(within) <= r);
    REQUIRE((next == infinity<T> || std::sqrt(next) > r));
    T const from = smallest_square(r);
    REQUIRE(std::sqrt(from) >= r);
    REQUIRE((from == 0 || std::sqrt(std::nextafter(from, T(0))) < r));
}

}  // namespace

TEST_CASE_TEMPLATE("within: squares of radii of every size", T, float, double) {
    using Limits = std::numeric_limits<T>;
    for (T const r :
         {T(0), Limits::denorm_min(), Limits::min(), std::sqrt(Limits::min()), T(.1), T(1), T(3)})
        check_squares(r);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        CAPTURE(seed);
        test::Random random(seed);
        for (int i = 0; i < 20000; ++i)  // squares in the normal range, and beyond it on the small side
            check_squares(T(std::ldexp(1 + random.uniform(), int(random.below(100)) - 70)));
    }
    // A square that overflows: all finite ones are within.
    CHECK(largest_square(std::sqrt(Limits::max()) * 2) == Limits::max());
    CHECK(largest_square(infinity<T>) == Limits::max());
}
