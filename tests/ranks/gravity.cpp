// Gravity of masses that are spread over ranks: as accurate as in one process; on one rank the same bits.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "compiled_orders.hpp"
#include "gravity/plummer.hpp"
#include "ranks/input.hpp"
#include "ranks/masses.hpp"
#include "ranks/periodic_gravity.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

/// Each kind of points is about as hard for ranks as for one process: nodes are others.
template <int D, class T>
void check_gravity_kinds(Comm& comm, std::vector<std::size_t> const& sizes, std::size_t first_turn) {
    for_inputs<D, T>(comm, sizes, first_turn, [&](auto const& input, std::size_t) {
        // No number holds most of the forces of these.
        if (input.kind == "huge" || input.kind == "subnormal") return;
        Masses const masses(input.rows.size());
        GravityOptions o{.softening = .01,
                         .accuracy = 1e-3,
                         .tree = {.leaf_size = 8, .coarsening = 3, .top_nodes = 4}};
        o.masses = masses.of(input.begin, comm.rank());
        auto const r = all_of(comm, gravity(input.of(comm.rank()), o, world(), Cpu(1)));
        REQUIRE(r.potentials.size() == input.rows.size());
        REQUIRE(r.accelerations.size() == input.rows.size() * D);
        CHECK(error_of_most(input, masses, o.softening, r) < most_of_few(input.kind));
    });
}

template <class A, class B>
bool same_forces(A const& a, B const& b) {
    auto const equal = [](auto const& x, auto const& y) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end());
    };
    return equal(a.accelerations, b.accelerations) && equal(a.potentials, b.potentials);
}

}  // namespace

TEST_CASE("gravity on ranks: every kind of points and spread, by direct sums") {
    Comm comm(world());
    check_gravity_kinds<3, double>(comm, {0, 1, 2, 300}, 1);
    check_gravity_kinds<2, float>(comm, {200}, 2);
}

TEST_CASE("gravity on ranks: as accurate as asked for, with fewer points than there are") {
    Comm comm(world());
    std::size_t const n = 20000;
    // The outer leaves of a cluster are as large as all of it, and few of them are far away from anything.
    for (auto const& [rows, accuracy, most] :
         {std::tuple(::test::plummer<double>(n, 3), 1e-4, n),
          std::tuple(::test::make_points<3, double>("uniform", n, 3), 1e-3, n * 3 / 4)}) {
        CAPTURE(accuracy);
        Input<3, double> const input{rows, spread("uneven", n, comm.size())};
        Masses const masses(n);
        GravityOptions o{.softening = .001, .accuracy = accuracy};
        o.masses = masses.of(input.begin, comm.rank());
        auto const own = gravity(input.of(comm.rank()), o, world(), Cpu(1));
        auto const r = all_of(comm, own);
        auto const e = ::test::gravity_errors<double>(input.all(), masses.all, o.softening, r);
        CHECK(::test::GravityErrors::of(e.acceleration, .99) < accuracy);
        for (auto const& [name, count] : own.stats.counts)
            if (name == "imported") CHECK(count <= (comm.size() == 1 ? 0 : most));
        if (comm.size() == 1) {
            o.masses = masses.all;
            auto const alone = gravity(input.all(), o, Cpu(1));
            CHECK(same_forces(r, alone));
        }
    }
}

TEST_CASE("gravity on ranks: one answer for threads, messages and orders; every expansion") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("clustered", 3000, 3),
                                spread("none on the first", 3000, comm.size())};
    for (int order = 1; order <= 5; ++order) {
        CAPTURE(order);
        GravityOptions o{.softening = .01, .expansion_order = order, .opening = .7};
        auto const r = gravity(input.of(comm.rank()), o, world(), Cpu(1));
        auto const again = gravity(input.of(comm.rank()), o, world(1000), Cpu(3));
        CHECK(r.expansion_order == std::max(order, detail::least_compiled_order));
        CHECK(same_forces(r, again));
        o.order = Order::z;
        auto const z = gravity(input.of(comm.rank()), o, world(), Cpu(1));
        auto const all = all_of(comm, r);
        CHECK(comm.reduce_all(z.rows, std::plus<>()) == input.rows.size());
        bool in_order = true;
        for (std::size_t i = 0; i < z.rows; ++i)
            in_order = in_order && z.potentials[i] == all.potentials[std::size_t(z.z_order[i])];
        CHECK(in_order);
    }
}

