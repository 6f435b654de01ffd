// Gravity as a GPU runs it, on the CPU: as accurate as gravity() is on threads, in the same order; and what is refused.
#include <array>

#include "device/run.hpp"
#include "gravity/direct.hpp"
#include "gravity/ewald.hpp"
#include "gravity/src/driver.hpp"
#include "support/places.hpp"
#include "zwalk/run/detail/device_preparation.hpp"

using namespace test;

namespace {

template <class T, class AnyPoints>
GravityResult<T> gravity_on(HostDevice<>& device, AnyPoints points, GravityOptions const& o) {
    return detail::to_host<GravityResult<T>>(
        device, detail::call<detail::GravityAlgorithm>(detail::Dims<3>{}, device, points, nullptr, o));
}
template <int D, class T>
GravityResult<T> gravity_there(Rows<D, T> const& rows, GravityOptions const& o) {
    HostDevice<> device;
    return gravity_on<T>(device, on_device<D, T>(rows), o);
}

template <class T>
bool same_bits(GravityResult<T> const& a, GravityResult<T> const& b) {
    auto const same = [](auto const& x, auto const& y) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end());
    };
    return same(a.accelerations, b.accelerations) && same(a.potentials, b.potentials) &&
           same(a.z_order, b.z_order);
}

/// That errors are as asked for, relative to all that pulls, in the bounds that threads are held to (gravity/hard_list.cpp).
template <int D, class T>
void check_kind(std::string const& kind, std::size_t n, double softening) {
    CAPTURE(D);
    CAPTURE(sizeof(T));
    CAPTURE(kind);
    CAPTURE(softening);
    auto const rows = make_points<D, T>(kind, n, 1);
    auto const masses = some_masses(rows.size());
    if (kind == "huge" || kind == "subnormal") return;  // no number holds most of the forces
    auto const r = gravity_there<D, T>(rows, {.masses = masses, .softening = softening});
    REQUIRE(r.rows == rows.size());
    REQUIRE(r.columns == D);
    REQUIRE(r.accelerations.size() == rows.size() * D);
    auto const e =
        gravity_errors<T>(Points<T>(rows.front().data(), rows.size(), D), masses, softening, r);
    CHECK(GravityErrors::of(e.of_pulls, .99) < most_of_pulls(kind, D));
    CHECK(e.potential.back() < 1e-3);
}
template <int D, class T>
void every_kind_of_gravity(std::size_t n) {
    for (auto const& kind : kinds())
        for (double const softening : {0., .01}) check_kind<D, T>(kind, n, softening);
}

/// In the memory of the host and of the device, in both orders, with lists in pieces.
void check_same_bits(double box) {
    CAPTURE(box);
    auto rows = make_points<3, float>("clustered", 3000, 5);
    if (box > 0) rows = stretched(rows, {box, box, box});
    auto const masses = some_masses(rows.size());
    GravityOptions o{.masses = masses, .softening = .001, .box = {box}};
    HostDevice<> device;
    auto const r = gravity_on<float>(device, on_device<3, float>(rows), o);
    auto const launches = device.stats().launches;
    Points<float> const on_host(rows.front().data(), rows.size(), 3);
    CHECK(same_bits(gravity_on<float>(device, on_host, o), r));

    HostDevice<> short_of_memory;
    short_of_memory.budget = 20000;
    auto const in_pieces = gravity_on<float>(short_of_memory, on_device<3, float>(rows), o);
    CHECK(same_bits(in_pieces, r));
    CHECK(short_of_memory.stats().launches > launches);

    auto const threads = gravity(rows, o);
    CHECK(
        std::equal(r.z_order.begin(), r.z_order.end(), threads.z_order.begin(), threads.z_order.end()));
    o.order = Order::z;
    auto const z = gravity_on<float>(device, on_device<3, float>(rows), o);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        REQUIRE(z.potentials[i] == r.potentials[r.z_order[i]]);
        for (std::size_t j = 0; j < 3; ++j)
            REQUIRE(z.accelerations[3 * i + j] == r.accelerations[3 * r.z_order[i] + j]);
    }
}

}  // namespace

TEST_CASE("device gravity: every kind of points") {
    every_kind_of_gravity<3, float>(1000);
    every_kind_of_gravity<3, double>(1000);
    every_kind_of_gravity<2, float>(1000);
    every_kind_of_gravity<1, double>(1000);
}

