// The extent of points on a device in one pass: against a loop over them. What is known of points changes no tree.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "support/everywhere.hpp"
#include "zwalk/tree/copy_tree.hpp"
#include "zwalk/tree/device_build.hpp"
#include "zwalk/tree/joint.hpp"

using namespace test;

namespace {

/// Numbers of all sizes and both signs; some are 0, some -0.
template <class T>
std::vector<T> numbers(std::size_t n, unsigned seed) {
    std::mt19937 random(seed);
    int const most = std::numeric_limits<T>::max_exponent - 1;
    std::vector<T> x(n);
    for (T& v : x) {
        T const fraction = T(random()) / T(random.max());
        v = std::ldexp(fraction, int(random() % unsigned(2 * most)) - most);
        if (random() % 2) v = -v;
        if (random() % 8 == 0) v = std::copysign(T(0), v);
    }
    return x;
}

template <class T, class Device>
void check_extent(DevicePoints<T> points) {
    Device device;
    auto const extent = device_extent(device, points);
    CHECK(device.stats().launches == (points.size > 0));
    CHECK(device.stats().waits == (points.size > 0));
    REQUIRE(extent.size() == std::size_t(points.dim));
    for (int j = 0; j < points.dim; ++j) {
        T lo = infinity<T>, hi = -infinity<T>;
        for (std::size_t i = 0; i < points.size; ++i) {
            lo = std::min(lo, points[i][j]);
            hi = std::max(hi, points[i][j]);
        }
        CAPTURE(j);
        CHECK(extent[std::size_t(j)].lo == lo);
        CHECK(extent[std::size_t(j)].hi == hi);
        CHECK(!(std::signbit(extent[std::size_t(j)].lo) && extent[std::size_t(j)].lo == 0));
        CHECK(!(std::signbit(extent[std::size_t(j)].hi) && extent[std::size_t(j)].hi == 0));
    }
}

template <class T>
void check_extents() {
    for (std::size_t n : {0, 1, 31, 33, 255, 256, 257, 3000})
        for (int dim : {1, 3, 4, 5, 9}) {
            unsigned const seed = unsigned(n) * 10 + unsigned(dim);
            CAPTURE(n);
            CAPTURE(dim);
            CAPTURE(seed);
            std::size_t const stride = std::size_t(dim) + 2;
            auto const x = numbers<T>((n + 3) * stride, seed);
            check_extent<T, HostDevice<>>({x.data(), n, dim, stride, 1});  // rows with padding
            check_extent<T, HostDevice<true>>({x.data(), n, dim, 1, n + 2 * (n > 0)});  // columns
        }
}

template <class T>
bool all_finite(std::vector<T> const& x) {
    HostDevice<> device;
    auto const extent = device_extent(device, DevicePoints<T>(x.data(), x.size() / 3, 3));
    return std::all_of(extent.begin(), extent.end(), [](detail::Interval<T> const& i) {
        return std::isfinite(i.lo) && std::isfinite(i.hi);
    });
}

template <class T>
void check_not_finite() {
    auto const good = numbers<T>(3 * 2000, 5);
    CHECK(all_finite(good));
    T const nan = std::numeric_limits<T>::quiet_NaN();
    for (std::size_t at : {0, 1, 3071, 5999})
        for (T bad : {infinity<T>, -infinity<T>, nan, -nan}) {
            auto x = good;
            x[at] = bad;
            CAPTURE(at);
            CAPTURE(bad);
            CHECK(!all_finite(x));
        }
}

template <class T>
bool same(Tree<T, HostDevice<>> const& a, Tree<T, HostDevice<>> const& b) {
    auto const equal = [](auto const& x, auto const& y) {
        return std::equal(x.data(), x.data() + x.size(), y.data(), y.data() + y.size());
    };
    bool all = equal(a.input, b.input) && equal(a.x, b.x) && a.planes.size() == b.planes.size();
    for (std::size_t p = 0; all && p < a.planes.size(); ++p) {
        auto const &own = a.planes[p], &other = b.planes[p];
        all = equal(own.first, other.first) && equal(own.child, other.child) &&
              equal(own.lo, other.lo) && equal(own.hi, other.hi);
    }
    return all;
}

}  // namespace

TEST_CASE("device extent: least and largest coordinates of every axis, in one launch and one wait") {
    check_extents<float>();
    check_extents<double>();
}

TEST_CASE("device extent: of more points than groups take at once") {
    std::size_t const n =
        std::size_t(detail::TakeExtent<float>::most_groups) * detail::TakeExtent<float>::rows + 999;
    std::vector<float> x(n, 1);
    x[n - 1] = 3;
    x[n - 998] = -2;
    HostDevice<> device;
    auto const extent = device_extent(device, DevicePoints<float>(x.data(), n, 1));
    CHECK(extent[0].lo == -2);
    CHECK(extent[0].hi == 3);
}

TEST_CASE("device extent: a coordinate that isn't finite is seen") {
    check_not_finite<float>();
    check_not_finite<double>();
}

TEST_CASE("device tree: what is known of points changes nothing but the cost") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        HostDevice<> device;
        auto const rows = make_points<3, float>(kind, 2000, 1);
        DevicePoints<float> const points(rows[0].data(), rows.size(), 3);
        auto const tree = build_tree(device, points, 4);
        auto const extent = find_extent(Points<float>(rows[0].data(), rows.size(), 3));
        auto const cost = [&](auto const& f) {
            auto const before = device.stats();
            f();
            auto const now = device.stats();
            return std::pair(now.launches - before.launches, now.waits - before.waits);
        };
        auto const plain = cost([&] { (void)build_tree(device, points, 4); });
        auto const less =
            cost([&] { CHECK(same(build_tree(device, points, 4, {}, {.extent = extent}), tree)); });
        CHECK(less.first < plain.first);
        CHECK(less.second < plain.second);
        // The tree of its own points in z-order is the tree of these, whose rows are their positions.
        auto const sorted = detail::columns_of(tree, 3);
        auto const again = build_tree(device, sorted, 4);
        auto const least =
            cost([&] { CHECK(same(build_tree(device, sorted, 4, {}, {.sorted = true}), again)); });
        CHECK(least.first < less.first);
        CHECK(least.second <= less.second);
        CHECK(same(build_targets(device, sorted, tree, {}, {.sorted = true}),
                   build_targets(device, sorted, tree)));
    }
}
