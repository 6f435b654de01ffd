// The catalogue: against plain sums in extended precision, across periodic edges, bit by bit on any
// number of threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

#include "fof/brute.hpp"
#include "fof/same_catalogue.hpp"
#include "knn/check.hpp"

using namespace test;

namespace {

/// Images of the members next to each other: breadth first along links, each friend at its nearest image.
/// Right for every group that doesn't go around the box.
template <int D, class T>
std::vector<std::array<long double, D>> unfolded(Rows<D, T> const& rows,
                                                 std::vector<pos_t> const& members, double b,
                                                 std::vector<double> const& box) {
    std::vector<std::array<long double, D>> x(members.size());
    std::vector<bool> placed(members.size());
    std::vector<std::size_t> queue{0};
    for (int j = 0; j < D; ++j) x[0][j] = rows[members[0]][j];
    placed[0] = true;
    for (std::size_t next = 0; next < queue.size(); ++next) {
        std::size_t const p = queue[next];
        for (std::size_t q = 0; q < members.size(); ++q) {
            if (placed[q] ||
                plain_distance2(rows[members[p]].data(), rows[members[q]].data(), D, box) > T(b) * T(b))
                continue;
            for (int j = 0; j < D; ++j) {
                long double dx = (long double)(rows[members[q]][j]) - rows[members[p]][j];
                if (!box.empty() && box[j] > 0) {
                    if (dx > box[j] / 2) dx -= box[j];
                    if (dx < -box[j] / 2) dx += box[j];
                }
                x[q][j] = x[p][j] + dx;
            }
            placed[q] = true;
            queue.push_back(q);
        }
    }
    return x;
}

bool near(double a, long double b, double scale) {
    return std::abs(a - b) <= 1e-12 * (scale + std::abs(double(b)));
}

/// Compares with brute force, row by row.
template <int D, class T>
void check_catalogue(Rows<D, T> const& rows, double b, std::vector<double> const& box,
                     std::size_t min_members, std::uint64_t seed) {
    auto const velocity = make_points<D, T>("normal", rows.size(), seed);
    Random r(seed);
    std::vector<T> mass(rows.size());
    for (T& m : mass) m = T(.1 + r.uniform());
    auto const groups = fof(view<D>(rows), {.linking_length = b, .box = box});
    CatalogueOptions<T> options{.min_members = min_members, .box = box, .masses = mass};
    options.velocities = view<D>(velocity);
    auto const c = fof_catalogue(view<D>(rows), groups, options, Cpu(1));
    CHECK(same_bits(c, fof_catalogue(view<D>(rows), groups, options, Cpu(3))));

    std::map<index_t, std::vector<pos_t>> expected;
    for (pos_t i = 0; i < rows.size(); ++i) expected[groups.labels[i]].push_back(i);
    std::erase_if(expected, [&](auto const& g) { return g.second.size() < min_members; });
    REQUIRE(c.size() == expected.size());
    for (std::size_t g = 0; g < c.size(); ++g) {
        CAPTURE(g);
        auto const& members = expected.at(c.label[g]);
        REQUIRE(std::size_t(c.count[g]) == members.size());
        if (g > 0) {
            bool const larger = c.count[g - 1] > c.count[g];
            CHECK((larger || (c.count[g - 1] == c.count[g] && c.label[g - 1] < c.label[g])));
        }
        std::vector<pos_t> listed(c.members(g).begin(), c.members(g).end());
        std::sort(listed.begin(), listed.end());
        CHECK(listed == members);

        auto const x = unfolded<D>(rows, members, b, box);
        long double m = 0, spread = 0, dispersion = 0, largest = 0, size = 0;
        std::array<long double, D> centre{}, mean{};
        for (std::size_t i = 0; i < members.size(); ++i) {
            m += mass[members[i]];
            for (int j = 0; j < D; ++j) {
                centre[j] += mass[members[i]] * x[i][j];
                mean[j] += (long double)(mass[members[i]]) * velocity[members[i]][j];
                size = std::max(size, std::abs(x[i][j] - x[0][j]));
            }
        }
        for (int j = 0; j < D; ++j) centre[j] /= m, mean[j] /= m;
        std::map<pos_t, long double> distance2;
        for (std::size_t i = 0; i < members.size(); ++i) {
            long double x2 = 0, v2 = 0;
            for (int j = 0; j < D; ++j) {
                x2 += (x[i][j] - centre[j]) * (x[i][j] - centre[j]);
                long double const dv = velocity[members[i]][j] - mean[j];
                v2 += dv * dv;
            }
            spread += mass[members[i]] * x2;
            dispersion += mass[members[i]] * v2;
            distance2[members[i]] = x2;
            largest = std::max(largest, x2);
        }
        double const scale = double(size) + 1e-6;  // coordinates are about 1, and theirs are rounded
        CHECK(near(c.mass[g], m, 0));
        CHECK(near(c.inertia_radius[g], std::sqrt(spread / m), scale));
        CHECK(near(c.velocity_dispersion[g], std::sqrt(dispersion / m), 1));
        CHECK(near(c.radius[g], std::sqrt(largest), scale));
        CHECK(near(c.radius[g], std::sqrt(distance2.at(pos_t(c.most_distant[g]))), scale));
        for (int j = 0; j < D; ++j) {
            double const at = c.centre_of_mass[g * D + std::size_t(j)];
            long double off = at - centre[j];
            if (!box.empty() && box[j] > 0) {
                off -= box[j] * std::round(off / box[j]);
                CHECK(at >= 0);
                CHECK(at < box[j]);
            }
            CHECK(near(double(off), 0, scale + std::abs(at)));
            CHECK(near(c.velocity[g * D + std::size_t(j)], mean[j], 1));
        }
    }
}

}  // namespace