TEST_CASE("device gravity: few points, and leaves of some more or less than a group") {
    for (std::size_t n : {0, 1, 2, 3, 31, 32, 33, 47, 48, 49, 97}) {
        CAPTURE(n);
        auto const rows = make_points<3, double>("uniform", n, 1);
        auto const masses = some_masses(rows.size());
        for (pos_t const leaf_size : {0, 31, 32, 33, 64}) {
            auto const r =
                gravity_there<3, double>(rows, {.masses = masses, .tree = {.leaf_size = leaf_size}});
            CHECK(r.rows == n);
            REQUIRE(r.potentials.size() == n);
            if (n == 1) CHECK((r.potentials[0] == 0 && r.accelerations[0] == 0));
            if (n < 2) continue;
            auto const e =
                gravity_errors<double>(Points<double>(rows.front().data(), n, 3), masses, 0, r);
            CHECK(e.acceleration.back() < 1e-3);
            CHECK(e.potential.back() < 1e-3);
        }
    }
}

TEST_CASE("device gravity: errors as asked for, by both orders of expansions") {
    auto const rows = make_points<3, double>("clustered", 6000, 3);
    auto const floats = make_points<3, float>("uniform", 6000, 3);
    std::vector<double> const masses(rows.size(), 1. / double(rows.size()));
    double const softening = 1e-3;
    for (double const accuracy : {3e-2, 1e-3, 1e-4, 1e-5}) {
        CAPTURE(accuracy);
        auto const check = [&]<class T>(Rows<3, T> const& x) {
            // A size, so that leaves are the same on threads.
            GravityOptions const o{.masses = masses,
                                   .softening = softening,
                                   .accuracy = accuracy,
                                   .tree = {.leaf_size = 48}};
            auto const r = gravity_there<3, T>(x, o);
            CHECK(r.expansion_order == (accuracy < 3e-2 ? 5 : 4));
            Points<T> const points(x.front().data(), x.size(), 3);
            auto const e = gravity_errors<T>(points, masses, softening, r, 300),
                       on_threads = gravity_errors<T>(points, masses, softening, gravity(x, o), 300);
            CHECK(GravityErrors::of(e.acceleration, .99) < accuracy);
            CHECK(GravityErrors::of(e.potential, .99) < accuracy / 3);
            // The same expansions act on the same nodes; what differs is the order of sums.
            CHECK(GravityErrors::of(e.acceleration, .99) <
                  1.1 * GravityErrors::of(on_threads.acceleration, .99) +
                      (sizeof(T) == 4 ? 5e-6 : 1e-9));
        };
        check.template operator()<double>(rows);
        check.template operator()<float>(floats);
    }
}

TEST_CASE(
    "device gravity: the same bits from the host's and the device's memory, in both orders, in pieces") {
    for (double const box : {0., 1.}) check_same_bits(box);
}

TEST_CASE_TEMPLATE("device gravity: periodic boxes, by Ewald's sums and as on threads", T, float,
                   double) {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        BoxSides const box =
            kind == "clustered" || kind == "grid" ? BoxSides{2, 3, 4} : BoxSides{1.6, 1.6, 1.6};
        auto const rows = stretched(make_points<3, T>(kind, 70, 1), box);
        auto const masses = some_masses(rows.size());
        GravityOptions const o{.masses = masses, .softening = .01, .box = {box[0], box[1], box[2]}};
        auto const exact =
            ewald_sums<T>(Points<T>(rows.front().data(), rows.size(), 3), masses, box, o.softening);
        EwaldErrors const e(gravity_there<3, T>(rows, o), masses, box, exact),
            on_threads(gravity(rows, o), masses, box, exact);
        CHECK(e.of_pulls < o.accuracy);
        CHECK(e.potential < 2 * o.accuracy);
        // A float adds thousands of images up one by one here, most of which cancels; threads do so in parts.
        CHECK(e.of_pulls < 1.1 * on_threads.of_pulls + (sizeof(T) == 4 ? 1e-4 : 1e-9));
    }
}

TEST_CASE_TEMPLATE(
    "device gravity: moments of a periodic box, and what is felt of its far images, as on threads", T,
    float, double) {
    for (std::size_t n : {1, 4095, 4097, 9000}) {
        CAPTURE(n);
        auto const rows = make_points<3, T>("uniform", n, 2);
        Index<T> const index(Points<T>(rows.front().data(), n, 3), {.box = {1}});
        auto const& tree = index.points().tree;
        std::vector<T> mass(n);
        for (std::size_t i = 0; i < n; ++i) mass[i] = T(1 + i % 7);
        detail::FarMasses far(index.points().period, index.points().extent);
        Cpu threads(2);
        HostDevice<> device;
        auto const there = copy_tree(device, threads, tree);
        far.moments = threads.run(
            [&] { return detail::lattice_moments(threads, far.frame, tree, mass.data(), n); });
        auto const on_device = detail::lattice_moments(device, far.frame, there, mass.data(), n);
        CHECK(std::ranges::equal(on_device.at, far.moments.at));
        auto const felt = detail::pulls_from_afar(threads, far, tree, n), felt_there = [&] {
            auto const pulls = detail::pulls_from_afar(device, far, there, n);
            Buffer<Pull<T>> here(n);
            device.download(here.data(), pulls.data(), n);
            return here;
        }();
        for (std::size_t i = 0; i < n; ++i) {
            REQUIRE(felt[i].sum == felt_there[i].sum);
            for (int j = 0; j < 3; ++j) REQUIRE(felt[i].gradient[j] == felt_there[i].gradient[j]);
        }
        CHECK(device.stats().launches == 3);
    }
}

