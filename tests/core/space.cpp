// Bounds between boxes never contradict a computed distance, without slack.
#include "zwalk/core/space.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "support/points.hpp"
#include "zwalk/walk/bounds.hpp"

using namespace zwalk;
using test::Random;

namespace {

template <int D, class T>
struct Box {
    Vec<D, T> lo, hi;
};

template <int D, class T>
Box<D, T> box_of(std::vector<Vec<D, T>> const& points) {
    Box<D, T> b{points[0], points[0]};
    for (auto const& p : points)
        for (int j = 0; j < D; ++j) b.lo[j] = std::min(b.lo[j], p[j]), b.hi[j] = std::max(b.hi[j], p[j]);
    return b;
}

/// Coordinates of very different sizes around a random centre, inside [0, limit).
template <int D, class T>
std::vector<Vec<D, T>> cloud(Random& r, double limit) {
    std::vector<Vec<D, T>> points(1 + r.below(5));
    double const width = std::pow(10., -8 * r.uniform());
    Vec<D, T> centre;
    for (int j = 0; j < D; ++j) centre[j] = T(r.uniform());
    for (auto& p : points)
        for (int j = 0; j < D; ++j)
            p[j] = T(limit) * std::clamp(T(centre[j] + T(width * (r.uniform() - .5))), T(0), T(1));
    return points;
}

template <int D, class T, class Space>
void check_bounds(Space const& space, double limit, std::uint64_t seed) {
    CAPTURE(seed);
    Random r(seed);
    for (int trial = 0; trial < 3000; ++trial) {
        auto const a = cloud<D, T>(r, limit), b = cloud<D, T>(r, limit);
        auto const ba = box_of(a), bb = box_of(b);
        Range<T> range{0, 0};
        for (int j = 0; j < D; ++j) add_axis(space, j, ba.lo[j], ba.hi[j], bb.lo[j], bb.hi[j], range);
        for (auto const& p : a)
            for (auto const& q : b) {
                T const d2 = distance2(space, p, q);
                REQUIRE(range.lo2 <= d2);
                REQUIRE(d2 <= range.hi2);
                REQUIRE(d2 == distance2(space, q, p));
                auto const dx = displacement(space, p, q);
                T sum = 0;
                for (int j = 0; j < D; ++j) sum = std::fma(dx[j], dx[j], sum);
                REQUIRE(sum == d2);
            }
    }
}

}  // namespace

TEST_CASE("bounds hold for open and periodic space, float and double") {
    check_bounds<1, float>(Open<1, float>{}, 1, 1);
    check_bounds<3, float>(Open<3, float>{}, 1, 2);
    check_bounds<3, double>(Open<3, double>{}, 1e300, 3);  // squares overflow
    check_bounds<3, float>(Open<3, float>{}, 1e-30, 4);    // squares underflow
    for (float length : {.03f, .1f, 1.f, 170.f})
        check_bounds<3, float>(Periodic<3, float>{{length, length, length}}, length, 5);
    for (double length : {.03, .1, 1., 170.})
        check_bounds<2, double>(Periodic<2, double>{{length, infinity<double>}}, length, 6);
    check_bounds<3, double>(Periodic<3, double>{{infinity<double>, infinity<double>, infinity<double>}},
                            1e300, 7);
}

TEST_CASE("nearest image: opposite faces touch, half the box is the largest separation") {
    Periodic<1, float> const space{{1}};
    CHECK(distance2(space, Vec<1, float>{{0}}, Vec<1, float>{{1}}) == 0);
    CHECK(distance2(space, Vec<1, float>{{.125f}}, Vec<1, float>{{.875f}}) == .0625f);
    CHECK(distance2(space, Vec<1, float>{{0}}, Vec<1, float>{{.5f}}) == .25f);
    CHECK(displacement(space, Vec<1, float>{{.125f}}, Vec<1, float>{{.875f}})[0] == -.25f);
    CHECK(displacement(space, Vec<1, float>{{.875f}}, Vec<1, float>{{.125f}})[0] == .25f);
}
