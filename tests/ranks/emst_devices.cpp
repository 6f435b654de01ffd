// Spanning trees of points that are spread over ranks with a device each: those that one process finds on threads, bit for bit; and
// clusters that are made of them. The devices are those of the host.
#include <doctest/doctest.h>

#include <tuple>
#include <utility>

#include "emst/src/rank_driver.hpp"
#include "hdbscan/src/cut_on.hpp"
#include "hdbscan/src/rank_driver.hpp"
#include "ranks/failing.hpp"
#include "ranks/input.hpp"
#include "ranks/on_devices.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "ranks/trees.hpp"
#include "support/ways.hpp"
#include "zwalk/emst/given_cores.hpp"
#include "zwalk/run/rank_index.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

/// What the public functions do for a GPU.
template <class T>
EmstResult<T, Mpi> emst_on(HostDevice<>& device, Comm& comm, detail::RankInput<T> const& own,
                           EmstOptions const& o) {
    auto const place = rank_place_of<T>(device);
    return detail::EmstRanks<T, std::remove_const_t<decltype(place)>>(comm, Cpu(1), place, o).run(own);
}
HdbscanResult<float> hdbscan_on(HostDevice<>& device, Comm& comm, Points<float> own,
                                HdbscanOptions const& o) {
    auto const tree_of = [&](EmstOptions const& tree, bool) {
        Comm of_tree(world());  // as the public functions make one
        return emst_on<float>(device, of_tree, own, tree);
    };
    auto const cut_by = [&](std::size_t points, EmstResult<float>&& tree, HdbscanOptions const& of_all) {
        return detail::cut_on<float>(device, points, std::move(tree), of_all, Cpu(1));
    };
    return detail::hdbscan_on(comm, own.size, o, Cpu(1), tree_of, cut_by);
}

/// Also lists in pieces.
template <int D, class T>
bool same_emst_as_alone(Comm& comm, Input<D, T> const& input, EmstOptions const& o) {
    bool tidy = true;
    bool const same = same_tree(comm, input, o, [&](Points<T> own) {
        HostDevice<> device;
        device.budget = input.rows.size() % 2 ? 4000 : 0;
        auto found = emst_on<T>(device, comm, own, o);
        bool const idle = input.rows.size() < 2 * std::size_t(comm.size());
        tidy = device.bytes_in_use() == 0 &&
               (comm.reduce_all(device.stats().launches, std::plus<>()) > 0 || idle);
        return found;
    });
    return same && tidy;
}

/// For checks that threads and devices share.
auto same_emst_on(Comm& comm) {
    return [&](auto const& input, EmstOptions const& o) { return same_emst_as_alone(comm, input, o); };
}

}  // namespace

TEST_CASE("EMST on ranks with devices: every kind of points and spread") {
    Comm comm(world());
    check_tree_kinds<3, float>(comm, {20, 601}, {1, 7}, same_emst_on(comm));
    check_tree_kinds<2, double>(comm, {400}, {1, 20}, same_emst_on(comm));
    check_tree_kinds<1, float>(comm, {201}, {1, 3}, same_emst_on(comm));
    check_tiny_trees(comm, same_emst_on(comm));
}

TEST_CASE("EMST on ranks with devices: round the box, clusters far from each other") {
    Comm comm(world());
    check_periodic_trees(comm, 1000, same_emst_on(comm));
    check_far_clusters<2>(comm, 1000, 200, same_emst_on(comm));
}

TEST_CASE("EMST on ranks with devices: many points; an index, which stays") {
    Comm comm(world());
    for (auto const* kind : {"uniform", "clustered", "sites40"}) {
        CAPTURE(kind);
        Input<3, float> const input{::test::make_points<3, float>(kind, 10001, 7),
                                    spread("uneven", 10001, comm.size())};
        CHECK(same_emst_as_alone(comm, input, {}));
        CHECK(same_emst_as_alone(comm, input, {.min_samples = 10}));
        CHECK(same_emst_as_alone(comm, input, {.tree = {.leaf_size = 4, .coarsening = 2}}));
    }
    auto const input = points_for(comm, "clustered", 1000, 7);
    auto const own = input.of(comm.rank());
    RankIndex<float> const index(own, {}, world(), Cpu(1));
    HostDevice<> device;
    for (int const m : {1, 5, 5}) {
        auto const expected = emst(index, {.min_samples = m});
        auto const found = emst_on<float>(device, comm, index, {.min_samples = m});
        CHECK(found.edges == expected.edges);
        CHECK(found.lengths == expected.lengths);
        CHECK(found.core_distances == expected.core_distances);
    }
}

TEST_CASE("EMST on ranks with devices: core distances of the caller's") {
    Comm comm(world());
    for_inputs<3, float>(comm, {2, 30, 600}, 1, [&](auto const& input, std::size_t) {
        std::vector<float> cores(input.rows.size());
        for (std::size_t i = 0; i < cores.size(); ++i)  // of equal points the same ones
            cores[i] = std::abs(input.rows[i][0]) * .3f + .001f;
        auto const expected = emst_with_cores<float>(Index<float>(input.all()), cores);
        auto const own = input.of(comm.rank());
        auto const first = input.begin[std::size_t(comm.rank())];
        HostDevice<> device;
        auto const place = rank_place_of<float>(device);
        EmstOptions const o{.min_samples = 2};
        auto const found =
            detail::EmstRanks<float, std::remove_const_t<decltype(place)>>(
                comm, Cpu(1), place, o, std::span<float const>(cores).subspan(first, own.size))
                .run(own);
        std::size_t const n = found.lengths.size();
        bool const same = same_rows(found.edges, expected.edges, 2 * found.first_edge, 2 * n) &&
                          same_rows(found.lengths, expected.lengths, found.first_edge, n) &&
                          same_rows(found.core_distances, expected.core_distances, first, own.size);
        auto const edges = comm.offsets(n);
        CHECK(comm.reduce_all(same, std::logical_and<>()));
        CHECK(edges.back() == expected.lengths.size());
    });
}

