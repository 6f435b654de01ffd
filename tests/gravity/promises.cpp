// What gravity promises beside the answer: errors as asked for, one answer, units, refusals.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "compiled_orders.hpp"
#include "gravity/direct.hpp"
#include "gravity/plummer.hpp"
#include "gravity/refused.hpp"
#include "support/sanitized.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/gravity/gravity.hpp"
#include "zwalk/testing/points.hpp"

using namespace zwalk;
using namespace test;
using zwalk::testing::make_points;

namespace {

template <class T>
void check_accuracy(testing::Rows<3, T> const& rows, double accuracy) {
    std::vector<double> const masses(rows.size(), 1. / double(rows.size()));
    double const softening = .001;
    auto const r = gravity(rows, {.masses = masses, .softening = softening, .accuracy = accuracy});
    auto const e = gravity_errors<T>(Points(rows), masses, softening, r, 1000);
    CHECK(GravityErrors::of(e.acceleration, .99) < accuracy);
    // Not wasted either: opened by an order of magnitude more than needed.
    if (accuracy > 1e-4) CHECK(GravityErrors::of(e.acceleration, .99) > accuracy / 50);
    CHECK(GravityErrors::of(e.potential, .99) < accuracy / 3);
}
template <class Result>
bool same(Result const& a, Result const& b) {
    return std::equal(a.accelerations.begin(), a.accelerations.end(), b.accelerations.begin(),
                      b.accelerations.end()) &&
           std::equal(a.potentials.begin(), a.potentials.end(), b.potentials.begin(),
                      b.potentials.end());
}

}  // namespace

TEST_CASE_TEMPLATE("gravity: 99 of 100 errors are below the accuracy asked for", T, float, double) {
    for (double const accuracy : {3e-2, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
        if (sizeof(T) == 4 && accuracy < 1e-5) continue;
        CAPTURE(accuracy);
        for (std::uint64_t seed : {1, 2}) {
            CAPTURE(seed);
            std::size_t const n = fewer(10000, 4);
            check_accuracy<T>(make_points<3, T>("uniform", n, seed), accuracy);
            check_accuracy<T>(plummer<T>(n, seed), accuracy);
            check_accuracy<T>(make_points<3, T>("clustered", n, seed), accuracy);
        }
    }
}

TEST_CASE_TEMPLATE("gravity: squared distances that are subnormal, beside very large ones", T, float,
                   double) {
    T const near = T(.7) * std::sqrt(std::numeric_limits<T>::min());
    T const far = std::ldexp(T(1), sizeof(T) == 4 ? 39 : 329);  // no unit of its own is needed
    REQUIRE(near * near < std::numeric_limits<T>::min());
    testing::Rows<3, T> const rows{{0, 0, 0}, {near, 0, 0}, {1, 0, 0}, {0, far, 0}};
    auto const r = gravity(rows, {});
    CHECK(double(r.potentials[0]) == doctest::Approx(-1 / double(near)).epsilon(1e-6));
    CHECK(double(r.potentials[1]) == doctest::Approx(-1 / double(near)).epsilon(1e-6));
    CHECK(r.potentials[2] == doctest::Approx(-2));
    CHECK(r.accelerations[6] == doctest::Approx(-2));
    CHECK(r.potentials[3] == doctest::Approx(-3 / double(far)));
    for (int i = 6; i < 12; ++i) CHECK(std::isfinite(r.accelerations[std::size_t(i)]));
}

TEST_CASE("gravity: the same bits for any number of threads, in both orders") {
    auto const rows = make_points<3, float>("clustered", fewer(20000, 4), 1);
    auto const r = gravity(rows, {}, Cpu(1));
    for (int threads : {2, 5}) CHECK(same(r, gravity(rows, {}, Cpu(threads))));
    auto const z = gravity(rows, {.order = Order::z});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::size_t const row = z.z_order[i];
        REQUIRE(z.potentials[i] == r.potentials[row]);
        for (std::size_t j = 0; j < 3; ++j)
            REQUIRE(z.accelerations[3 * i + j] == r.accelerations[3 * row + j]);
    }
}