TEST_CASE("catalogue: sums of open and periodic groups, many of them across an edge") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        for (auto const* kind : {"uniform", "clustered", "sites40"}) {
            CAPTURE(kind);
            check_catalogue<3, float>(make_points<3, float>(kind, 500, seed), .07, {}, 2, seed);
            check_catalogue<3, double>(in_box<3, double>(kind, 500, 1, seed), .07, {1, 1, 1}, 2, seed);
            check_catalogue<3, float>(in_box<3, float>(kind, 500, 1, seed), .07, {1, 0, 1}, 3, seed);
            check_catalogue<2, double>(in_box<2, double>(kind, 500, 1, seed), .02, {0, 1}, 1, seed);
            check_catalogue<5, double>(in_box<5, double>(kind, 200, 1, seed), .1, {1, 1, 1, 1, 1}, 1,
                                       seed);
        }
    }
}

TEST_CASE("catalogue: a filament of most of the box, seen from its end") {
    // From its first point, half of the filament is nearer the other way around.
    Rows<2, double> rows;
    for (int i = 0; i < 80; ++i) rows.push_back({std::fmod(.55 + .01 * i, 1.), .5});
    std::vector<double> const box{1, 1};
    auto const groups = fof(view<2>(rows), {.linking_length = .0101, .box = box});
    auto const c = fof_catalogue(view<2>(rows), groups, {.box = box});
    REQUIRE(c.size() == 1);
    CHECK(c.centre_of_mass[0] == doctest::Approx(.55 + .395 - 1 + 1).epsilon(1e-12));
    CHECK(c.radius[0] == doctest::Approx(.395).epsilon(1e-12));
}

TEST_CASE("catalogue: centres lie where the points do") {
    Rows<1, double> const rows{{-.49}, {.49}, {-.5}, {.5}};
    auto const groups = fof(view<1>(rows), {.linking_length = .05, .box = {1}});
    auto const c = fof_catalogue(view<1>(rows), groups, {.min_members = 1, .box = {1}});
    REQUIRE(c.size() == 1);
    CHECK(c.centre_of_mass[0] == doctest::Approx(-.5));
    Rows<1, double> const shifted{{7.01}, {7.99}};
    auto const apart = fof(view<1>(shifted), {.linking_length = .05, .box = {1}});
    CHECK(fof_catalogue(view<1>(shifted), apart, {.min_members = 2, .box = {1}}).centre_of_mass[0] ==
          doctest::Approx(7.01 + .99).epsilon(.02));
}

