// Radius search of points that are spread over ranks with a device each: what these ranks find on threads, which radius.cpp
// compares with one process. The devices are those of the host.
#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

#include "radius/radii.hpp"
#include "radius/src/driver.hpp"
#include "ranks/failing.hpp"
#include "ranks/input.hpp"
#include "ranks/on_devices.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "zwalk/run/rank_calls.hpp"
#include "zwalk/run/rank_index.hpp"
#include "zwalk/run/rank_lists_of.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

using detail::RadiusWork;

/// What the public functions do for a GPU, or threads.
template <class T, class P>
RadiusResult<T, Mpi> radius_on(P& device, Comm& comm, detail::RankInput<T> const& own,
                               std::type_identity_t<Points<T>> const* queries, RadiusOptions const& o,
                               RadiusWork work) {
    return detail::run_on_ranks<detail::RadiusAlgorithm>(comm, Cpu(1), rank_place_of<T>(device), own,
                                                         queries, {o, work});
}

template <class T>
bool equal(RadiusResult<T, Mpi> const& a, RadiusResult<T, Mpi> const& b) {
    auto const same = [](auto const& x, auto const& y) { return std::ranges::equal(x, y); };
    return a.found == b.found && same(a.counts, b.counts) && same(a.offsets, b.offsets) &&
           same(a.indices, b.indices) && same(a.distances, b.distances) &&
           same(a.row_order, b.row_order) && same(a.source_order, b.source_order);
}

/// As threads, in all forms.
template <class T>
bool same_as_threads(Comm& comm, detail::RankInput<T> const& own,
                     std::type_identity_t<Points<T>> const* queries, RadiusOptions o) {
    HostDevice<> device;
    Cpu threads(1);
    bool same = true;
    for (auto const order : {Order::input, Order::z})
        for (auto const work : {RadiusWork::count, RadiusWork::search})
            for (bool const distances : {true, false}) {
                o.order = order;
                o.distances = distances;
                auto const found = radius_on<T>(device, comm, own, queries, o, work);
                same = equal(found, radius_on<T>(threads, comm, own, queries, o, work)) && same &&
                       device.bytes_in_use() == 0;
            }
    auto const rows = queries ? queries->size : own.rows;
    return same && (rows == 0 || comm.size() > 1 || device.stats().launches > 0);
}

template <int D, class T>
void check_radius_kinds(Comm& comm, std::vector<std::size_t> const& sizes,
                        std::vector<double> const& radii) {
    for_inputs<D, T>(comm, sizes, D + sizeof(T), [&](auto const& input, std::size_t turn) {
        Input<D, T> const asking{::test::make_points<D, T>("uniform", 50, turn),
                                 spread("uneven", 50, comm.size())};
        auto const own = input.of(comm.rank()), queries = asking.of(comm.rank());
        auto const each = ::test::some_radii({0, .05, .2}, own.size, unsigned(turn) + 50),
                   of_queries = ::test::some_radii({0, .05, .2}, queries.size, unsigned(turn) + 51);
        RadiusOptions by_radii{.radii = each, .larger = turn % 2 == 0};
        by_radii.tree = {.leaf_size = 8, .coarsening = 3, .top_nodes = 4};
        CHECK(same_as_threads<T>(comm, own, nullptr, by_radii));
        by_radii.larger = false;
        by_radii.radii = of_queries;
        CHECK(same_as_threads<T>(comm, own, &queries, by_radii));
        for (double const radius : radii) {
            RadiusOptions o{.radius = radius, .exclude_self = turn % 2 == 0};
            o.tree = {.leaf_size = 8, .coarsening = 3, .top_nodes = 4};
            CHECK(same_as_threads<T>(comm, own, nullptr, o));
            o.exclude_self = false;
            CHECK(same_as_threads<T>(comm, own, &queries, o));
        }
    });
}

}  // namespace

