// Gravity in periodic boxes against Ewald's sums.
#include <doctest/doctest.h>

#include <limits>

#include "gravity/direct.hpp"
#include "gravity/ewald.hpp"
#include "gravity/plummer.hpp"
#include "gravity/refused.hpp"
#include "support/sanitized.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/gravity/gravity.hpp"

using namespace test;

namespace {

template <class T>
EwaldErrors errors(testing::Rows<3, T> const& rows, std::vector<double> const& masses,
                   BoxSides const& box, GravityOptions o, std::vector<DirectSum> const& exact) {
    o.masses = masses;
    o.box = {box[0], box[1], box[2]};
    return {gravity(rows, o), masses, box, exact};
}

}  // namespace

TEST_CASE_TEMPLATE("gravity, periodic: as accurate as is asked for", T, float, double) {
    for (std::string const kind : {"uniform", "clustered"})
        for (BoxSides const& box : {BoxSides{1, 1, 1}, BoxSides{2, 3, 4}}) {
            auto const rows = stretched(testing::make_points<3, T>(kind, fewer(200, 2), 1), box);
            auto const masses = some_masses(rows.size());
            auto const exact = ewald_sums<T>(Points(rows), masses, box, .01);
            for (double const accuracy : {1e-2, 1e-3, 1e-4, 1e-5}) {
                if (sizeof(T) == 4 && accuracy < 1e-4) continue;  // refused
                CAPTURE(kind);
                CAPTURE(accuracy);
                CAPTURE(box[2]);
                // With few points in leaves few masses meet one by one, and expansions say all.
                for (pos_t const leaf_size : {0, 4}) {
                    CAPTURE(leaf_size);
                    auto const e = errors<T>(
                        rows, masses, box,
                        {.softening = .01, .accuracy = accuracy, .tree = {.leaf_size = leaf_size}},
                        exact);
                    CHECK(e.acceleration < accuracy);
                    CHECK(e.potential < 2 * accuracy);
                }
            }
        }
}
TEST_CASE(
    "gravity, periodic: boxes for which three times a length, rounded, is more than three of them") {
    static_assert(3 * 1.6 / 1.6 > 3 && 3 * .1 / .1 > 3);
    for (BoxSides const& box : {BoxSides{.1, .1, .1}, BoxSides{1.6, 1.6, 1.6}, BoxSides{1.6, .8, 1.6}}) {
        CAPTURE(box[0]);
        CAPTURE(box[1]);
        auto const rows = stretched(testing::make_points<3, double>("uniform", 30, 1), box);
        auto const masses = some_masses(rows.size());
        double const softening = .01 * box[1], accuracy = 1e-5;
        auto const e = errors<double>(rows, masses, box, {.softening = softening, .accuracy = accuracy},
                                      ewald_sums<double>(Points(rows), masses, box, softening));
        CHECK(e.acceleration < accuracy);
        CHECK(e.potential < 2 * accuracy);
    }
}
TEST_CASE("gravity, periodic: two points, one, and one in each corner") {
    std::vector<testing::Rows<3, double>> const all{{{.1, .2, .3}},
                                                    {{.1, .2, .3}, {.4, .9, .5}},
                                                    {{.01, .01, .01}, {.99, .99, .99}},
                                                    {{0, 0, 0}, {1, 1, 1}},
                                                    {{.3, .3, .3}, {.3, .3, .3}, {.6, .1, .9}}};
    for (auto const& rows : all) {
        CAPTURE(rows.size());
        auto const masses = some_masses(rows.size());
        auto const e = errors<double>(rows, masses, {1, 1, 1}, {.accuracy = 1e-5},
                                      ewald_sums<double>(Points(rows), masses, {1, 1, 1}, 0));
        CHECK(e.of_pulls < 2e-5);
        CHECK(e.potential < 1e-5);
    }
    // Known to all digits (Madelung's constant of a simple cubic lattice in a background), half of it in each image.
    auto const one = gravity(all[0], {.box = {1}});
    CHECK(one.potentials[0] == doctest::Approx(2.837297479).epsilon(1e-6));
    CHECK(std::abs(one.accelerations[0]) < 1e-9);
}
TEST_CASE("gravity, periodic: a lattice has no forces") {
    testing::Rows<3, double> rows;
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
            for (int k = 0; k < 8; ++k) rows.push_back({i / 8., j / 8., k / 8.});
    auto const r = gravity(rows, {.accuracy = 1e-4, .box = {1, 1, 1}});
    double const neighbour = 64;  // the pull of one
    for (double const a : r.accelerations) REQUIRE(std::abs(a) < 1e-3 * neighbour);
    for (double const p : r.potentials) REQUIRE(p == doctest::Approx(2.837297479 * 8).epsilon(1e-3));
}
TEST_CASE(
    "gravity, periodic: the same bits for any number of threads, and moved by a period nearly the "
    "same") {
    auto const rows = stretched(testing::make_points<3, double>("clustered", 3000, 2), {1, 1, 1});
    auto const a = gravity(rows, {.box = {1, 1, 1}}, Cpu(1)),
               b = gravity(rows, {.box = {1, 1, 1}}, Cpu(3));
    CHECK(std::equal(a.accelerations.begin(), a.accelerations.end(), b.accelerations.begin()));
    CHECK(std::equal(a.potentials.begin(), a.potentials.end(), b.potentials.begin()));
    auto moved = rows;
    for (auto& p : moved) {
        p[0] = p[0] < .4 ? p[0] + 1 : p[0];
        p[1] = p[1] < .7 ? p[1] + 1 : p[1];
    }
    auto const c = gravity(moved, {.box = {1, 1, 1}});
    double off2 = 0, all2 = 0;
    for (std::size_t i = 0; i < a.accelerations.size(); ++i) {
        off2 += std::pow(a.accelerations[i] - c.accelerations[i], 2);
        all2 += std::pow(a.accelerations[i], 2);
    }
    CHECK(off2 < 1e-6 * all2);
}
TEST_CASE("gravity, periodic: refusals say what is wrong") {
    auto const rows = testing::make_points<3, float>("uniform", 10, 1);
    check_refused(rows, {.box = {1, 1, 0}}, "along all three axes or none");
    check_refused(rows, {.box = {1, 1, 5}}, "not be more than 4 times as long as wide");
    check_refused(rows, {.softening = .2, .box = {1, 1, 1}}, "softening must be at most a tenth");
    check_refused(rows, {.box = {1, 1}}, "the box has 2 lengths");
    check_refused(rows, {.accuracy = 1e-5, .box = {1}}, "accuracy must be from 0.0001");
    check_refused(rows, {.box = {.1}}, "");
    check_refused(testing::make_points<2, float>("uniform", 10, 1), {.box = {1}}, "points of 3 columns");
    CHECK(gravity(rows, {.box = {0}}).potentials[0] == gravity(rows, {}).potentials[0]);
}
