// Radius search with a radius for each target: against brute force, k-th distances of kNN, and a search with one radius; what is
// refused.
#include <doctest/doctest.h>

#include <limits>
#include <random>

#include "fof/brute.hpp"
#include "knn/check.hpp"
#include "radius/brute.hpp"
#include "radius/radii.hpp"
#include "support/count_of.hpp"
#include "support/places.hpp"
#include "support/sanitized.hpp"
#include "zwalk/knn/knn.hpp"

using namespace test;

namespace {

/// Against brute force, of points among themselves in each way, and of queries.
template <int D, class T>
void check_radii(Rows<D, T> const& rows, Rows<D, T> const& others, RadiusOptions o,
                 std::vector<double> const& lengths, unsigned seed) {
    auto const own = some_radii(lengths, rows.size(), seed),
               theirs = some_radii(lengths, others.size(), seed + 1);
    CAPTURE(D);
    CAPTURE(seed);
    o.radii = own;
    for (bool const larger : {false, true})
        for (bool const alone : {false, true}) {
            CAPTURE(larger);
            CAPTURE(alone);
            o.larger = larger;
            o.exclude_self = alone;
            CHECK(radius_right<D, T>(rows, o));
        }
    o.larger = o.exclude_self = false;
    o.radii = theirs;
    CHECK(radius_right<D, T>(rows, o, others));
}

template <int D, class T>
void every_kind_of_radii(std::size_t n) {
    if (D > ZWALK_MAX_DIM) return;
    for (auto const& kind : some(kinds(), D == 3 ? 1 : 2)) {
        CAPTURE(kind);
        auto const rows = make_points<D, T>(kind, fewer(n, 2), D);
        check_radii<D, T>(rows, make_points<D, T>(kind, n / 3, D + 1), {.tree = {.leaf_size = 12}},
                          lengths_for<D>(rows, D), 10 + D);
    }
}

}  // namespace

TEST_CASE("radii: every kind of points, 1 to 64 dimensions") {
    every_kind_of_radii<1, float>(200);
    every_kind_of_radii<2, double>(250);
    every_kind_of_radii<3, float>(300);
    every_kind_of_radii<3, double>(300);
    every_kind_of_radii<4, float>(200);
    every_kind_of_radii<5, float>(150);
    every_kind_of_radii<6, double>(150);
    every_kind_of_radii<8, float>(150);
    every_kind_of_radii<10, double>(100);
    every_kind_of_radii<27, float>(80);
    every_kind_of_radii<64, double>(60);
}

TEST_CASE("radii: few points, and numbers around the leaf size") {
    for (std::size_t n : {0, 1, 2, 3, 10, 31, 32, 33, 47, 48, 49, 72, 100, 257})
        for (pos_t leaf : {0, 1, 32, 1000})
            for (std::size_t m : {0, 1, 60}) {
                CAPTURE(n);
                CAPTURE(leaf);
                CAPTURE(m);
                check_radii<3, float>(make_points<3, float>("uniform", n, 5),
                                      make_points<3, float>("uniform", m, 6),
                                      {.tree = {.leaf_size = leaf}}, {0, .05, .2, 10}, unsigned(n + m));
            }
}

TEST_CASE("radii: periodic boxes, whole and on some axes, points on both faces") {
    for (double length : {.03, 1., 170.})
        for (auto const* kind : {"uniform", "clustered", "sites40", "grid", "equal"}) {
            CAPTURE(length);
            CAPTURE(kind);
            std::vector<double> const lengths{0, .04 * length, .1 * length, .6 * length, 2 * length};
            auto const whole = double(float(length));
            check_radii<3, float>(in_box<3, float>(kind, 250, length, 8),
                                  in_box<3, float>("uniform", 70, length, 13), {.box = {whole}}, lengths,
                                  21);
            check_radii<3, double>(in_box<3, double>(kind, 250, length, 9),
                                   in_box<3, double>("uniform", 70, length, 14),
                                   {.box = {length, 0, length}}, lengths, 22);
            check_radii<2, double>(in_box<2, double>(kind, 200, length, 10),
                                   in_box<2, double>("uniform", 70, length, 15), {.box = {0, length}},
                                   lengths, 23);
        }
}

TEST_CASE("radii: many points, of which nodes are counted as a whole") {
    // All equal: what nodes know of radii decides nearly alone. One radius of a thousand is much larger.
    auto const rows = make_points<3, float>("uniform", 20000, 3);
    std::vector<double> radii(rows.size(), .02);
    for (std::size_t i = 0; i < radii.size(); i += 1000) radii[i] = 2;
    auto const found = radius_count(rows, {.radii = radii});
    auto const near = radius_count(rows, {.radius = .02});
    for (std::size_t i = 0; i < radii.size(); ++i)
        CHECK(found.counts[i] == (i % 1000 == 0 ? index_t(rows.size()) : near.counts[i]));
    CHECK(count_of(found.stats, "node_entries") < 2 * count_of(near.stats, "node_entries"));
    auto const equal = make_points<3, float>("equal", 20000, 1);
    for (bool const larger : {false, true}) {
        auto const all = radius_count(equal, {.radii = radii, .larger = larger, .exclude_self = true});
        CHECK(all.found == 20000ULL * 19999);
        CHECK(count_of(all.stats, "node_entries") < 100000);
    }
}

