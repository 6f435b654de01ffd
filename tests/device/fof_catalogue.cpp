// Catalogues as a GPU makes them, on the CPU: the rows, members and order of threads, bit for bit.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <string_view>
#include <type_traits>

#include "device/failing_memory.hpp"
#include "device/support.hpp"
#include "fof/brute.hpp"
#include "fof/same_catalogue.hpp"
#include "fof/src/catalogue_calls.hpp"
#include "zwalk/exec/host_device.hpp"
#include "zwalk/run/detail/device_preparation.hpp"

using namespace test;

namespace {

/// What a catalogue may be given beside points.
template <int D, class T>
struct Given {
    std::vector<T> mass;
    Rows<D, T> velocity;

    Given(std::size_t n, std::uint64_t seed) : mass(n), velocity(make_points<D, T>("heavy", n, seed)) {
        Random r(seed);
        for (T& m : mass) m = T(.1 + r.uniform());
    }
};

double seconds_of(Stats const& stats, std::string_view phase) {
    double seconds = 0;
    int times = 0;
    for (auto const& [name, took] : stats.seconds)
        if (name == phase) seconds += took, ++times;
    CHECK(times == 1);
    return seconds;
}

template <class P>
FofResult<P> copied_to(P& device, FofResult<> const& groups) {
    FofResult<P> there;
    there.root = copy_to(device, groups.root);
    there.z_order = copy_to(device, groups.z_order);
    return there;
}

/// Whether a device makes the catalogue of threads, of points that are there and of points that aren't.
template <int D, class T>
bool same_catalogues(Rows<D, T> const& rows, FofResult<> const& groups, CatalogueOptions<T> const& o) {
    auto const expected = fof_catalogue(view<D>(rows), groups, o);
    HostDevice<> device;
    if (!same_bits(detail::catalogue_of(device, view<D>(rows), groups, o, Cpu()), expected))
        return false;
    CatalogueOptions<T, HostDevice<>> there{
        .min_members = o.min_members, .box = o.box, .masses = o.masses};  // in the same memory
    if (o.velocities.size) there.velocities = {o.velocities.data, o.velocities.size, D};
    return same_bits(
        detail::catalogue_of(device, on_device<D, T>(rows), copied_to(device, groups), there), expected);
}

template <int D, class T>
void check_all(Rows<D, T> const& rows, double b, std::vector<double> const& box, std::uint64_t seed) {
    auto const groups = fof(view<D>(rows), {.linking_length = b, .box = box});
    Given<D, T> const given(rows.size(), seed);
    for (std::size_t least : {0, 1, 2, 20})
        for (int what = 0; what < 4; ++what) {
            CAPTURE(least);
            CAPTURE(what);
            CatalogueOptions<T> o{.min_members = least, .box = box};
            if (what & 1) o.masses = given.mass;
            if (what & 2) o.velocities = view<D>(given.velocity);
            CHECK(same_catalogues<D>(rows, groups, o));
        }
}

}  // namespace

TEST_CASE("device catalogue: every kind of points") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 500, 1);
        for (double b : lengths_for<3>(rows, 1)) check_all<3, float>(rows, b, {}, 1);
        auto const flat = make_points<2, double>(kind, 300, 2);
        for (double b : lengths_for<2>(flat, 2)) check_all<2, double>(flat, b, {}, 2);
    }
}

TEST_CASE("device catalogue: groups across periodic edges, and around the box") {
    for (std::uint64_t seed = 0; seed < 6; ++seed)
        for (auto const* kind : {"uniform", "clustered", "sites40", "equal"})
            for (double b : {.02, .07, .3}) {
                CAPTURE(seed);
                CAPTURE(kind);
                CAPTURE(b);
                check_all<3, float>(in_box<3, float>(kind, 400, 1, seed), b, {1, 1, 1}, seed);
                check_all<3, double>(in_box<3, double>(kind, 300, 1, seed), b, {1, 0, 1}, seed);
                check_all<5, double>(in_box<5, double>(kind, 200, 1, seed), 2 * b, {1}, seed);
                auto centred = in_box<2, double>(kind, 300, 1, seed);
                for (auto& p : centred)
                    for (double& x : p) x -= .5;
                check_all<2, double>(centred, b, {0, 1}, seed);
            }
}

TEST_CASE("device catalogue: few points, one group of all, singles, whole pieces") {
    for (std::size_t n : {0, 1, 2, 3, 63, 64, 65, 128, 1000})
        for (double b : {0., .05, 10.}) {
            CAPTURE(n);
            CAPTURE(b);
            check_all<3, float>(make_points<3, float>("uniform", n, 5), b, {}, 5);
            check_all<1, double>(make_points<1, double>("uniform", n, 6), b, {}, 6);
        }
    check_all<3, float>(make_points<3, float>("normal", 30000, 7), 10, {}, 7);
    check_all<3, float>(make_points<3, float>("clustered", 30000, 8), .01, {}, 8);
}