TEST_CASE("catalogue: one group on many threads has the same bits") {
    auto rows = make_points<3, float>("normal", 60000, 4);
    auto const velocity = make_points<3, float>("heavy", rows.size(), 5);
    auto const groups = fof(view<3>(rows), {.linking_length = 10});
    CatalogueOptions<float> options;
    options.velocities = view<3>(velocity);
    auto const one = fof_catalogue(view<3>(rows), groups, options, Cpu(1));
    REQUIRE(one.size() == 1);
    CHECK(one.mass[0] == 60000);
    for (int threads : {2, 3, 8})
        for (int again = 0; again < 3; ++again)
            CHECK(same_bits(one, fof_catalogue(view<3>(rows), groups, options, Cpu(threads))));
}

TEST_CASE("catalogue: numbers of every size") {
    for (double const size : {1e-290, 1e-30, 1e150, 1e300}) {
        CAPTURE(size);
        Rows<2, double> const rows{{0, 0}, {size, 0}, {0, size}, {size, size}};
        std::vector<double> const mass{size, size, size, size};
        auto const groups = fof(view<2>(rows), {.linking_length = 1.5 * size});
        CatalogueOptions<double> options{.min_members = 1, .masses = mass};
        options.velocities = view<2>(rows);
        auto const c = fof_catalogue(view<2>(rows), groups, options);
        if (size < 1e200) REQUIRE(c.size() == 1);  // above, squares of distances are infinite
        if (c.size() != 1) continue;
        CHECK(c.mass[0] == doctest::Approx(4 * size));
        CHECK(c.centre_of_mass[0] / size == doctest::Approx(.5));
        CHECK(c.inertia_radius[0] / size == doctest::Approx(std::sqrt(.5)));
        CHECK(c.velocity_dispersion[0] / size == doctest::Approx(std::sqrt(.5)));
        CHECK(c.most_distant[0] == 0);
    }
}

TEST_CASE("catalogue: filter, sort, select") {
    auto const rows = make_points<3, float>("clustered", 3000, 6);
    auto const groups = fof(view<3>(rows), {.linking_length = .01});
    auto c = fof_catalogue(view<3>(rows), groups, {.min_members = 2});
    std::size_t const all = c.size();
    REQUIRE(all > 20);
    c.sort_by(&FofCatalogue::radius, false);
    CHECK(std::is_sorted(c.radius.begin(), c.radius.end()));
    for (std::size_t i = 0; i < c.size(); ++i) {  // rows stay together
        auto const members = c.members(i);
        CHECK(c.label[i] == *std::min_element(members.begin(), members.end()));
        CHECK(groups.labels[members.back()] == c.label[i]);
    }
    c.sort_by(&FofCatalogue::count);
    CHECK(std::is_sorted(c.count.rbegin(), c.count.rend()));
    for (std::size_t i = 1; i < c.size(); ++i)
        if (c.count[i] == c.count[i - 1]) CHECK(c.radius[i] >= c.radius[i - 1]);
    c.filter([&](std::size_t i) { return c.count[i] >= 5; });
    CHECK(c.size() < all);
    CHECK(c.count.back() >= 5);
    CHECK(c.centre_of_mass.size() == 3 * c.size());
    CHECK_THROWS_AS(c.sort_by(&FofCatalogue::velocity_dispersion), InputError);
    std::vector<std::size_t> const outside{c.size()};
    CHECK_THROWS_AS(c.select(outside), InputError);
}

