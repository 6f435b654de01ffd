// How many kernels a call launches, and how often the host waits: that is what small sets cost on a GPU.
#include <fmt/format.h>

#include <string_view>

#include "dbscan/src/driver.hpp"
#include "device/run.hpp"
#include "hdbscan/src/from_device.hpp"
#include "support/points.hpp"
#include "support/sanitized.hpp"
#include "zwalk/exec/host_device.hpp"

using namespace zwalk;
using namespace test;

namespace {

/// A call on clustered points, from their preparation on, and how many launches and waits of a device it may take. Kernels of primitives
/// (sorts, scans, counts) aren't counted.
struct Row {
    std::string_view task;
    std::size_t points;
    std::uint64_t launches, waits;
};
constexpr Row table[] = {
    {"kNN", 1200, 14, 6},
    {"kNN", 20000, 20, 6},
    {"kNN", 100000, 29, 9},
    {"kNN of queries", 1200, 25, 10},
    {"kNN of queries", 20000, 35, 12},
    {"kNN of queries", 100000, 40, 13},
    {"friends-of-friends", 1200, 20, 8},
    {"friends-of-friends", 20000, 26, 8},
    {"friends-of-friends", 100000, 31, 9},
    {"radius search", 1200, 23, 9},
    {"radius search", 20000, 34, 9},
    {"radius search", 100000, 42, 10},
    {"DBSCAN", 1200, 63, 21},
    {"DBSCAN", 20000, 85, 21},
    {"DBSCAN", 100000, 105, 25},
    {"spanning tree", 1200, 54, 20},
    {"spanning tree", 20000, 103, 26},
    {"spanning tree", 100000, 127, 29},
    {"spanning tree, min_samples 16", 1200, 58, 21},
    {"spanning tree, min_samples 16", 20000, 98, 24},
    {"spanning tree, min_samples 16", 100000, 139, 30},
    {"hierarchy of a tree", 1200, 95, 16},
    {"hierarchy of a tree", 20000, 125, 18},
    {"hierarchy of a tree", 100000, 140, 19},
};

/// Linkage and condensed tree, as HDBSCAN* has them made on a device.
void make_hierarchy(HostDevice<>& device, Rows<3, float> const& rows) {
    auto const here = emst(view<3>(rows), {.min_samples = 5});
    EmstResult<float, HostDevice<>> tree;
    tree.edges = copy_to(device, here.edges);
    tree.lengths = copy_to(device, here.lengths);
    auto const [linkage, merges] = detail::linkage_on(device, rows.size(), tree);
    (void)detail::condense_on(device, pos_t(rows.size()), merges, 5, Cpu());
}

void call(HostDevice<>& device, std::string_view task, std::size_t n) {
    auto const rows = make_points<3, float>("clustered", n, 1);
    if (task == "hierarchy of a tree") return make_hierarchy(device, rows);
    auto const points = prepared<3, 3, float>(device, rows, {}, {});
    if (task == "kNN") {
        (void)device_knn<3>(device, points, nullptr, {.k = 16});
    } else if (task == "kNN of queries") {
        auto const others = make_points<3, float>("clustered", n, 2);
        auto const queries = on_device<3, float>(others);
        (void)device_knn<3>(device, points, &queries, {.k = 16});
    } else if (task == "friends-of-friends") {
        (void)ask<detail::FofAlgorithm, 3>(device, points, {.linking_length = .02});
    } else if (task == "radius search") {
        (void)ask<detail::RadiusAlgorithm, 3>(device, points, detail::RadiusAsked{{.radius = .02}});
    } else if (task == "DBSCAN") {
        (void)ask<detail::DbscanAlgorithm, 3>(device, points, {.epsilon = .02, .min_samples = 5});
    } else if (task == "spanning tree") {
        (void)ask<detail::EmstAlgorithm, 3>(device, points, EmstOptions{});
    } else {
        REQUIRE(task == "spanning tree, min_samples 16");
        (void)ask<detail::EmstAlgorithm, 3>(device, points, EmstOptions{.min_samples = 16});
    }
}

}  // namespace

TEST_CASE("device: launches and waits of calls don't become more") {
    for (Row const& most : table) {
        if (sanitized && most.points > 20000) continue;
        HostDevice<> device;
        call(device, most.task, most.points);
        auto const now = device.stats();
        auto const said =
            fmt::format("{{\"{}\", {}, {}, {}}},", most.task, most.points, now.launches, now.waits);
        INFO(said);
        CHECK(now.launches <= most.launches);
        CHECK(now.waits <= most.waits);
    }
}
