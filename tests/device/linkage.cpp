// Linkages as a GPU makes them, on the CPU: the same rows as single_linkage().
#include "hdbscan/shapes.hpp"
#include "hdbscan/src/linkage_on.hpp"
#include "knn/check.hpp"
#include "support/sanitized.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/exec/host_device.hpp"

using namespace test;

namespace {

template <class Device>
DeviceBuffer<Merge> rows_on(Device& device, Forest const& f) {
    return detail::device_linkage<double>(device, pos_t(f.points),
                                          copy_to(device, std::span<index_t const>(f.edges)),
                                          copy_to(device, std::span<double const>(f.lengths)));
}

bool same_rows(DeviceBuffer<Merge> const& rows, Linkage const& expected) {
    return std::equal(rows.data(), rows.data() + rows.size(), expected.merges.begin(),
                      expected.merges.end(), [](Merge const& a, Merge const& b) {
                          return a.left == b.left && a.right == b.right && a.distance == b.distance &&
                                 a.size == b.size;
                      });
}
void check_rows(Forest const& f) {
    HostDevice<> device;
    CHECK(same_rows(rows_on(device, f), f.linkage()));
    if (f.points >= 1000) CHECK(device.stats().peak_bytes <= detail::device_hierarchy_bytes * f.points);
}

/// A set's tree by mutual reachability.
template <class T>
void check_tree(std::string const& kind, std::size_t n, int min_samples) {
    auto const rows = make_points<3, T>(kind, n, 5);
    auto const tree = emst(view<3>(rows), {.min_samples = min_samples});
    HostDevice<> device;
    auto const merges = detail::device_linkage<T>(
        device, pos_t(rows.size()), copy_to(device, tree.edges), copy_to(device, tree.lengths));
    CAPTURE(kind);
    CAPTURE(n);
    CHECK(same_rows(merges, single_linkage<T>(rows.size(), tree.edges, tree.lengths)));
}

}  // namespace

TEST_CASE("device linkage: trees of all shapes and sizes, with ties and without") {
    for (std::size_t n = 2; n < 40; ++n) for_shapes(n, check_rows);
    for (std::size_t const n : {63, 64, 65, 66, 400, 1000}) for_shapes(n, check_rows);
}

TEST_CASE("device linkage: random trees") { for_forests(150, 2, 1, check_rows); }

TEST_CASE("device linkage: no points, one, and two") {
    HostDevice<> device;
    for (std::size_t const n : {0, 1}) CHECK(rows_on(device, {n, {}, {}}).size() == 0);
    CHECK(device.stats().launches == 0);
    check_rows({2, {1, 0}, {0.}});
    check_rows({2, {0, 1}, {3.}});
}

TEST_CASE_TEMPLATE("device linkage: trees of points of every kind", T, float, double) {
    for (auto const& kind : kinds())
        for (int const m : {1, 5}) check_tree<T>(kind, sanitized ? 300 : 3000, m);
}

TEST_CASE("device linkage: as many points as threads of the CPU share") {
    for_shapes(sanitized ? 3000 : 70000, check_rows);
}