TEST_CASE("gravity: any order and any opening, down to direct sums") {
    auto const rows = make_points<3, double>("uniform", 3000, 1);
    std::vector<double> const masses(rows.size(), 1);
    for (int order = 1; order <= 5; ++order) {
        CAPTURE(order);
        double last = 1;
        for (double const opening : {4., 2., 1., 1e-9}) {
            CAPTURE(opening);
            auto const r = gravity(rows, {.expansion_order = order, .opening = opening});
            CHECK(r.expansion_order == std::max(order, detail::least_compiled_order));
            CHECK(r.opening == opening);
            auto const e = gravity_errors<double>(Points(rows), masses, 0, r);
            double const error = GravityErrors::of(e.acceleration, .9);
            CHECK(error < last);
            last = error;
        }
        CHECK(last < 1e-12);
    }
}

TEST_CASE_TEMPLATE("gravity: units of length and mass don't matter", T, float, double) {
    auto const rows = make_points<3, T>("clustered", 3000, 1);
    auto const r = gravity(rows, {.softening = 0x1p-10, .expansion_order = 5, .opening = 1.5});
    // Powers of two, so that nothing is rounded another way.
    for (auto const& [length, mass] : {std::pair(0x1p20, 1.), std::pair(0x1p-20, 1.),
                                       std::pair(1., 0x1p60), std::pair(0x1p12, 0x1p-60)}) {
        auto scaled = rows;
        for (auto& p : scaled)
            for (T& x : p) x *= T(length);
        std::vector<double> const masses(rows.size(), mass);
        auto const s = gravity(
            scaled,
            {.masses = masses, .softening = 0x1p-10 * length, .expansion_order = 5, .opening = 1.5});
        for (std::size_t i = 0; i < rows.size(); ++i) {
            REQUIRE(s.potentials[i] == T(r.potentials[i] * mass / length));
            for (std::size_t j = 3 * i; j < 3 * i + 3; ++j)
                REQUIRE(s.accelerations[j] == T(r.accelerations[j] * mass / length / length));
        }
    }
}

TEST_CASE("gravity: points at one place, and masses of zero") {
    testing::Rows<3, double> const rows{{0, 0, 0}, {0, 0, 0}, {1, 0, 0}};
    std::vector<double> const masses{1, 2, 4};
    auto const hard = gravity(rows, {.masses = masses});
    CHECK(hard.potentials[0] == doctest::Approx(-4));
    CHECK(hard.potentials[2] == doctest::Approx(-3));
    CHECK(hard.accelerations[0] == doctest::Approx(4));
    CHECK(hard.accelerations[6] == doctest::Approx(-3));
    auto const soft = gravity(rows, {.masses = masses, .softening = .5});
    CHECK(soft.potentials[0] == doctest::Approx(-2 / .5 - 4 / std::sqrt(1.25)));
    CHECK(soft.potentials[1] == doctest::Approx(-1 / .5 - 4 / std::sqrt(1.25)));
    CHECK(soft.accelerations[0] == doctest::Approx(4 / std::pow(1.25, 1.5)));

    auto const many = make_points<3, double>("uniform", 3000, 1);
    std::vector<double> some(many.size(), 0);
    for (double const p : gravity(many, {.masses = some}).potentials) REQUIRE(p == 0);
    for (std::size_t i = 0; i < 3; ++i) some[i * 1000] = 1;
    auto const r = gravity(many, {.masses = some});
    auto const e = gravity_errors<double>(Points(many), some, 0, r);
    CHECK(GravityErrors::of(e.acceleration, .99) < 1e-3);
}

