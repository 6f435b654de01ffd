// Accelerations and potentials against direct sums: kinds of points, dimensions, precisions, sizes.
#include <doctest/doctest.h>

#include <numeric>

#include "gravity/direct.hpp"
#include "support/sanitized.hpp"
#include "zwalk/gravity/gravity.hpp"
#include "zwalk/testing/points.hpp"

using namespace zwalk;
using namespace test;

namespace {

/// That errors are as asked for, relative to all that pulls: as in the middle of lattices most of that may cancel.
template <int D, class T>
void check_kind(std::string const& kind, std::size_t n, double softening) {
    CAPTURE(D);
    CAPTURE(sizeof(T));
    CAPTURE(kind);
    CAPTURE(n);
    CAPTURE(softening);
    auto const rows = testing::make_points<D, T>(kind, n, 1);
    auto const masses = some_masses(rows.size());
    if (kind == "huge" || kind == "subnormal") {  // no number holds most of the forces
        try {
            (void)gravity(rows, {.masses = masses, .softening = softening});
        } catch (InputError const& refusal) {
            CHECK(std::string(refusal.what()).starts_with("accelerations leave the range of"));
        }
        return;
    }
    auto const r = gravity(rows, {.masses = masses, .softening = softening});
    REQUIRE(r.rows == rows.size());
    REQUIRE(r.columns == D);
    REQUIRE(r.accelerations.size() == rows.size() * D);
    auto const e = gravity_errors<T>(Points(rows), masses, softening, r);
    CHECK(GravityErrors::of(e.of_pulls, .99) < most_of_pulls(kind, D));
    CHECK(e.potential.back() < 1e-3);
}

template <int D, class T>
void check_all() {
    for (auto const& kind : some(testing::kinds(), D == 3 ? 1 : 2))
        for (double const softening : {0., .01}) check_kind<D, T>(kind, fewer(2000, 2), softening);
}

}  // namespace

TEST_CASE("gravity: hard list in three dimensions") {
    check_all<3, float>();
    check_all<3, double>();
}
TEST_CASE("gravity: hard list in one and two dimensions") {
    check_all<1, double>();
    check_all<2, float>();
    check_all<2, double>();
}

TEST_CASE("gravity: nodes that aren't like clouds, in leaves of all sizes") {
    for (std::string const kind : {"sites40", "clustered", "zeros", "lattice24", "uniform", "line"})
        for (std::size_t n : {200, 700})
            for (pos_t leaf_size : {0, 2, 8, 16})
                for (std::uint64_t seed = 1; seed <= fewer(6, 3); ++seed) {
                    CAPTURE(kind);
                    CAPTURE(n);
                    CAPTURE(leaf_size);
                    CAPTURE(seed);
                    auto const rows = testing::make_points<3, double>(kind, n, seed);
                    auto const masses = some_masses(rows.size());
                    auto const r = gravity(rows, {.masses = masses, .tree = {.leaf_size = leaf_size}});
                    auto const e = gravity_errors<double>(Points(rows), masses, 0, r);
                    CHECK(GravityErrors::of(e.of_pulls, .99) < 3e-3);
                }
}

TEST_CASE("gravity: few points") {
    for (std::size_t n : {0, 1, 2, 3, 47, 48, 49, 97}) {
        CAPTURE(n);
        auto const rows = testing::make_points<3, double>("uniform", n, 1);
        auto const masses = some_masses(rows.size());
        auto const r = gravity(rows, {.masses = masses});
        CHECK(r.rows == n);
        CHECK(r.potentials.size() == n);
        if (n < 2) {
            for (double const p : r.potentials) CHECK(p == 0);
            for (double const a : r.accelerations) CHECK(a == 0);
            continue;
        }
        auto const e = gravity_errors<double>(Points(rows), masses, 0, r);
        CHECK(e.acceleration.back() < 1e-3);
        CHECK(e.potential.back() < 1e-3);
    }
}
