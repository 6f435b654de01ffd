// Gravity of masses that are spread over ranks with a device each: as accurate as on threads; in a periodic box by images that the
// devices make, or threads where these have no memory. The devices are those of the host.
#include <doctest/doctest.h>

#include <array>

#include "device/failing_memory.hpp"
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
void check_gravity_kinds(Comm& comm, std::vector<std::size_t> const& sizes, int expansion_order) {
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

/// Results of a rank's points, and what it took of its device.
template <class T>
struct OnceShort {
    std::vector<T> felt;
    std::uint64_t asked = 0, launches = 0;

    /// @param fails_at  which allocation on this rank's device
    OnceShort(Comm& comm, Points<T> own, GravityOptions const& o,
              std::uint64_t fails_at = ::test::FailingMemory::never) {
        auto const memory = std::make_shared<::test::FailingMemory>();
        memory->left = fails_at;
        memory->once = true;
        memory->words = device_memory_words;
        HostDevice<> device(memory);
        auto const r = gravity_on<T>(device, comm, own, o);
        felt.assign(r.accelerations.begin(), r.accelerations.end());
        felt.insert(felt.end(), r.potentials.begin(), r.potentials.end());
        asked = memory->asked;
        launches = device.stats().launches;
        CHECK(device.bytes_in_use() == 0);
    }
};
/// In trees of few points.
GravityOptions in_box(::test::BoxSides const& box) {
    return {.softening = .01,
            .accuracy = 1e-2,
            .box = {box[0], box[1], box[2]},
            .tree = {.leaf_size = 4, .coarsening = 2, .top_nodes = 3}};
}

}  // namespace

TEST_CASE("gravity on ranks with devices: every kind of points and spread, by direct sums") {
    Comm comm(world());
    check_gravity_kinds<3, float>(comm, {0, 1, 2, 300}, 4);
    check_gravity_kinds<3, double>(comm, {250}, 5);
    check_gravity_kinds<2, float>(comm, {150}, 5);
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

TEST_CASE_TEMPLATE("gravity on ranks with devices: images of devices and of threads, the same bytes", T,
                   float, double) {
    Comm comm(world());
    std::size_t turn = 0;
    for (auto const& kind : kinds_on(comm)) {
        // Threads of the host take a while for many ranks' images, as there are some for each rank.
        std::size_t const n = std::array{150, 1, 5, 40}[turn % 4];
        ::test::BoxSides const box = n < 10     ? ::test::BoxSides{2, 3, 7}
                                     : turn % 3 ? ::test::BoxSides{1.6, 1.6, 1.6}
                                                : ::test::BoxSides{2, 3, 4};
        auto const how = spreads()[turn++ % spreads().size()];
        CAPTURE(kind);
        CAPTURE(how);
        CAPTURE(n);
        auto const rows = ::test::stretched(::test::make_points<3, T>(kind, n, 3), box);
        Input<3, T> const input{rows, spread(how, rows.size(), comm.size())};
        Masses const masses(rows.size());
        GravityOptions o = in_box(box);
        o.masses = masses.of(input.begin, comm.rank());
        auto const own = input.of(comm.rank());
        OnceShort<T> const made(comm, own, o);
        // The last allocation of all is one of the walk, on ranks that have points.
        bool const walks = made.launches > 0, is_last = comm.rank() + 1 == comm.size();
        bool const is_short = walks && (turn % 2 || is_last);
        OnceShort<T> const given(comm, own, o, is_short ? made.asked - 1 : ::test::FailingMemory::never);
        CHECK(given.felt == made.felt);
        CHECK((given.asked > made.asked) == is_short);
    }
}

TEST_CASE("gravity on ranks with devices: a device that is short of memory once, at whichever point") {
    Comm comm(world());
    auto const input = points_for(comm, "clustered", 30, 5);
    auto const own = input.of(comm.rank());
    auto const o = in_box({4, 4, 4});
    OnceShort<float> const made(comm, own, o);
    bool const is_last = comm.rank() + 1 == comm.size();
    std::uint64_t const all = comm.broadcast(made.asked, comm.size() - 1), step = all / 20 + 1;
    std::size_t refused = 0;
    for (std::uint64_t at = 0; at < all; at += step) {
        CAPTURE(at);
        std::vector<float> felt;
        auto const words = thrown_by([&] {
            felt = OnceShort<float>(comm, own, o, is_last ? at : ::test::FailingMemory::never).felt;
        });
        // Before there is a tree there is nothing to walk; then threads take over.
        if (words != "nothing") {
            CHECK(words == std::string("Error: ") + device_memory_words);
            CHECK(felt.empty());
            ++refused;
        } else CHECK(felt == made.felt);
        CHECK(comm.reduce_all(refused, [](std::size_t a, std::size_t b) { return std::max(a, b); }) ==
              refused);
    }
    CHECK(refused > 0);
    CHECK(refused < 15);
}

TEST_CASE(
    "gravity on ranks with devices: what is predicted of memory is enough, with nodes of all ranks") {
    Comm comm(world());
    for (double const side : {0., 1.})
        for (std::size_t const n : {std::size_t(60), std::size_t(1000)}) {
            CAPTURE(side);
            CAPTURE(n);
            Input<3, float> const input{::test::make_points<3, float>("uniform", n, 3),
                                        spread("uneven", n, comm.size())};
            Masses const masses(n);
            GravityOptions o{.softening = 1e-3, .accuracy = 1e-2, .box = {side}};
            o.masses = masses.of(input.begin, comm.rank());
            auto const own = input.of(comm.rank());
            double predicted = 0;
            for (int r = 0; r < comm.size(); ++r) {
                HostDevice<> device;
                if (r == comm.rank()) device.memory_size = 100;
                auto const words = thrown_by([&] { (void)gravity_on<float>(device, comm, own, o); });
                std::string const before = "needs about ";
                auto const at = words.find(before);
                REQUIRE(at != std::string::npos);
                // It is rounded to three digits.
                if (r == comm.rank()) predicted = std::stod(words.substr(at + before.size())) * 1.005e9;
            }
            HostDevice<> device;
            device.memory_size = std::uint64_t(predicted);
            CHECK(thrown_by([&] { (void)gravity_on<float>(device, comm, own, o); }) == "nothing");
            CHECK(double(device.stats().peak_bytes) <= predicted);
        }
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