TEST_CASE("gravity: many points at one place don't meet one by one") {
    std::size_t const n = 20000;
    testing::Rows<3, double> const rows(n, {.25, .5, .75});
    for (double const softening : {0., .5}) {
        auto const r = gravity(rows, {.softening = softening});
        std::uint64_t met = 1;
        for (auto const& [name, count] : r.stats.counts)
            if (name == "leaf_entries") met = count;
        CHECK(met == 0);
        double const potential = softening > 0 ? -double(n - 1) / softening : 0;
        for (std::size_t i = 0; i < n; i += 1000) {
            CHECK(r.potentials[i] == doctest::Approx(potential).epsilon(1e-12));
            CHECK(std::abs(r.accelerations[3 * i]) < 1e-9 * double(n));
        }
    }
}

TEST_CASE("gravity: momentum is kept within the error") {
    auto const rows = make_points<3, double>("normal", 10000, 1);
    auto const r = gravity(rows, {.accuracy = 1e-4});
    double sum[3]{}, size = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            sum[j] += r.accelerations[3 * i + j];
            size += std::abs(r.accelerations[3 * i + j]);
        }
    for (double const s : sum) CHECK(std::abs(s) < 1e-4 * size);
}

TEST_CASE("gravity: nodes grow by 2, or as is asked for") {
    auto const rows = make_points<3, float>("normal", 5000, 1);
    auto const by = [&](pos_t coarsening) {
        return gravity(rows, {.tree = {.coarsening = coarsening}});
    };
    auto const planes = [](auto const& r) {
        for (auto const& [name, count] : r.stats.counts)
            if (name == "planes") return count;
        return decltype(r.stats.counts[0].second)(0);
    };
    auto const usual = by(0), by_2 = by(2), by_8 = by(8);
    CHECK(same(usual, by_2));
    CHECK(planes(usual) == planes(by_2));
    CHECK(planes(by_8) < planes(usual));
}
TEST_CASE(
    "gravity: leaves have 32 points on threads, the usual ones in periodic boxes, or as is asked for") {
    auto const rows = make_points<3, float>("normal", 3000, 1);
    float widest = 0;
    for (auto const& p : rows)
        for (float const x : p) widest = std::max(widest, std::abs(x));
    for (double const box : {0., 4. * double(widest)}) {
        CAPTURE(box);
        auto const by = [&](pos_t leaf_size) {
            return gravity(rows, {.box = {box}, .tree = {.leaf_size = leaf_size}});
        };
        auto const usual = by(0), by_32 = by(32), by_48 = by(48);
        CHECK(same(usual, by_32) == (box == 0));
        CHECK(same(usual, by_48) == (box > 0));
    }
}

TEST_CASE("gravity: refusals say what is wrong") {
    auto const rows = make_points<3, float>("uniform", 10, 1);
    std::vector<double> masses(10, 1);
    auto const refused = [&](GravityOptions const& o, char const* part) {
        check_refused(rows, o, part);
    };
    refused({.masses = std::span(masses).first(9)}, "there are 9 masses, but 10 points");
    masses[3] = -1;
    refused({.masses = masses}, "that of row 3 is -1");
    masses[3] = 1e39;
    refused({.masses = masses}, "that of row 3 is 1e+39");
    refused({.softening = -1}, "softening must be");
    refused({.softening = std::numeric_limits<double>::quiet_NaN()}, "softening must be");
    refused({.softening = 1e39}, "softening must be");
    refused({.softening = 1e20}, "accelerations leave the range of single precision");
    refused({.accuracy = 0}, "accuracy must be from 1e-05");
    refused({.accuracy = .5}, "accuracy must be from");
    refused({.expansion_order = 6}, "expansion_order must be 1 to 5");
    refused({.opening = -1}, "opening must be");
    refused({.opening = 9}, "opening must be from 0 to 8");
    std::vector<std::array<float, 4>> const four(3);
    CHECK_THROWS_WITH_AS(gravity(four, {}), "gravity is for points of 1 to 3 columns, but there are 4",
                         InputError);
}