TEST_CASE("radii: equal ones find what one radius finds; orders, indices") {
    auto const rows = in_box<3, double>("clustered", 900, 1, 1),
               others = in_box<3, double>("uniform", 120, 1, 2);
    std::vector<double> const own(rows.size(), .07), theirs(others.size(), .07);
    for (std::vector<double> const& box : {std::vector<double>{}, {1}, {1, 0, 1}})
        for (Order const order : {Order::input, Order::z}) {
            Index<double> const index(rows, {.box = box, .tree = {.leaf_size = 20}}, Cpu(2));
            RadiusOptions const one{.radius = .07, .order = order}, each{.radii = own, .order = order},
                of_others{.radii = theirs, .order = order};
            auto const same = [](auto const& a, auto const& b) {
                return a.counts == b.counts && a.offsets == b.offsets && a.indices == b.indices &&
                       a.distances == b.distances && a.found == b.found && a.row_order == b.row_order &&
                       a.source_order == b.source_order;
            };
            CHECK(same(radius_count(index, each), radius_count(index, one)));
            CHECK(same(radius_search(index, each), radius_search(index, one)));
            CHECK(same(radius_count(index, others, of_others), radius_count(index, others, one)));
            CHECK(same(radius_search(index, others, of_others), radius_search(index, others, one)));
        }
    // Radii go with rows of the input, whatever the order of the result.
    auto const radii = some_radii({.01, .05, .2}, rows.size(), 5);
    auto const input = radius_count(rows, {.radii = radii}),
               z = radius_count(rows, {.radii = radii, .order = Order::z});
    for (std::size_t i = 0; i < rows.size(); ++i) CHECK(z.counts[i] == input.counts[z.row_order[i]]);
}

TEST_CASE("radii: k-th distances of kNN take in k neighbours, and no more than ties") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        auto const check = [&]<int D, class T>() {
            auto const rows = make_points<D, T>(kind, 500, 17);
            index_t const k = 5;
            auto const nearest = knn(rows, {.k = k});
            std::vector<double> radii;
            for (std::size_t i = 0; i < rows.size(); ++i)
                radii.push_back(double(nearest.distances[i * std::size_t(k) + std::size_t(k) - 1]));
            if (!std::all_of(radii.begin(), radii.end(), [](double r) { return std::isfinite(r); }))
                return;
            for (index_t const n : radius_count(rows, {.radii = radii}).counts) CHECK(n >= k);
        };
        check.operator()<3, float>();
        check.operator()<2, double>();
    }
}

TEST_CASE("radii: refusals") {
    auto const rows = make_points<3, float>("uniform", 5, 9);
    auto const says = [&](RadiusOptions const& o) {
        auto const count = refusal_of([&] { radius_count(rows, o); });
        CHECK(count == refusal_of([&] { radius_search(rows, o); }));
        CHECK(count == refusal_of([&] {
                  radius_visit(
                      rows, [](index_t, auto const&) {}, o);
              }));
        CHECK(count == refusal_of([&] { radius_count(Index<float>(rows), o); }));
        return count;
    };
    auto const with = [](double bad) { return std::vector<double>{0, .1, 2, bad, 1}; };
    CHECK(says({.radii = with(-1)}) == "the radius of row 3 must be a finite number >= 0, but is -1");
    CHECK(says({.radii = with(std::nan(""))}) ==
          "the radius of row 3 must be a finite number >= 0, but is nan");
    CHECK(says({.radii = with(infinity<double>)}) ==
          "the radius of row 3 must be a finite number >= 0, but is inf");
    CHECK(says({.radii = with(1e39)}) ==
          "the radius 1e+39 of row 3 is too large for the precision of the points");
    CHECK(says({.radii = with(3)}) == "");
    CHECK(says({.radius = 1, .radii = with(3)}) ==
          "radius is one for all points, radii are one for each: leave out either of them");
    std::vector<double> const four(4, 1.);
    CHECK(says({.radii = four}) == "there are 4 radii, but 5 points: give one for each");
    CHECK(refusal_of([&] { radius_count(rows, rows, {.radii = four}); }) ==
          "there are 4 radii, but 5 queries: give one for each");
    CHECK(says({.radius = 1, .larger = true}) ==
          "larger is of two radii: it needs radii, one for each point");
    CHECK(refusal_of([&] { radius_count(rows, rows, {.radii = with(3), .larger = true}); }) ==
          "larger needs the points to be their own queries: leave out either the queries or larger");
    CHECK(refusal_of([&] { radius_count(rows, rows, {.radii = with(3), .exclude_self = true}); }) ==
          "exclude_self needs the points to be their own queries: leave out either the queries or "
          "exclude_self");
}
