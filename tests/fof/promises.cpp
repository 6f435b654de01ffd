// What fof() promises beside right groups: work that doesn't explode, orders of the result, refusals.
#include <doctest/doctest.h>

#include <algorithm>

#include "fof/brute.hpp"

using namespace test;

namespace {

std::uint64_t work_of(FofResult<> const& r) {
    std::uint64_t sum = 0;
    for (auto const& [name, value] : r.stats.counts)
        if (name == "node_entries" || name == "leaf_entries") sum += value;
    return sum;
}

}  // namespace

TEST_CASE("FoF: chains, copies, everything and nothing linked: right, without more work") {
    std::size_t const n = 200000;
    auto const uniform = make_points<3, float>("uniform", n, 1);
    double const b = .2 * mean_spacing(view<3>(uniform));
    std::uint64_t const usual = work_of(fof(view<3>(uniform), {.linking_length = b}));
    auto const check = [&](auto const& rows, double length, std::size_t groups,
                           std::vector<double> const& box = {}) {
        auto const r = fof(Points(rows), {.linking_length = length, .box = box});
        CHECK(r.groups == groups);
        CHECK(work_of(r) <= 3 * usual + 1000);
    };
    check(uniform, 0, n);
    check(uniform, 2, 1);
    check(uniform, 5, 1, {1});
    Rows<3, float> chain(n);
    Random r(2);
    for (std::size_t i = 0; i < n; ++i) chain[i] = {float(i), 0, 0};
    for (std::size_t i = n; i > 1; --i) std::swap(chain[i - 1], chain[r.below(i)]);
    check(chain, 1, 1);
    check(chain, .99, n);
    check(make_points<3, float>("equal", n, 3), 0, 1);
    check(make_points<3, float>("sites40", n, 3), 0, n / 40);
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, n, 4);
        for (double length : {0., b, 1.})
            CHECK(work_of(fof(view<3>(rows), {.linking_length = length})) <= 3 * usual + 1000);
    }
}

TEST_CASE("FoF: labels in z-order, roots, groups") {
    auto const rows = make_points<2, double>("clustered", 3000, 5);
    auto const in = fof(view<2>(rows), {.linking_length = .01});
    auto const z = fof(view<2>(rows), {.linking_length = .01, .order = Order::z});
    CHECK(std::equal(in.root.begin(), in.root.end(), z.root.begin()));
    CHECK(in.z_order == z.z_order);
    std::size_t groups = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(z.labels[i] == in.labels[z.z_order[i]]);
        CHECK(in.root[in.root[i]] == in.root[i]);
        CHECK(in.root[i] <= i);
        groups += std::size_t(in.labels[i]) == i;
    }
    CHECK(in.groups == groups);
}

TEST_CASE("FoF: a pair at exactly the linking length is linked, the next number below isn't") {
    Rows<1, float> const rows{{0.f}, {.1f}};
    CHECK(fof(view<1>(rows), {.linking_length = double(.1f)}).groups == 1);
    CHECK(fof(view<1>(rows), {.linking_length = .1}).groups == 1);  // rounded to float
    CHECK(fof(view<1>(rows), {.linking_length = double(std::nextafter(.1f, 0.f))}).groups == 2);
    Rows<1, double> const exact{{0.}, {.1}};
    CHECK(fof(view<1>(exact), {.linking_length = double(.1f)}).groups == 1);
    CHECK(fof(view<1>(exact), {.linking_length = .0999999999}).groups == 2);
}

TEST_CASE("FoF: mean spacing") {
    auto rows = make_points<3, double>("uniform", 1000, 6);
    CHECK(mean_spacing(view<3>(rows), {2}) == doctest::Approx(.2));
    rows[0] = {0, 0, 0};
    rows[1] = {1, 1, 1};
    CHECK(mean_spacing(view<3>(rows)) == doctest::Approx(.1));
    CHECK(mean_spacing(view<3>(rows), {8, 0, 1}) == doctest::Approx(.2));
    for (auto const& box : std::vector<std::vector<double>>{{}, {8, 0, 1}})  // an index knows its box
        CHECK(mean_spacing(Index<double>(view<3>(rows), {.box = box})) ==
              mean_spacing(view<3>(rows), box));
    auto const flat = make_points<3, double>("plane", 10, 6);
    CHECK_THROWS_WITH_AS((void)mean_spacing(view<3>(flat)), doctest::Contains("volume"), InputError);
    Rows<3, double> const none;
    CHECK_THROWS_AS((void)mean_spacing(view<3>(none)), InputError);
    CHECK_THROWS_AS((void)mean_spacing(Index<double>(view<3>(none))), InputError);
}

TEST_CASE("FoF: refusals") {
    auto const rows = make_points<3, float>("uniform", 10, 7);
    auto const refused = [&](FofOptions const& o, char const* part) {
        CHECK_THROWS_WITH_AS((void)fof(view<3>(rows), o), doctest::Contains(part), InputError);
    };
    refused({.linking_length = -1}, "linking length");
    refused({.linking_length = NAN}, "linking length");
    refused({.linking_length = infinity<double>}, "linking length");
    refused({.linking_length = 1e39}, "too large for the precision");
    refused({.linking_length = 1, .box = {.5}}, "box");
    refused({.linking_length = 1, .box = {1, 1}}, "box");
    auto bad = rows;
    bad[4][1] = NAN;
    CHECK_THROWS_WITH_AS((void)fof(view<3>(bad), {.linking_length = 1}), doctest::Contains("4"),
                         InputError);
}