TEST_CASE("catalogue: many rows are sorted and selected by all threads, those without a number last") {
    auto const rows = make_points<3, double>("uniform", 30000, 7);
    auto const groups = fof(view<3>(rows), {.linking_length = .001});
    auto const made = [&] {
        auto c = fof_catalogue(view<3>(rows), groups, {.min_members = 1});
        for (std::size_t i = 0; i < c.size(); ++i)
            c.mass[i] = i % 3 == 0 ? std::numeric_limits<double>::quiet_NaN() : double(i % 7);
        return c;
    };
    auto const is_none = [](double x) { return x != x; };
    auto expected = made();
    REQUIRE(expected.size() > 20000);
    expected.sort_by(&FofCatalogue::label, false, Cpu(1));
    for (int const threads : {1, 3})
        for (bool const descending : {false, true}) {
            auto c = made();
            c.sort_by(&FofCatalogue::mass, descending, Cpu(threads));
            auto const numbers = std::find_if(c.mass.begin(), c.mass.end(), is_none);
            CHECK(std::size_t(numbers - c.mass.begin()) == c.size() - (c.size() + 2) / 3);
            CHECK(std::all_of(numbers, c.mass.end(), is_none));
            if (descending) CHECK(std::is_sorted(c.mass.begin(), numbers, std::greater<>()));
            else CHECK(std::is_sorted(c.mass.begin(), numbers));
            c.sort_by(&FofCatalogue::label, false, Cpu(threads));  // rows stay together
            CHECK(c.label == expected.label);
            CHECK(c.centre_of_mass == expected.centre_of_mass);
            CHECK(c.first == expected.first);
        }
}

TEST_CASE("catalogue: with the groups, on threads") {
    auto const rows = in_box<3, float>("clustered", 2000, 1, 8);
    std::vector<float> mass(rows.size(), 2.f);
    FofOptions const o{.linking_length = .02, .box = {1}};
    auto const groups = fof(rows, o);
    for (std::vector<double> const& box : {std::vector<double>{}, {1}}) {
        CatalogueOptions<float> const c{.min_members = 2, .box = box, .masses = mass};
        auto const expected =
            fof_catalogue(view<3>(rows), groups, {.min_members = 2, .box = {1}, .masses = mass});
        for (int threads : {1, 2}) {
            auto const both = fof_with_catalogue(view<3>(rows), o, c, Cpu(threads));
            CHECK(same_bits(both.catalogue, expected));
            CHECK((both.labels == groups.labels && both.groups == groups.groups));
            CHECK(both.stats.seconds.front().first == "check");
            CHECK(both.stats.seconds.back().first == "catalogue");
            CHECK(both.stats.seconds.size() == groups.stats.seconds.size() + 2);
        }
    }
    auto const refused = [&](FofOptions const& asked, CatalogueOptions<float> const& c) {
        try {
            (void)fof_with_catalogue(view<3>(rows), asked, c);
        } catch (InputError const& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    CHECK(refused(o, {.box = {2}}) == "the catalogue has another box than the groups");
    mass[7] = 0;
    // Before the groups are looked for, which would be refused as well.
    CHECK(refused({.linking_length = -1}, {.masses = mass}).starts_with("mass 7 is 0"));
    CHECK(refused({.linking_length = -1}, {}).starts_with("the linking length"));
}

TEST_CASE("catalogue: refusals name the row") {
    auto const rows = make_points<3, float>("uniform", 10, 7);
    auto const groups = fof(view<3>(rows), {.linking_length = .1});
    std::vector<float> mass(10, 1.f);
    auto const refused = [&](CatalogueOptions<float> const& o, char const* part) {
        CHECK_THROWS_WITH_AS((void)fof_catalogue(view<3>(rows), groups, o), doctest::Contains(part),
                             InputError);
    };
    mass[3] = 0;
    refused({.masses = mass}, "mass 3");
    mass[3] = infinity<float>;
    refused({.masses = mass}, "mass 3");
    mass.pop_back();
    refused({.masses = mass}, "9 masses for 10 points");
    auto velocity = make_points<3, float>("uniform", 10, 7);
    velocity[4][2] = NAN;
    CatalogueOptions<float> o;
    o.velocities = view<3>(velocity);
    refused(o, "velocities");
    o.velocities.size = 9;
    refused(o, "9 rows");
    auto const fewer = make_points<3, float>("uniform", 9, 7);
    CHECK_THROWS_AS((void)fof_catalogue(view<3>(fewer), groups, {}), InputError);
    auto const none = make_points<3, float>("uniform", 0, 7);
    CHECK(fof_catalogue(view<3>(none), fof(view<3>(none), {.linking_length = 1}), {}).size() == 0);
}
