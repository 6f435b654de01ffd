// The trait of gravity by a user's lines, on CPU threads and on a host that does what a GPU does.
#include <doctest/doctest.h>

#include "gravity/direct.hpp"
#include "zwalk/gravity/trait.hpp"
#include "zwalk/run/cpu.hpp"
#include "zwalk/run/host_device.hpp"
#include "zwalk/testing/points.hpp"

using namespace test;

namespace {

struct Found {
    std::size_t columns = 3;
    std::vector<float> accelerations, potentials;
};

template <int P, class Place>
Found gravity_on(Place& place, testing::Rows<3, float> const& rows, std::vector<double> const& masses,
                 double opening, double softening) {
    auto const tree = make_tree<3>(place, rows, {.tree = {.leaf_size = 8}});
    std::vector<PointMass<float>> points;
    for (double const m : masses) points.push_back({float(m)});
    auto const payload = tree.payload(points);
    auto acceleration = tree.template array<Vec<3, float>>();
    auto potential = tree.template array<float>();
    Gravity<P, float> trait;
    trait.opening2 = float(opening * opening);
    trait.softening2 = float(softening * softening);
    trait.per_unit = 1024;
    trait.acceleration = acceleration.data();
    trait.potential = potential.data();
    tree.walk(trait, payload);
    Found found;
    for (auto const& a : acceleration.in_input_order())
        for (int i = 0; i < 3; ++i) found.accelerations.push_back(a[i]);
    found.potentials = potential.in_input_order();
    return found;
}

}  // namespace

TEST_CASE("gravity: its trait on CPU threads and as a GPU runs it") {
    Cpu cpu;
    HostDevice<true> device;
    for (std::string const kind : {"uniform", "normal", "clustered", "equal"}) {
        CAPTURE(kind);
        auto const rows = testing::make_points<3, float>(kind, 500, 1);
        std::vector<double> masses(rows.size());
        for (std::size_t i = 0; i < masses.size(); ++i) masses[i] = .5 + double(i % 7);
        for (double const softening : {0., .01}) {
            CAPTURE(softening);
            auto const errors = [&](Found const& found) {
                return gravity_errors<float>(Points(rows), masses, softening, found);
            };
            auto const a = errors(gravity_on<3>(cpu, rows, masses, 1, softening));
            auto const b = errors(gravity_on<3>(device, rows, masses, 1, softening));
            for (auto const& e : {a, b}) {
                CHECK(GravityErrors::of(e.of_pulls, .99) < 1e-2);
                CHECK(e.potential.back() < 1e-2);
            }
            // Sums in another order: errors are those of the expansions, which are alike.
            CHECK(GravityErrors::of(b.of_pulls, .9) <= 1.5 * GravityErrors::of(a.of_pulls, .9) + 1e-6);
        }
    }
}