TEST_CASE("device catalogue: numbers of every size") {
    for (double const size : {5e-324, 1e-310, 1e-290, 1e-30, 1e150, 8e307}) {
        CAPTURE(size);
        Rows<2, double> const rows{{0, 0}, {size, 0}, {0, size}, {size, size}, {-size, 0}};
        std::vector<double> const mass{size, size, 1, size, size};
        FofResult<> groups;
        groups.root = Buffer<pos_t>(5);
        groups.z_order = Buffer<pos_t>(5);
        for (pos_t i = 0; i < 5; ++i) groups.root[i] = 0, groups.z_order[i] = 4 - i;
        CatalogueOptions<double> o{.min_members = 1, .masses = mass};
        o.velocities = view<2>(rows);
        CHECK(same_catalogues<2>(rows, groups, o));
    }
}

TEST_CASE("device catalogue: columns as rows, few launches and waits, short memory") {
    auto const rows = make_points<3, float>("clustered", 2000, 9);
    auto const groups = fof(view<3>(rows), {.linking_length = .02});
    auto const expected = fof_catalogue(view<3>(rows), groups, {.min_members = 2});
    std::vector<float> columns(rows.size() * 3);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < 3; ++j) columns[j * rows.size() + i] = rows[i][j];
    HostDevice<> device;
    auto const there = copied_to(device, groups);
    DevicePoints<float> const points(columns.data(), rows.size(), 3, 1, rows.size());
    CHECK(same_bits(detail::catalogue_of(device, points, there, {.min_members = 2}), expected));
    CHECK(device.stats().launches ==
          14);  // as device/launches.cpp counts them; whatever the number of points
    CHECK(device.stats().waits == 14);  // 11 for the columns
    HostDevice<> periodic;
    auto const in_box = copied_to(periodic, groups);
    (void)detail::catalogue_of(periodic, points, in_box, {.min_members = 2, .box = {1000}});
    CHECK(periodic.stats().launches == 15);
    CHECK(periodic.stats().waits == 14);
    for (std::uint64_t more :
         {0, 60000, 100000, 10000000}) {  // for points, for sorts, for groups, for all
        HostDevice<> small;
        small.memory_size = more;
        CHECK(same_bits(detail::catalogue_of(small, view<3>(rows), groups, {.min_members = 2}, Cpu(2)),
                        expected));
        CHECK(small.stats().peak_bytes <= more);
    }
    HostDevice<> small;
    auto const in_small = copied_to(small, groups);
    small.memory_size = small.bytes_in_use() + 1000;
    CHECK_THROWS_AS((void)detail::catalogue_of(small, on_device<3, float>(rows), in_small, {}), Error);
}

TEST_CASE("device catalogue: threads make it where an allocation fails, at whichever") {
    auto const rows = in_box<3, float>("clustered", 1000, 1, 10);
    auto const groups = fof(view<3>(rows), {.linking_length = .02, .box = {1}});
    Given<3, float> const given(rows.size(), 10);
    CatalogueOptions<float> const o{
        .min_members = 2, .box = {1}, .masses = given.mass, .velocities = view<3>(given.velocity)};
    auto const expected = fof_catalogue(view<3>(rows), groups, o);
    std::uint64_t made_there = 0;
    for (bool as_standard : {false, true})
        for (std::uint64_t left = 0; left < 60; ++left) {
            CAPTURE(left);
            auto const memory = std::make_shared<FailingMemory>();
            HostDevice<> device(memory);
            memory->as_standard = as_standard;
            memory->left = left;
            CHECK(same_bits(detail::catalogue_of(device, view<3>(rows), groups, o, Cpu(2)), expected));
            CHECK(device.bytes_in_use() == 0);
            made_there += memory->left > 0;
        }
    CHECK(made_there > 0);
    CHECK(made_there < 120);
}

TEST_CASE("device catalogue: with groups, whatever memory there is") {
    auto const rows = in_box<3, float>("clustered", 2000, 1, 11);
    auto const points = view<3>(rows);
    FofOptions const o{.linking_length = .02, .box = {1}};
    auto const groups = fof(points, o);
    std::vector<float> mass(rows.size(), 2.f);
    CatalogueOptions<float> c{.min_members = 2, .masses = mass};  // the box is that of the groups
    auto const expected = fof_catalogue(points, groups, {.min_members = 2, .box = {1}, .masses = mass});
    int there = 0, brought = 0;
    auto const check = [&](std::uint64_t size, std::uint64_t left_for_catalogue) {
        CAPTURE(size);
        CAPTURE(left_for_catalogue);
        auto const memory = std::make_shared<FailingMemory>();
        HostDevice<> device(memory);
        device.memory_size = size;
        // Groups that were found elsewhere: what finds them has its own tests.
        auto const find = [&](auto const& source) {
            bool const is_there = std::is_same_v<std::decay_t<decltype(source)>, DevicePoints<float>>;
            (is_there ? there : brought) += 1;
            auto found = copied_to(device, groups);
            found.labels = copy_to(device, groups.labels);
            found.groups = groups.groups;
            found.stats.counts = {{"leaves", 5}, {"device_launches", 0}, {"device_waits", 0}};
            memory->left = left_for_catalogue;
            return found;
        };
        auto const r = detail::groups_with_catalogue(device, points, o, c, Cpu(2), find);
        CHECK(same_bits(r.catalogue, expected));
        CHECK((r.labels == groups.labels && r.root == groups.root && r.z_order == groups.z_order));
        CHECK(r.groups == groups.groups);
        CHECK(seconds_of(r.stats, "catalogue") > 0);
        CHECK(seconds_of(r.stats, "download") >= 0);
        auto const done = device.stats();
        CHECK(r.stats.counts == decltype(r.stats.counts){{"leaves", 5},
                                                         {"device_launches", done.launches},
                                                         {"device_waits", done.waits}});
        return done.launches;
    };
    std::uint64_t const most = 1 << 30;
    auto const launches = check(most, most);
    CHECK(launches > 10);
    CHECK(there == 1);
    CHECK(check(most, 0) == 0);  // the catalogue fails twice
    CHECK(check(most, 8) > 0);
    CHECK(there == 3);
    CHECK(check(165000, most) == launches);  // too little for points and the tree of all
    CHECK(check(165000, 8) > 0);
    CHECK(check(80000, most) == 0);  // and for the catalogue
    CHECK(there == 3);
    CHECK(brought == 3);
    mass[7] = 0;
    CHECK_THROWS_WITH_AS(check(most, most), doctest::Contains("mass 7"), InputError);
    CHECK(there == 3);
}

