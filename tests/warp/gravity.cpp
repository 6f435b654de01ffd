// Gravity by the kernels of a GPU, lane by lane: the bits of a HostDevice, whose errors are known (device/gravity.cpp).
#include "device/run.hpp"
#include "gravity/direct.hpp"
#include "gravity/src/driver.hpp"
#include "gravity/src/walks.hpp"
#include "warp/device.hpp"
#include "zwalk/run/host_device.hpp"

using namespace test;

namespace zwalk { inline namespace v0 { namespace detail {
/// Threads of the host make it, of code that isn't compiled as nvcc would here: space is open in these tests.
template <int order, class T>
PeriodicSources<order, T> periodic_sources(Cpu const&, Gravity<order, T> const&, Tree<T, Cpu> const&,
                                           std::span<PointMass<T> const>, std::vector<T> const&,
                                           Extent<T> const&) {
    throw Error("no periodic box is compiled for these tests");
}
// What these tests ask, and the rest of what the driver names.
template <class P>
struct WalkOf<Gravity<5, float>, P> : NotAsked {};
template <class P>
struct WalkOf<Gravity<4, double>, P> : NotAsked {};
#define ZWALK_GRAVITY_ON(P)           \
    ZWALK_WALK(Gravity, 4, float, P)  \
    ZWALK_WALK(Gravity, 5, float, P)  \
    ZWALK_WALK(Gravity, 4, double, P) \
    ZWALK_WALK(Gravity, 5, double, P)
ZWALK_GRAVITY_ON(HostDevice<>)
ZWALK_GRAVITY_ON(test::WarpDevice)
}}}  // namespace zwalk::v0::detail

namespace {

template <class T, class Device>
GravityResult<T, Device> gravity_on(Device& device, Rows<3, T> const& rows, GravityOptions const& o) {
    auto const points = prepared<3, 3, T>(device, rows, {}, o.tree);
    detail::RunPoints<T, Device> kept(points);
    detail::Brought<T, Device> const* const none = nullptr;
    return detail::drive<detail::GravityAlgorithm>(device, kept, none, o);
}

/// What errors are made of.
template <class T>
struct Forces {
    std::size_t columns;
    T const *accelerations, *potentials;
};

template <int order, class T>
void check_gravity(Rows<3, T> const& rows, double softening) {
    CAPTURE(order);
    CAPTURE(softening);
    auto const masses = some_masses(rows.size());
    GravityOptions const o{.masses = masses,
                           .softening = softening,
                           .expansion_order = order,
                           .opening = 1,
                           .tree = {.leaf_size = 8, .coarsening = 3, .top_nodes = 5}};
    WarpDevice warp(rows.size());
    HostDevice<> host;
    auto const found = gravity_on<T>(warp, rows, o), expected = gravity_on<T>(host, rows, o);
    auto const same_values = [](auto const& a, auto const& b) {
        return a.size() == b.size() && std::equal(a.data(), a.data() + a.size(), b.data());
    };
    CHECK(same_values(found.accelerations, expected.accelerations));
    CHECK(same_values(found.potentials, expected.potentials));
    CHECK(same_values(found.z_order, expected.z_order));
    Points<T> const points(rows.front().data(), rows.size(), 3);
    Forces<T> const forces{found.columns, found.accelerations.data(), found.potentials.data()};
    CHECK(GravityErrors::of(gravity_errors<T>(points, masses, softening, forces).of_pulls, .99) < 3e-2);
}

}  // namespace

TEST_CASE("warp gravity: hard kinds of points, with and without softening") {
    for (std::string const kind : {"uniform", "equal", "clustered", "sites40"})
        for (double const softening : {0., .01}) {
            CAPTURE(kind);
            check_gravity<4, float>(make_points<3, float>(kind, 300, 1), softening);
            check_gravity<5, double>(make_points<3, double>(kind, 200, 1), softening);
        }
}