TEST_CASE("EMST on ranks with devices: what a search needs is what was predicted") {
    Comm comm(world());
    auto const input = points_for(comm, "uniform", 20000, 3);
    HostDevice<> device;
    Cpu const cpu(1);
    Stats stats;
    detail::RankPoints<float> points(comm, cpu, input.of(comm.rank()), 3, {}, {}, stats);
    Buffer<float> const no_cores;
    detail::RankSearch search(comm, rank_place_of<float>(device), points, no_cores);
    Buffer<float> reach2(points.size_here());
    std::fill(reach2.begin(), reach2.end(), .001f);
    (void)search.look_around(reach2);
    double const own = points.size_here(), all = own + double(stats.counts.front().second);
    double const predicted = double(device_edge_search_memory(all, own, comm.size(), 3, sizeof(float)));
    double const peak = double(device.stats().peak_bytes);
    CHECK(peak > 0);
    CHECK(peak <= predicted);
    if (comm.size() > 1) CHECK(predicted < 2 * peak);
}

TEST_CASE("EMST on ranks with devices: what one of them has no memory for fails on all") {
    Comm comm(world());
    auto const input = points_for(comm, "uniform", 200, 5);
    auto const own = input.of(comm.rank());
    for (int const m : {1, 4})
        check_failures<OfDevice>(comm, std::string("Error: ") + device_memory_words, [&] {
            HostDevice<> device(std::make_shared<LimitedMemory>());
            auto r = emst_on<float>(device, comm, own, {.min_samples = m});
            return std::tuple(std::move(r.edges), std::move(r.lengths), std::move(r.core_distances));
        });
    check_memory(comm, [&] {
        HostDevice<> device;
        return emst_on<float>(device, comm, own, {.min_samples = 4}).edges;
    });
    for (int const m : {1, 4}) {
        HostDevice<> device;
        if (comm.rank() == comm.size() - 1) device.memory_size = 1000;
        auto const words =
            thrown_by([&] { (void)emst_on<float>(device, comm, own, {.min_samples = m}); });
        CHECK(words.starts_with(m > 1 ? "Error: kNN of " : "Error: a spanning tree of "));
        CHECK(words.find("and 1e-06 GB are free") != std::string::npos);
        CHECK(device.stats().peak_bytes == 0);  // all have looked before any took some
    }
}

TEST_CASE("EMST on ranks with devices: refusals are the same on all") {
    Comm comm(world());
    auto const input = points_for(comm, "uniform", 50, 7);
    auto const own = input.of(comm.rank());
    Cuda const none{.device = 100};
    auto const no_device = thrown_by([&] { (void)open_cuda(none); });
    RankIndex<float> const index(own, {}, world(), Cpu(1));
    CHECK(thrown_by([&] { (void)emst(own, {}, world(), none); }) == no_device);
    CHECK(thrown_by([&] { (void)emst(index, {}, none); }) == no_device);
    CHECK(thrown_by([&] { (void)hdbscan(own, {}, world(), none); }) == no_device);
    CHECK(thrown_by([&] { (void)hdbscan(index, {}, none); }) == no_device);
    CHECK(thrown_by([&] {
              HostDevice<> device;
              (void)emst_on<float>(device, comm, own, {.min_samples = 0});
          }) == "InputError: min_samples must be at least 1, but is 0");
    if (comm.size() == 1) return;
    CHECK(thrown_by([&] {
              HostDevice<> device;
              if (comm.rank() == 1) {
                  Comm own_comm(world());  // as the public functions make one
                  (void)emst_on<float>(device, own_comm, own, {});
              } else {
                  (void)emst(own, {}, world(), Cpu(1));
              }
          }) == "InputError: ranks disagree on the place (threads on rank 0, a device on rank 1)");
}

TEST_CASE("HDBSCAN on ranks with devices: trees from all of them") {
    Comm comm(world());
    auto const check = [&](Input<3, float> const& input, HdbscanOptions const& o) {
        CHECK(same_hierarchy(comm, input, o, [&](Points<float> own) {
            HostDevice<> device;
            return hdbscan_on(device, comm, own, o);
        }));
    };
    for_inputs<3, float>(comm, {30, 400}, 2, [&](auto const& input, std::size_t) { check(input, {}); });
    Input<3, float> const input{blobs(3000), spread("uneven", 3000, comm.size())};
    check(input, {.min_cluster_size = 30});
    check(input, {.min_cluster_size = 12, .min_samples = 1, .box = {30}});
}

TEST_CASE("HDBSCAN on ranks with devices: that of the first rank makes the hierarchy, or threads do") {
    Comm comm(world());
    Input<3, float> const input{blobs(600), spread("uneven", 600, comm.size())};
    for (HdbscanOptions const& o :
         {HdbscanOptions{.min_cluster_size = 8}, {.select = {.method = Selection::persistent}}}) {
        std::uint64_t launches[2];
        for (bool const there : {false, true}) {
            CAPTURE(there);
            ::test::AskedHierarchy const asked(there);
            HostDevice<> device;
            CHECK(same_hierarchy(comm, input, o,
                                 [&](Points<float> own) { return hdbscan_on(device, comm, own, o); }));
            launches[there] = device.stats().launches;
            CHECK(device.bytes_in_use() == 0);
        }
        if (comm.rank() == 0) CHECK(launches[1] > launches[0] + 50);
        else CHECK(launches[1] == launches[0]);
    }
}
