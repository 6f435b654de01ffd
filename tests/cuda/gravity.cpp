// Gravity on a GPU: the bits of the same kernels on a device of the host, whose errors tests/device/gravity.cpp holds; and on
// threads, which add up in another order, the same to some last bits.
#include "zwalk/gravity/gravity.hpp"

#include <cmath>

#include "cuda/context.hpp"
#include "cuda/large.hpp"
#include "device/run.hpp"
#include "gravity/direct.hpp"
#include "gravity/src/driver.hpp"
#include "support/places.hpp"

using namespace test;

namespace {

template <int D, class T>
void check_gravity(Rows<D, T> const& rows, GravityOptions o) {
    auto const masses = some_masses(rows.size());
    o.masses = masses;
    HostDevice<> device;
    auto const there = gravity(rows, o, on_gpu());
    auto const here = detail::to_host<GravityResult<T>>(
        device, detail::call<detail::GravityAlgorithm>(detail::Dims<3>{}, device, on_device<D, T>(rows),
                                                       nullptr, o));
    CHECK(there.expansion_order == here.expansion_order);
    CHECK(std::ranges::equal(there.z_order, here.z_order));
    CHECK(std::ranges::equal(there.accelerations, here.accelerations));
    CHECK(std::ranges::equal(there.potentials, here.potentials));
}
std::size_t most() { return std::min<std::size_t>(large(), 30000); }
/// One thread of the host takes seconds for so many; in a periodic box a millisecond for each, with its images.
std::size_t few() { return std::min<std::size_t>(large(), 9000); }
std::size_t few_periodic() { return std::min<std::size_t>(large(), 1500); }

}  // namespace

TEST_CASE("GPU gravity: every kind of points, with and without softening") {
    for (auto const& kind : kinds()) {
        if (kind == "huge" || kind == "subnormal") continue;  // forces are 0 or infinite
        CAPTURE(kind);
        auto const n = std::min<std::size_t>(large(), 3000);
        for (double const softening : {0., .01}) {
            CAPTURE(softening);
            check_gravity<3, float>(make_points<3, float>(kind, n, 1), {.softening = softening});
            check_gravity<2, double>(make_points<2, double>(kind, n, 1), {.softening = softening});
        }
    }
}

TEST_CASE("GPU gravity: a periodic box, also beside threads") {
    GravityOptions const o{.softening = 1e-3, .box = {1, 1, 1}};
    check_gravity<3, double>(make_points<3, double>("uniform", few_periodic(), 4), o);
    check_gravity<3, float>(make_points<3, float>("uniform", few_periodic(), 5), o);
    GravityOptions const of_order_4{.accuracy = 1e-2,
                                    .expansion_order = 4,
                                    .opening = .5,
                                    .box = {2, 1, 1},
                                    .tree = {.leaf_size = 8, .top_nodes = 4}};
    check_gravity<3, double>(make_points<3, double>("clustered", few_periodic() / 4, 6), of_order_4);
    check_gravity<3, float>(make_points<3, float>("clustered", few_periodic() / 4, 7), of_order_4);
    auto const rows = make_points<3, float>("uniform", most(), 3);
    auto const there = gravity(rows, o, on_gpu()), here = gravity(rows, o);
    double off2 = 0, all2 = 0;
    for (std::size_t i = 0; i < here.accelerations.size(); ++i) {
        off2 += std::pow(double(there.accelerations[i]) - double(here.accelerations[i]), 2);
        all2 += std::pow(double(here.accelerations[i]), 2);
    }
    CHECK(off2 < 1e-9 * all2);
}

TEST_CASE("GPU gravity: larger sets, both orders of expansions, in pieces; what is refused") {
    auto const some = make_points<3, float>("clustered", few(), 3);
    for (int const order : {4, 5}) {
        check_gravity<3, float>(some, {.softening = 1e-4, .expansion_order = order});
        check_gravity<3, double>(make_points<3, double>("uniform", few() / 3, 3),
                                 {.softening = 1e-4, .expansion_order = order});
    }
    check_gravity<3, float>(some, {.softening = 1e-4, .accuracy = 1e-4});
    auto const rows = make_points<3, float>("clustered", most(), 3);
    GravityOptions const o{.softening = 1e-4};
    auto const whole = gravity(rows, o, on_gpu()),
               in_pieces = gravity(rows, o, on_gpu(nullptr, 1 << 20));
    CHECK(std::ranges::equal(whole.accelerations, in_pieces.accelerations));
    CHECK(refusal_of([&] { gravity(rows, {.expansion_order = 2}, on_gpu()); }) ==
          "on a GPU expansion_order must be 4 or 5, or 0 to have it chosen, but is 2");
}