TEST_CASE("radius search on ranks with devices: every kind of points and spread, and queries") {
    Comm comm(world());
    check_radius_kinds<3, float>(comm, {0, 1, 200}, {.1});
    check_radius_kinds<2, double>(comm, {200}, {.05});
    check_radius_kinds<2, float>(comm, {100},
                                 {0, 2});  // trees get a column more on their way to the device
}

TEST_CASE("radius search on ranks with devices: ties, by the rows of the input; round the box") {
    Comm comm(world());
    ::test::Rows<3, float> lattice;  // against the z-order, and so is the order of rows in part
    for (int i = 728; i >= 0; --i)
        lattice.push_back({float(i % 9) / 9, float(i / 9 % 9) / 9, float(i / 81) / 9});
    for (auto const& how : spreads()) {
        CAPTURE(how);
        Input<3, float> const input{lattice, spread(how, lattice.size(), comm.size())};
        for (std::vector<double> const& box : {std::vector<double>{}, {1}, {0, 1, 0}})
            CHECK(same_as_threads<float>(comm, input.of(comm.rank()), nullptr,
                                         {.radius = .25, .box = box}));
    }
}

TEST_CASE("radius search on ranks with devices: an index, which stays") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("clustered", 2000, 7),
                                spread("uneven", 2000, comm.size())};
    auto const own = input.of(comm.rank());
    RankIndex<float> const index(own, {}, world(), Cpu(1));
    CHECK(same_as_threads<float>(comm, index, nullptr, {.radius = .01}));
    CHECK(same_as_threads<float>(comm, index, &own, {.radius = .01}));
}

TEST_CASE("radius search on ranks with devices: what one of them has no memory for fails on all") {
    Comm comm(world());
    auto const input = points_for(comm, "clustered", 250, 11);
    auto const own = input.of(comm.rank());
    for (auto const work : {RadiusWork::count, RadiusWork::search})
        check_failures<OfDevice>(comm, std::string("Error: ") + device_memory_words, [&] {
            HostDevice<> device(std::make_shared<LimitedMemory>());
            auto r = radius_on<float>(device, comm, own, nullptr, {.radius = .02}, work);
            return std::pair(std::move(r.counts), std::move(r.indices));
        });
    check_memory(comm, [&] {
        HostDevice<> device;
        return radius_on<float>(device, comm, own, nullptr, {.radius = .02}, RadiusWork::search).indices;
    });

    HostDevice<> device;
    if (comm.rank() == 0) device.memory_size = 1000;
    auto const refusal = thrown_by([&] {
        (void)radius_on<float>(device, comm, own, nullptr, {.radius = .02}, RadiusWork::search);
    });
    CHECK(refusal.find("and 1e-06 GB are free") != std::string::npos);
    CHECK(device.stats().peak_bytes == 0);
}

TEST_CASE("radius search on ranks with devices: refusals are the same on all") {
    Comm comm(world());
    auto const input = points_for(comm, "uniform", 50, 7);
    auto const own = input.of(comm.rank());
    RadiusOptions const o{.radius = .1};
    Cuda const none{.device = 100};
    auto const no_device = thrown_by([&] { (void)open_cuda(none); });
    RankIndex<float> const index(own, {}, world(), Cpu(1));
    CHECK(thrown_by([&] { (void)radius_count(own, o, world(), none); }) == no_device);
    CHECK(thrown_by([&] { (void)radius_count(own, own, o, world(), none); }) == no_device);
    CHECK(thrown_by([&] { (void)radius_search(own, o, world(), none); }) == no_device);
    CHECK(thrown_by([&] { (void)radius_search(own, own, o, world(), none); }) == no_device);
    CHECK(thrown_by([&] { (void)radius_count(index, o, none); }) == no_device);
    CHECK(thrown_by([&] { (void)radius_count(index, own, o, none); }) == no_device);
    CHECK(thrown_by([&] { (void)radius_search(index, o, none); }) == no_device);
    CHECK(thrown_by([&] { (void)radius_search(index, own, o, none); }) == no_device);
}