TEST_CASE("gravity on ranks: periodic boxes, by Ewald's sums") {
    Comm comm(world());
    check_periodic<double>(comm, 0,
                           [&](auto own, auto const& o) { return gravity(own, o, world(), Cpu(1)); });
    check_periodic<float>(comm, 1,
                          [&](auto own, auto const& o) { return gravity(own, o, world(), Cpu(1)); });
}

TEST_CASE("gravity on ranks: periodic boxes, as of one process, and for any number of threads") {
    Comm comm(world());
    // Far from the origin moving by a period rounds: what a rank has to have of others is what rounded images look into.
    for (float const offset : {0.f, 1000.f}) {
        CAPTURE(offset);
        std::size_t const n = 4000;
        auto rows = ::test::make_points<3, float>("uniform", n, 3);
        for (auto& p : rows)
            for (float& x : p) x = x * .999f + offset;
        Input<3, float> const input{rows, spread("uneven", n, comm.size())};
        Masses const masses(n);
        GravityOptions o{.softening = .001, .accuracy = 1e-2, .box = {1.00003}};
        o.masses = masses.of(input.begin, comm.rank());
        auto const own = gravity(input.of(comm.rank()), o, world(), Cpu(1));
        auto const again = gravity(input.of(comm.rank()), o, world(1000), Cpu(3));
        CHECK(same_forces(own, again));
        o.masses = masses.all;
        auto const r = all_of(comm, own), alone = gravity(input.all(), o, Cpu(1));
        std::vector<double> off;
        for (std::size_t i = 0; i < n; ++i) {
            double off2 = 0, length2 = 0;
            for (std::size_t j = 3 * i; j < 3 * i + 3; ++j) {
                off2 += std::pow(double(r.accelerations[j]) - double(alone.accelerations[j]), 2);
                length2 += std::pow(double(alone.accelerations[j]), 2);
            }
            off.push_back(std::sqrt(off2 / length2));
        }
        std::sort(off.begin(), off.end());
        CHECK(::test::GravityErrors::of(off, .99) < o.accuracy);
        if (comm.size() == 1) CHECK(same_forces(r, alone));
    }
}

TEST_CASE("gravity on ranks: refusals are the same on all") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 100, 7),
                                spread("even", 100, comm.size())};
    auto const refusal = [&](GravityOptions const& o) {
        return thrown_by([&] { (void)gravity(input.of(comm.rank()), o, world()); });
    };
    CHECK(refusal({.softening = -1}).starts_with("InputError: softening must be"));
    CHECK(refusal({.box = {1, 1, 0}}).starts_with("InputError: gravity is periodic along all three"));
    CHECK(refusal({.box = {.1, .1, .1}}).find("box") != std::string::npos);
    if (comm.size() == 1) return;
    CHECK(refusal({.softening = comm.rank() == 1 ? .2 : .1})
              .starts_with("InputError: ranks disagree on softening (0.1 on rank 0, 0.2"));
    GravityOptions boxed;
    boxed.box.assign(comm.rank() == 1 ? 3 : 0, 1);
    CHECK(refusal(boxed).starts_with("InputError: ranks disagree on the box"));
    Masses const masses(100);
    GravityOptions o;
    if (comm.rank() == 0) o.masses = masses.of(input.begin, 0);
    CHECK(refusal(o).find("there are no masses for") != std::string::npos);
}
