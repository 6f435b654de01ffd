// Gravity of masses that are spread over ranks with a device each: as accurate as on threads. The devices are those of the host.
#include <doctest/doctest.h>

#include "gravity/src/driver.hpp"
#include "gravity/src/rank_near_field.hpp"
#include "ranks/failing.hpp"
#include "ranks/masses.hpp"
#include "ranks/on_devices.hpp"
#include "ranks/periodic_gravity.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "zwalk/run/rank_calls.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

/// What the public function does for a GPU.
template <class T>
GravityResult<T, Mpi> gravity_on(HostDevice<>& device, Comm& comm, Points<T> own,
                                 GravityOptions const& o) {
    auto const place = detail::rank_place(&device, detail::Dims<3>{}, detail::Dims<3>{});
    return detail::run_on_ranks<detail::GravityAlgorithm>(comm, Cpu(1), place, detail::RankInput<T>(own),
                                                          nullptr, o);
}

/// As tests/ranks/gravity.cpp has it for threads.
template <int D, class T>
void check_kinds(Comm& comm, std::vector<std::size_t> const& sizes, int expansion_order) {
    for_inputs<D, T>(comm, sizes, D + sizeof(T), [&](auto const& input, std::size_t turn) {
        // No number holds most of the forces of these.
        if (input.kind == "huge" || input.kind == "subnormal") return;
        Masses const masses(input.rows.size());
        GravityOptions o{.softening = .01,
                         .accuracy = 1e-3,
                         .expansion_order = expansion_order,
                         .tree = {.leaf_size = 8, .coarsening = 3, .top_nodes = 4}};
        o.masses = masses.of(input.begin, comm.rank());
        HostDevice<> device;
        if (turn % 2) device.budget = 4000;  // lists in pieces
        auto const r = all_of(comm, gravity_on(device, comm, input.of(comm.rank()), o));
        CHECK(device.bytes_in_use() == 0);
        REQUIRE(r.potentials.size() == input.rows.size());
        REQUIRE(r.accelerations.size() == input.rows.size() * D);
        CHECK(error_of_most(input, masses, o.softening, r) < most_of_few(input.kind));
    });
}

}  // namespace

TEST_CASE("gravity on ranks with devices: every kind of points and spread, by direct sums") {
    Comm comm(world());
    check_kinds<3, float>(comm, {0, 1, 2, 300}, 4);
    check_kinds<3, double>(comm, {250}, 5);
    check_kinds<2, float>(comm, {150}, 5);
}

TEST_CASE("gravity on ranks with devices: periodic boxes, by Ewald's sums") {
    Comm comm(world());
    check_periodic<float>(comm, 2, [&](auto own, auto const& o) {
        HostDevice<> device;
        auto r = gravity_on<float>(device, comm, own, o);
        CHECK(device.bytes_in_use() == 0);
        return r;
    });
}

TEST_CASE("gravity on ranks with devices: many points come as a few nodes, and rows in z-order") {
    Comm comm(world());
    std::size_t const n = 8000;
    Input<3, float> const input{::test::make_points<3, float>("uniform", n, 3),
                                spread("uneven", n, comm.size())};
    Masses const masses(n);
    GravityOptions o{.softening = .001, .accuracy = 1e-2};
    o.masses = masses.of(input.begin, comm.rank());
    HostDevice<> device;
    auto const own = gravity_on<float>(device, comm, input.of(comm.rank()), o);
    auto const all = all_of(comm, own);
    auto const e = ::test::gravity_errors<float>(input.all(), masses.all, o.softening, all);
    CHECK(::test::GravityErrors::of(e.acceleration, .99) < o.accuracy);
    for (auto const& [name, count] : own.stats.counts)
        if (name == "imported") CHECK(count < n);
    o.order = Order::z;
    auto const z = gravity_on<float>(device, comm, input.of(comm.rank()), o);
    bool in_order = true;
    for (std::size_t i = 0; i < z.rows; ++i)
        in_order = in_order && z.potentials[i] == all.potentials[std::size_t(z.z_order[i])];
    CHECK(in_order);
}

TEST_CASE("gravity on ranks with devices: what one of them has no memory for fails on all") {
    Comm comm(world());
    auto const input = points_for(comm, "uniform", 100, 5);
    auto const own = input.of(comm.rank());
    check_failures<OfDevice>(comm, std::string("Error: ") + device_memory_words, [&] {
        HostDevice<> device(std::make_shared<LimitedMemory>());
        auto const r = gravity_on<float>(device, comm, own, {});
        return std::vector<float>(r.potentials.begin(), r.potentials.end());
    });
    HostDevice<> device;
    if (comm.rank() == comm.size() - 1) device.memory_size = 1000;
    auto const words = thrown_by([&] { (void)gravity_on<float>(device, comm, own, {}); });
    CHECK(words.starts_with("Error: gravity of "));
    CHECK(words.find("and 1e-06 GB are free") != std::string::npos);
    CHECK(device.stats().peak_bytes == 0);  // all have looked before any took some
}

TEST_CASE("gravity on ranks with devices: refusals are the same on all") {
    Comm comm(world());
    auto const input = points_for(comm, "uniform", 50, 7);
    auto const own = input.of(comm.rank());
    HostDevice<> device;
    auto const refusal = [&](GravityOptions const& o) {
        return thrown_by([&] { (void)gravity_on<float>(device, comm, own, o); });
    };
    CHECK(refusal({.expansion_order = 3})
              .starts_with("InputError: on a GPU expansion_order must be 4 or 5"));
    CHECK(refusal({.box = {1, 1, 0}}).find("along all three axes or none") != std::string::npos);
    Cuda const none{.device = 100};
    CHECK(thrown_by([&] { (void)gravity(own, GravityOptions{}, world(), none); }) ==
          thrown_by([&] { (void)open_cuda(none); }));
    if (comm.size() == 1) return;
    CHECK(thrown_by([&] {
              if (comm.rank() == 1) {
                  Comm own_comm(world());  // as the public functions make one
                  (void)gravity_on<float>(device, own_comm, own, {});
              } else (void)gravity(own, GravityOptions{}, world(), Cpu(1));
          }) == "InputError: ranks disagree on the place (threads on rank 0, a device on rank 1)");
}