TEST_CASE("device catalogue: with groups, of points that are there") {
    auto const rows = in_box<3, float>("clustered", 2000, 1, 12);
    FofOptions const o{.linking_length = .02, .box = {1}};
    auto const groups = fof(rows, o);
    Given<3, float> given(rows.size(), 12);
    auto const expected = fof_catalogue(
        view<3>(rows), groups,
        {.min_members = 2, .box = {1}, .masses = given.mass, .velocities = view<3>(given.velocity)});
    HostDevice<> device;
    auto const points = on_device<3, float>(rows);
    CatalogueOptions<float, HostDevice<>> c{.min_members = 2, .masses = given.mass};
    c.velocities = on_device<3, float>(given.velocity);
    int found = 0;
    auto const find = [&](DevicePoints<float> const& there) {
        CHECK(there.data == points.data);
        ++found;
        auto result = copied_to(device, groups);
        result.groups = groups.groups;
        result.stats = {{{"walk", 1}}, {{"device_launches", 0}, {"device_waits", 0}}, {}};
        return result;
    };
    auto const both = detail::groups_with_catalogue(device, points, o, c, find);
    CHECK(same_bits(both.catalogue, expected));
    CHECK(both.groups == groups.groups);
    CHECK(std::equal(groups.root.begin(), groups.root.end(), both.root.data()));  // in the same memory
    CHECK(both.root.size() == rows.size());
    REQUIRE(both.stats.seconds.size() == 3);
    CHECK(both.stats.seconds[0].first == "check");
    CHECK(both.stats.seconds[1].first == "walk");
    CHECK(both.stats.seconds[2].first == "catalogue");
    auto const done = device.stats();
    CHECK(both.stats.counts ==
          decltype(both.stats.counts){{"device_launches", done.launches}, {"device_waits", done.waits}});
    CHECK(found == 1);
    auto const refused = [&](char const* part) {
        CHECK_THROWS_WITH_AS((void)detail::groups_with_catalogue(device, points, o, c, find),
                             doctest::Contains(part), InputError);
    };
    c.box = {2};
    refused("the catalogue has another box than the groups");
    c.box = o.box;
    given.mass[5] = 0;
    refused("mass 5");
    c.masses = {};
    given.velocity[4][1] = NAN;
    refused("velocities");
    CHECK(found == 1);
}

TEST_CASE("device catalogue: refusals name the row") {
    auto const rows = make_points<3, float>("uniform", 10, 7);
    auto const groups = fof(view<3>(rows), {.linking_length = .1});
    HostDevice<> device;
    auto const there = copied_to(device, groups);
    std::vector<float> mass(10, 1.f);
    auto const refused = [&](CatalogueOptions<float, HostDevice<>> const& o, char const* part) {
        CHECK_THROWS_WITH_AS((void)detail::catalogue_of(device, on_device<3, float>(rows), there, o),
                             doctest::Contains(part), InputError);
    };
    for (float bad : {0.f, -1.f, infinity<float>, NAN}) {
        mass[3] = bad;
        refused({.masses = mass}, "mass 3");
    }
    mass.pop_back();
    refused({.masses = mass}, "9 masses for 10 points");
    auto velocity = make_points<3, float>("uniform", 10, 7);
    velocity[4][2] = NAN;
    CatalogueOptions<float, HostDevice<>> o;
    o.velocities = on_device<3, float>(velocity);
    refused(o, "velocities");
    o.velocities.size = 9;
    refused(o, "9 rows");
    refused({.box = {.01}}, "box");
    auto const fewer = make_points<3, float>("uniform", 9, 7);
    CHECK_THROWS_AS((void)detail::catalogue_of(device, on_device<3, float>(fewer), there, {}),
                    InputError);
}
