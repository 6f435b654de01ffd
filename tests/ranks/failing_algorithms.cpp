// What fails on one rank fails on all: memory, at whatever point of the calls of all algorithms.
#include <doctest/doctest.h>

#include <tuple>
#include <utility>
#include <vector>

#include "ranks/failing.hpp"
#include "ranks/shared_file.hpp"
#include "zwalk/dbscan/dbscan.hpp"
#include "zwalk/density/density.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/fof/fof_mpi.hpp"
#include "zwalk/gravity/gravity.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/pairs/pairs.hpp"
#include "zwalk/peaks/peaks.hpp"
#include "zwalk/radius/radius.hpp"
#include "zwalk/run/rank_index.hpp"

using namespace zwalk;
using namespace zwalk::test;

TEST_CASE("no memory on one rank: kNN") {
    Comm comm(world());
    auto const input = points_for(comm, "clustered", 200, 3);
    auto const asking = points_for(comm, "uniform", 150, 4);
    auto const own = input.of(comm.rank()), queries = asking.of(comm.rank());
    Cpu const cpu(2);
    check_memory(comm, [&] {
        auto r = knn(own, {.k = 8}, world(), cpu);
        return std::pair(std::move(r.indices), std::move(r.distances));
    });
    check_memory(comm, [&] {
        auto r = knn(own, queries, {.k = 8, .order = Order::z}, world(), cpu);
        return std::tuple(std::move(r.indices), std::move(r.row_order), std::move(r.source_order));
    });
    check_memory(comm, [&] { return knn_reduce(own, Reduction::density, {}, world(), cpu).values; });
    check_memory(comm, [&] {
        auto const none = [](index_t, auto const&) {};
        return knn_visit(own, none, {.k = 20}, world(), cpu).rows;
    });
}

TEST_CASE("no memory on one rank: friends-of-friends, spanning trees") {
    Comm comm(world());
    auto const input = points_for(comm, "uniform", 300, 5);
    auto const own = input.of(comm.rank());
    Cpu const cpu(2);
    for (auto const order : {Order::input, Order::z})
        check_memory(comm, [&] {
            auto r = fof(own, {.linking_length = .05, .order = order}, world(), cpu);
            return std::tuple(std::move(r.labels), std::move(r.z_order), r.groups);
        });
    for (int const min_samples : {1, 4})
        check_memory(comm, [&] {
            auto r = emst(own, {.min_samples = min_samples}, world(), cpu);
            return std::tuple(std::move(r.edges), std::move(r.lengths), std::move(r.core_distances));
        });
}

TEST_CASE("no memory on one rank: catalogues, clusters") {
    Comm comm(world());
    auto const input = points_for(comm, "clustered", 300, 9);
    auto const own = input.of(comm.rank());
    Cpu const cpu(2);
    std::vector<float> const masses(own.size, 2);
    check_memory(comm, [&] {
        auto r = fof_with_catalogue(
            own, {.linking_length = .02},
            {.min_members = 2, .masses = masses, .velocities = own, .members = true}, world(), cpu);
        auto& c = r.catalogue;
        return std::tuple(std::move(r.labels), std::move(c.rows.mass), std::move(c.rows.velocity),
                          std::move(c.members), c.size);
    });
    check_memory(comm, [&] {
        auto r = hdbscan(own, {.min_cluster_size = 4, .min_samples = 3}, world(), cpu);
        return std::tuple(std::move(r.labels), std::move(r.probabilities));
    });
}

TEST_CASE("no memory on one rank: clusters of points with weights") {
    Comm comm(world());
    auto const input = points_for(comm, "clustered", 200, 9);
    auto const own = input.of(comm.rank());
    std::vector<double> const weights(own.size, .4);
    check_memory(comm, [&] {
        HdbscanOptions const o{.min_cluster_size = 4, .min_samples = 2, .weights = weights};
        auto r = hdbscan(own, o, world(), Cpu(2));
        return std::tuple(std::move(r.labels), std::move(r.probabilities), std::move(r.core_distances));
    });
}

TEST_CASE("no memory on one rank: radius search, DBSCAN") {
    Comm comm(world());
    auto const input = points_for(comm, "clustered", 250, 11);
    auto const own = input.of(comm.rank());
    Cpu const cpu(2);
    check_memory(comm, [&] {
        auto r = radius_search(own, {.radius = .02}, world(), cpu);
        return std::tuple(std::move(r.offsets), std::move(r.indices), std::move(r.distances));
    });
    check_memory(comm, [&] { return radius_count(own, {.radius = .05}, world(), cpu).counts; });
    check_memory(comm, [&] {
        auto r = dbscan(own, {.epsilon = .02, .min_samples = 6}, world(), cpu);
        return std::tuple(std::move(r.labels), std::move(r.core), r.noise);
    });
}

TEST_CASE("no memory on one rank: density peaks, and their cuts") {
    Comm comm(world());
    auto const input = points_for(comm, "clustered", 250, 11);
    auto const own = input.of(comm.rank());
    check_memory(comm, [&] {
        auto r = density_peaks(own, {.k = 6}, world(), Cpu(2));
        return std::tuple(std::move(r.radius), std::move(r.delta), std::move(r.nearest_denser));
    });
    auto const graph = density_peaks(own, {.k = 6}, world(), Cpu(2));
    check_memory(comm, [&] {
        auto r = peaks_clusters(graph, {.clusters = 4}, world(), Cpu(2));
        return std::pair(std::move(r.labels), std::move(r.centres));
    });
}

TEST_CASE("no memory on one rank: pair counts, gravity") {
    Comm comm(world());
    auto const input = points_for(comm, "clustered", 250, 11);
    auto const own = input.of(comm.rank());
    Cpu const cpu(2);
    std::vector<double> const weights(own.size, 1.5);
    check_memory(comm, [&] {
        auto r = pair_counts(own, {.edges = {.001, .01, .1}, .weights = weights}, world(), cpu);
        return std::pair(std::move(r.counts), std::move(r.weighted));
    });
    check_memory(comm, [&] {
        auto r = gravity(own, {.masses = weights, .softening = .01}, world(), cpu);
        return std::pair(std::move(r.accelerations), std::move(r.potentials));
    });
    auto const in_box = points_for(comm, "uniform", 40, 11);
    check_memory(comm, [&] {
        auto r = gravity(in_box.of(comm.rank()), {.expansion_order = 1, .box = {1}}, world(), cpu);
        return std::pair(std::move(r.accelerations), std::move(r.potentials));
    });
}

TEST_CASE("no memory on one rank: an index, and its file") {
    Comm comm(world());
    auto const input = points_for(comm, "clustered", 200, 12);
    auto const own = input.of(comm.rank());
    Cpu const cpu(2);
    SharedFile const file(comm);
    check_memory(comm, [&] {
        RankIndex<float>(own, {}, world(), cpu).save(file.path);
        return true;
    });
    check_memory(comm, [&] {
        auto const index = RankIndex<float>::load(file.path, world(), cpu);
        return knn(index, {.k = 5}).indices;
    });
    auto const index = RankIndex<float>::load(file.path, world(), cpu);
    check_memory(comm, [&] { return emst(index, {.min_samples = 3}).edges; });  // it lends its tree
    check_memory(comm, [&] { return fof(index, {.linking_length = .02, .order = Order::z}).z_order; });
}