TEST_CASE("device gravity: every read is after its write") {
    for (auto const* kind : {"clustered", "heavy", "equal"}) {
        HostDevice<true> device;
        auto const rows = make_points<3, float>(kind, 200, 2);
        GravityOptions const o =
            detail::with_accuracy({.softening = .01,
                                   .expansion_order = 4,
                                   .tree = {.leaf_size = 7, .coarsening = 3, .top_nodes = 5}},
                                  true);
        auto const r =
            ask<detail::GravityAlgorithm, 3>(device, prepared<3, 3, float>(device, rows, {}, o.tree), o);
        CHECK(r.rows == rows.size());
        CHECK(device.run.races == 0);
    }
}

TEST_CASE("device gravity: what is predicted of memory is enough, and is used") {
    for (auto const* kind : {"uniform", "clustered", "normal"}) {
        CAPTURE(kind);
        auto const check = [&]<class T>(GravityOptions const& o, std::size_t n) {
            CAPTURE(sizeof(T));
            CAPTURE(o.accuracy);
            CAPTURE(o.tree.leaf_size);
            CAPTURE(o.box);
            CAPTURE(o.opening);
            CAPTURE(n);
            BoxSides const sides =
                o.box.size() == 3 ? BoxSides{o.box[0], o.box[1], o.box[2]} : BoxSides{1, 1, 1};
            auto const rows = stretched(make_points<3, T>(kind, n, 1), sides);
            HostDevice<> device;
            device.memory_size = device_gravity_memory(rows.size(), sizeof(T), o);
            (void)detail::call<detail::GravityAlgorithm>(detail::Dims<3>{}, device,
                                                         on_device<3, T>(rows), nullptr, o);
            double const predicted = double(device.memory_size),
                         peak = double(device.stats().peak_bytes);
            CAPTURE(predicted / peak);
            CHECK(peak <= predicted);
            // How full leaves of a size that was asked for are isn't known, nor what of images matters.
            CHECK(predicted <= (o.tree.leaf_size > 0 || !o.box.empty() ? 4 : 2.5) * peak);
        };
        check.template operator()<float>({.softening = 1e-3}, 8000);
        check.template operator()<float>({.softening = 1e-3, .accuracy = 1e-4}, 4000);
        check.template operator()<double>({.softening = 1e-3}, 8000);
        check.template operator()<double>({.softening = 1e-3, .tree = {.leaf_size = 24}}, 5000);
        check.template operator()<float>({.softening = 1e-3, .accuracy = 1e-2, .box = {1}}, 3000);
        check.template operator()<float>({.softening = 1e-3, .accuracy = 1e-2, .box = {1}}, 300);
        check.template operator()<double>({.softening = 1e-3, .box = {1}}, 1500);
        check.template operator()<float>({.softening = 1e-3, .opening = 8, .box = {1}}, 3000);
        for (auto const& box : {std::vector<double>{1}, {1, 1, 4}, {4, 4, 1}})
            for (std::size_t const few : {1, 30, 300}) {
                check.template operator()<float>({.softening = 1e-3, .accuracy = 1e-2, .box = box}, few);
                check.template operator()<double>({.softening = 1e-3, .box = box}, few);
            }
    }
}

TEST_CASE("device gravity: what is refused, before any work") {
    auto const rows = make_points<3, double>("uniform", 20000, 1);
    HostDevice<> device;
    auto const refused = [&](GravityOptions const& o) {
        try {
            gravity_on<double>(device, on_device<3, double>(rows), o);
        } catch (Error const& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(refused({.box = {1, 1, 0}}).starts_with("gravity is periodic along all three axes or none"));
    for (int order : {1, 2, 3})
        CHECK(refused({.expansion_order = order})
                  .starts_with("on a GPU expansion_order must be 4 or 5, or 0"));
    CHECK(refused({.softening = -1}).starts_with("softening"));
    std::vector<double> const two{1, 2};
    CHECK(refused({.masses = two}) == "there are 2 masses, but 20000 points: give one for each");
    device.memory_size = 1000000;
    CHECK(refused({}).starts_with("gravity of 20000 points needs about 0.00"));
    CHECK(device.stats().launches == 0);
    CHECK(device.stats().peak_bytes == 0);
}
