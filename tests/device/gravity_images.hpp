// Whether images in a periodic box that a device has made are those of threads.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "device/support.hpp"
#include "gravity/src/device_images.hpp"
#include "gravity/src/images.hpp"
#include "zwalk/tree/copy_tree.hpp"

namespace test {

template <class V>
bool same_there(HostDevice<>& device, DeviceBuffer<V> const& there, std::vector<V> const& here) {
    std::vector<V> back(there.size());
    device.download(back.data(), there.data(), back.size());
    return back == here;
}
template <int order, class T>
bool same_masses(Multipole<order, T> const& a, Multipole<order, T> const& b) {
    return a.lo == b.lo && a.hi == b.hi && a.centre == b.centre &&
           std::ranges::equal(a.moment.at, b.moment.at) && a.size2 == b.size2;
}

/// Checks all but the rows that points are of: which is the tree that a device has made, but for these.
template <int order, class T>
Tree<T, Cpu> check_same_images(HostDevice<>& device,
                               detail::DeviceSources<order, T, HostDevice<>> const& got,
                               detail::GravitySources<order, T> const& expected) {
    Cpu here(1);
    auto tree = copy_tree(here, device, got.tree);
    REQUIRE(tree.size() == expected.tree.size());
    REQUIRE(tree.planes.size() == expected.tree.planes.size());
    CHECK(tree.columns == 3);
    CHECK(tree.stride == expected.tree.stride);
    CHECK(tree.x == expected.tree.x);
    CHECK(got.targets.begin == expected.targets.begin);
    CHECK(got.targets.end == expected.targets.end);
    std::vector<T> mass;
    for (auto const& m : expected.masses) mass.push_back(m.mass);
    CHECK(same_there(device, got.mass, mass));
    for (std::size_t p = 0; p < tree.planes.size(); ++p) {
        CAPTURE(p);
        auto const &a = tree.planes[p], &b = expected.tree.planes[p];
        CHECK(a.first == b.first);
        CHECK(a.child == b.child);
        CHECK(a.lo == b.lo);
        CHECK(a.hi == b.hi);
        CHECK(a.stride == b.stride);
        CHECK(same_there(device, got.known.count[p], expected.known.count[p]));
        std::vector<Multipole<order, T>> masses(got.known.summary[p].size());
        device.download(masses.data(), got.known.summary[p].data(), masses.size());
        CHECK(std::ranges::equal(masses, expected.known.summary[p], same_masses<order, T>));
    }
    return tree;
}

}  // namespace test
