// Radius search as a GPU runs it, on the CPU: the same bits as radius_search().
#include "device/run.hpp"
#include "fof/brute.hpp"
#include "knn/check.hpp"
#include "radius/brute.hpp"
#include "radius/radii.hpp"

using namespace test;

namespace {

/// Queries take the first of o.radii.
template <int C, int D, class T, bool checked = false>
bool same_lists(Rows<D, T> const& rows, RadiusOptions o, bool with_queries, std::uint64_t budget = 0) {
    HostDevice<checked> device;
    auto const others = with_queries ? make_points<D, T>("uniform", rows.size() / 3, 77) : Rows<D, T>();
    // In the unit of the smallest points squares of usual ones aren't numbers.
    if (with_queries && !rows.empty() && rows == make_points<D, T>("subnormal", rows.size(), D))
        return true;
    if (with_queries && !o.radii.empty()) o.radii = o.radii.first(others.size());
    auto const points = prepared<C, D, T>(device, rows, o.box, o.tree);
    auto const brought = in_unit_of(points, device, on_device<D, T>(others));
    auto const find = [&](detail::RadiusWork work) {
        return ask<detail::RadiusAlgorithm, C>(device, points, {o, work},
                                               with_queries ? &brought : nullptr);
    };
    device.budget = budget;
    auto const counted = find(detail::RadiusWork::count);
    device.budget = 0;  // of lists of a walk alone
    auto const found = find(detail::RadiusWork::search);
    auto const expected = with_queries ? radius_search(rows, others, o) : radius_search(rows, o);
    auto const count = with_queries ? radius_count(rows, others, o) : radius_count(rows, o);
    return same(counted.counts, count.counts) && counted.found == count.found &&
           same(found.offsets, expected.offsets) && same(found.indices, expected.indices) &&
           same(found.distances, expected.distances) && same(found.row_order, expected.row_order) &&
           same(found.source_order, expected.source_order) && found.found == expected.found &&
           device.run.races == 0;
}

template <int C, int D, class T>
void every_kind_of_radius(std::size_t n) {
    for (auto const& kind : kinds()) {
        auto const rows = make_points<D, T>(kind, n, D);
        for (double r : lengths_for<D>(rows, D)) {
            CAPTURE(D);
            CAPTURE(kind);
            CAPTURE(r);
            RadiusOptions o{.radius = r};
            CHECK(same_lists<C, D, T>(rows, o, false));
            CHECK(same_lists<C, D, T>(rows, o, true));
            o.exclude_self = true;
            o.tree = {.leaf_size = 7, .coarsening = 3, .top_nodes = 5};
            CHECK(same_lists<C, D, T, true>(rows, o, false, 1000));  // on checked groups
        }
    }
}

template <int C, int D, class T>
void own_radii(std::size_t n) {
    for (auto const& kind : kinds()) {
        CAPTURE(D);
        CAPTURE(kind);
        auto const rows = make_points<D, T>(kind, n, D);
        auto const radii = some_radii(lengths_for<D>(rows, D), n, 30 + D);
        RadiusOptions o{.radii = radii};
        CHECK(same_lists<C, D, T>(rows, o, true));
        for (bool const larger : {false, true}) {
            CAPTURE(larger);
            o.larger = larger;
            o.exclude_self = !larger;
            CHECK(same_lists<C, D, T>(rows, o, false));
            o.tree = {.leaf_size = 7, .coarsening = 3, .top_nodes = 5};
            CHECK(same_lists<C, D, T, true>(rows, o, false, 1000));
        }
    }
}

}  // namespace

TEST_CASE("device radius: a radius for each target") {
    own_radii<3, 3, float>(250);
    own_radii<2, 2, double>(200);
    for (std::size_t n : {0, 1, 2, 49, 300})
        for (Order order : {Order::input, Order::z}) {
            CAPTURE(n);
            auto const rows = in_box<3, float>("clustered", n, 1, 8);
            auto const radii = some_radii({0, .1, .6}, n, unsigned(n));
            RadiusOptions o{.radii = radii, .box = {1, 0, 1}, .order = order};
            CHECK(same_lists<3, 3, float>(rows, o, true));
            o.larger = true;
            o.distances = false;
            CHECK(same_lists<3, 3, float>(rows, o, false));
        }
}

TEST_CASE("device radius: every kind of points, radii of pairs") {
    every_kind_of_radius<3, 3, float>(250);
    every_kind_of_radius<2, 2, double>(200);
    every_kind_of_radius<3, 2, float>(100);  // fewer columns than the kernels have
}

TEST_CASE("device radius: periodic, few points, orders, without distances") {
    for (auto const* kind : {"uniform", "sites40", "equal"})
        for (std::size_t n : {0, 1, 2, 49, 300})
            for (double r : {0., .1, .6, 2.})
                for (Order order : {Order::input, Order::z}) {
                    CAPTURE(kind);
                    CAPTURE(n);
                    CAPTURE(r);
                    CHECK(same_lists<3, 3, float>(in_box<3, float>(kind, n, 1, 8),
                                                  {.radius = r, .box = {1}, .order = order}, true));
                    CHECK(same_lists<3, 3, float>(
                        in_box<3, float>(kind, n, 1, 9),
                        {.radius = r, .distances = false, .box = {1, 0, 1}, .order = order}, false));
                    CHECK(same_lists<2, 2, double>(
                        in_box<2, double>(kind, n, 1, 9),
                        {.radius = r, .distances = false, .box = {1, 0}, .order = order}, false));
                }
}
