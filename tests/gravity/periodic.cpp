// Gravity in periodic boxes against Ewald's sums.
#include <doctest/doctest.h>

#include <limits>

#include "gravity/direct.hpp"
#include "gravity/ewald.hpp"
#include "gravity/plummer.hpp"
#include "support/sanitized.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/gravity/gravity.hpp"

using namespace test;

namespace {

using Box = std::array<double, 3>;

/// Points of about the unit cube, in a box.
template <class T>
testing::Rows<3, T> stretched(testing::Rows<3, T> rows, Box const& box) {
    for (auto& p : rows)
        for (std::size_t j = 0; j < 3; ++j) p[j] = (p[j] - std::floor(p[j])) * T(box[j]);
    return rows;
}

/// The error of accelerations that 99 of 100 rows keep, relative to their length or (`of_pulls`) to all that pulls; and the
/// largest of potentials, relative to the mass over the shortest period.
template <class T>
struct Errors {
    double acceleration, of_pulls, potential;
    Errors(testing::Rows<3, T> const& rows, std::vector<double> const& masses, Box const& box,
           GravityOptions o, std::vector<DirectSum> const& exact) {
        o.masses = masses;
        o.box = {box[0], box[1], box[2]};
        auto const r = gravity(rows, o);
        double mass = 0;
        for (double m : masses) mass += m;
        std::vector<double> relative, pulled;
        potential = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            double off2 = 0, length2 = 0;
            for (std::size_t j = 0; j < 3; ++j) {
                off2 += std::pow(double(r.accelerations[3 * i + j]) - exact[i].acceleration[j], 2);
                length2 += std::pow(exact[i].acceleration[j], 2);
            }
            relative.push_back(std::sqrt(off2 / length2));
            pulled.push_back(std::sqrt(off2) / exact[i].pulls);
            potential = std::max(potential, std::abs(double(r.potentials[i]) - exact[i].potential) *
                                                std::min({box[0], box[1], box[2]}) / mass);
        }
        std::sort(relative.begin(), relative.end());
        std::sort(pulled.begin(), pulled.end());
        acceleration = GravityErrors::of(relative, .99);
        of_pulls = GravityErrors::of(pulled, .99);
    }
};

}  // namespace

TEST_CASE_TEMPLATE("gravity, periodic: as accurate as is asked for", T, float, double) {
    for (std::string const kind : {"uniform", "clustered"})
        for (Box const& box : {Box{1, 1, 1}, Box{2, 3, 4}}) {
            auto const rows = stretched(testing::make_points<3, T>(kind, fewer(200, 2), 1), box);
            auto const masses = some_masses(rows.size());
            auto const exact = ewald_sums<T>(Points(rows), masses, box, .01);
            for (double const accuracy : {1e-2, 1e-3, 1e-4, 1e-5}) {
                if (sizeof(T) == 4 && accuracy < 1e-4) continue;  // refused
                CAPTURE(kind);
                CAPTURE(accuracy);
                CAPTURE(box[2]);
                Errors<T> const e(rows, masses, box, {.softening = .01, .accuracy = accuracy}, exact);
                CHECK(e.acceleration < accuracy);
                CHECK(e.potential < 2 * accuracy);
            }
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
        Errors<double> const e(rows, masses, {1, 1, 1}, {.accuracy = 1e-5},
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
    auto const refused = [&](auto const& rows, GravityOptions const& o, char const* part) {
        try {
            gravity(rows, o);
            FAIL("not refused");
        } catch (InputError const& error) {
            INFO(error.what());
            CHECK(std::string(error.what()).find(part) != std::string::npos);
        }
    };
    auto const rows = testing::make_points<3, float>("uniform", 10, 1);
    refused(rows, {.box = {1, 1, 0}}, "along all three axes or none");
    refused(rows, {.box = {1, 1, 5}}, "not be more than 4 times as long as wide");
    refused(rows, {.softening = .2, .box = {1, 1, 1}}, "softening must be at most a tenth");
    refused(rows, {.box = {1, 1}}, "the box has 2 lengths");
    refused(rows, {.accuracy = 1e-5, .box = {1}}, "accuracy must be from 0.0001");
    refused(rows, {.box = {.1}}, "");
    refused(testing::make_points<2, float>("uniform", 10, 1), {.box = {1}}, "points of 3 columns");
    CHECK(gravity(rows, {.box = {0}}).potentials[0] == gravity(rows, {}).potentials[0]);
}
