// Clusters of points that are spread over ranks: those that one process with all points finds, bit for bit.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "ranks/input.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "ranks/trees.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"
#include "zwalk/run/rank_index.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

template <int D, class T>
bool same_hdbscan_as_alone(Comm& comm, Input<D, T> const& input, HdbscanOptions const& o,
                           Mpi const& mpi = world()) {
    return same_hierarchy(comm, input, o,
                          [&](Points<T> own) { return hdbscan(own, o, mpi, Cpu(1 + comm.rank() % 2)); });
}

template <int D, class T>
void check_hdbscan_kinds(Comm& comm, std::vector<std::size_t> const& sizes, HdbscanOptions const& o) {
    for_inputs<D, T>(
        comm, sizes, D + sizeof(T) + o.min_cluster_size,
        [&](auto const& input, std::size_t) { CHECK(same_hdbscan_as_alone(comm, input, o)); });
}

}  // namespace

TEST_CASE("HDBSCAN on ranks: every kind of points and spread") {
    Comm comm(world());
    check_hdbscan_kinds<3, float>(comm, {20, 500, 2000}, {});
    check_hdbscan_kinds<3, float>(comm, {500}, {.min_cluster_size = 12, .min_samples = 1});
    check_hdbscan_kinds<3, double>(comm, {400}, {.min_cluster_size = 3, .min_samples = 7});
}

TEST_CASE("HDBSCAN on ranks: other dimensions") {
    Comm comm(world());
    check_hdbscan_kinds<2, double>(comm, {600}, {});
    check_hdbscan_kinds<6, float>(comm, {300}, {.min_cluster_size = 4});
}

TEST_CASE("HDBSCAN on ranks: tiny inputs, also of fewer points than make a cluster") {
    Comm comm(world());
    for (std::size_t const n : {0, 1, 2, 4, 5, 9})
        for (auto const& how : spreads()) {
            CAPTURE(n);
            CAPTURE(how);
            Input<3, float> const input{::test::make_points<3, float>("uniform", n, 2),
                                        spread(how, n, comm.size())};
            CHECK(same_hdbscan_as_alone(comm, input, {}));
            CHECK(same_hdbscan_as_alone(comm, input, {.min_cluster_size = 2, .min_samples = 1}));
        }
}

TEST_CASE("HDBSCAN on ranks: options") {
    Comm comm(world());
    Input<3, float> const input{blobs(3000), spread("uneven", 3000, comm.size())};
    auto const check = [&](HdbscanOptions const& o) { CHECK(same_hdbscan_as_alone(comm, input, o)); };
    check({.min_cluster_size = 30});
    check({.min_cluster_size = 30, .min_samples = 4});
    check({.select = {.method = Selection::leaf}});
    check({.select = {.epsilon = .3}});
    check({.select = {.method = Selection::persistent}});
    check({.select = {.epsilon_max = 1, .persistence = .5}});
    check({.min_cluster_size = 10, .select = {.max_cluster_size = 300}});
    check({.min_cluster_size = 2000, .min_samples = 5, .select = {.allow_single_cluster = true}});
    check({.box = {30}});
    check({.tree = {.leaf_size = 4}});
}

namespace {

/// @param light  the least of the weights
template <int D, class T>
bool same_with_weights(Comm& comm, Input<D, T> const& input, HdbscanOptions o, double light) {
    std::vector<double> weights(input.rows.size());
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = light * double(1 + i * 7 % 5);
    o.weights = weights;
    return same_hierarchy(comm, input, o, [&](Points<T> own) {
        HdbscanOptions part = o;
        part.weights = o.weights.subspan(input.begin[std::size_t(comm.rank())], own.size);
        return hdbscan(own, part, world(), Cpu(1 + comm.rank() % 2));
    });
}

}  // namespace

TEST_CASE("HDBSCAN on ranks: points with weights") {
    Comm comm(world());
    for_inputs<3, float>(comm, {20, 500}, 3, [&](auto const& input, std::size_t) {
        for (double const light : {.3, 1.}) {
            CAPTURE(light);
            CHECK(same_with_weights(comm, input, {.min_cluster_size = 7, .min_samples = 4}, light));
        }
    });
    for_inputs<2, double>(comm, {300}, 4, [&](auto const& input, std::size_t) {
        CHECK(same_with_weights(comm, input, {.min_cluster_size = 5}, .02));
    });
    for (std::size_t const n : {0, 1, 2, 5, 9})
        for (auto const& how : spreads()) {
            CAPTURE(n);
            CAPTURE(how);
            Input<3, float> const input{::test::make_points<3, float>("uniform", n, 2),
                                        spread(how, n, comm.size())};
            for (double const light : {.1, 3.})
                CHECK(same_with_weights(comm, input, {.min_cluster_size = 3}, light));
        }
    Input<3, float> const input{blobs(3000), spread("uneven", 3000, comm.size())};
    CHECK(same_with_weights(comm, input, {.min_cluster_size = 30, .box = {30}}, .5));
    CHECK(same_with_weights(comm, input, {.min_cluster_size = 9, .tree = {.leaf_size = 4}}, 1));
}

TEST_CASE("HDBSCAN on ranks: points with weights, kept by an index, and weights of repeated rows") {
    Comm comm(world());
    auto const rows = blobs(700);
    ::test::Rows<3, float> all;
    std::vector<double> weights;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        weights.push_back(double(1 + i % 3));
        all.insert(all.end(), 1 + i % 3, rows[i]);
    }
    Input<3, float> const input{rows, spread("even", rows.size(), comm.size())};
    auto const own = input.of(comm.rank());
    std::size_t const first = input.begin[std::size_t(comm.rank())];
    HdbscanOptions const repeated{.min_cluster_size = 12};
    auto with_weights = repeated;
    with_weights.weights = std::span(weights).subspan(first, own.size);
    RankIndex<float> const index(own, {}, world());
    auto const found = hdbscan(index, with_weights);
    auto const expected = hdbscan(all, repeated);
    std::size_t row = 0;
    for (std::size_t i = 0; i < first; ++i) row += 1 + i % 3;
    bool same = found.clusters == expected.size();
    for (std::size_t i = 0; i < own.size; ++i) {
        same = same && found.core_distances[i] == expected.core_distances[row] &&
               found.outlier_scores[i] == expected.outlier_scores[row] &&
               found.probabilities[i] == expected.probabilities[row] &&
               (found.labels[i] < 0) == (expected.labels[row] < 0);
        row += 1 + (first + i) % 3;
    }
    CHECK(comm.reduce_all(same, std::logical_and<>()));
}

TEST_CASE("HDBSCAN on ranks: many points, short messages") {
    Comm comm(world());
    Input<3, float> const input{blobs(12000), spread("even", 12000, comm.size())};
    CHECK(same_hdbscan_as_alone(comm, input, {.min_cluster_size = 15}, world(10000)));
    auto const found = hdbscan(input.of(comm.rank()), {.min_cluster_size = 15}, world());
    CHECK(found.clusters >= 5);
    std::uint64_t gathered = 0;
    for (StepStats const& s : found.stats.steps) {
        auto const names = [&](StepStats const& t) { return std::strcmp(t.name, s.name) == 0; };
        CHECK(std::count_if(found.stats.steps.begin(), found.stats.steps.end(), names) == 1);
        if (std::strcmp(s.name, "gather") == 0) gathered += s.bytes;
    }
    std::uint64_t const all = comm.reduce_all(gathered, std::plus<>());
    CHECK((comm.size() == 1 || all > 20 * 12000 / 3));
}

TEST_CASE("HDBSCAN on ranks: refusals are the same on all") {
    Comm comm(world());
    auto rows = ::test::make_points<3, float>("uniform", 100, 7);
    Input<3, float> const input{rows, spread("even", 100, comm.size())};
    auto const refusal = [&](HdbscanOptions const& o) {
        return thrown_by([&] { (void)hdbscan(input.of(comm.rank()), o, world()); });
    };
    CHECK(refusal({.min_cluster_size = 1}) ==
          "InputError: min_cluster_size must be at least 2, but is 1");
    CHECK(refusal({.min_samples = -1}) == "InputError: min_samples must be at least 0, but is -1");
    CHECK(refusal({.select = {.epsilon = -1}}) ==
          "InputError: epsilon must be a finite number >= 0, but is -1");
    CHECK(refusal({.box = {.5}}).find("box") != std::string::npos);
    std::vector<double> weights(input.of(comm.rank()).size, 1.);
    std::size_t const first = input.begin[std::size_t(comm.rank())];
    if (first <= 61 && 61 < first + weights.size()) weights[61 - first] = -2;
    CHECK(refusal({.weights = weights})
              .starts_with("InputError: weight 61 is -2: it must be finite and > 0"));
    weights.resize(weights.size() + std::size_t(comm.rank() == 0));
    CHECK(refusal({.weights = weights}).find(" weights of ") != std::string::npos);
    rows[57][1] = NAN;
    Input<3, float> const bad{rows, input.begin};
    CHECK(thrown_by([&] { (void)hdbscan(bad.of(comm.rank()), {}, world()); }).find("row 57") !=
          std::string::npos);
    // Of less than two points with weights, too.
    auto const refusal_of_one = [&](float x, HdbscanOptions o) {
        Input<3, float> const one{{{x, 0, 0}}, spread("even", 1, comm.size())};
        std::vector<double> const weight(one.of(comm.rank()).size, 1.);
        o.weights = weight;
        return thrown_by([&] { (void)hdbscan(one.of(comm.rank()), o, world()); });
    };
    CHECK(refusal_of_one(NAN, {}).find("row 0") != std::string::npos);
    CHECK(refusal_of_one(0, {.box = {-1}}).find("box") != std::string::npos);
    if (comm.size() == 1) return;
    bool const other = comm.rank() == 1;
    using S = SelectionOptions;
    auto const disagree = [&](HdbscanOptions const& o, std::string const& words) {
        CHECK(refusal(o) == "InputError: ranks disagree on " + words + " on rank 1)");
    };
    disagree({.min_cluster_size = other ? 6u : 5u}, "min_cluster_size (5 on rank 0, 6");
    disagree({.min_samples = other ? 0 : 5}, "min_samples (5 on rank 0, 0");
    disagree({.select = S{.method = other ? Selection::leaf : Selection::eom}},
             "the selection (eom on rank 0, leaf");
    disagree({.select = S{.method = other ? Selection::eom : Selection::persistent}},
             "the selection (persistent on rank 0, eom");
    disagree({.select = S{.epsilon = other ? .5 : .25}}, "epsilon (0.25 on rank 0, 0.5");
    disagree({.select = S{.max_cluster_size = other ? 8u : 0u}}, "max_cluster_size (0 on rank 0, 8");
    disagree({.select = S{.allow_single_cluster = other}},
             "allow_single_cluster (false on rank 0, true");
}

TEST_CASE("HDBSCAN on ranks: what rank 0 cannot hold is refused before it is looked at") {
    Comm comm(world());
    float const nothing = 0;
    auto const refusal = [&](std::uint64_t points) {
        auto const ranks = std::uint64_t(comm.size()), rank = std::uint64_t(comm.rank());
        std::uint64_t const own = points * (rank + 1) / ranks - points * rank / ranks;
        HdbscanOptions const o{.min_cluster_size = 2};
        return thrown_by([&] { (void)hdbscan(Points<float>(&nothing, own, 3), o, world()); });
    };
    CHECK(refusal(max_points + 1) ==
          "InputError: 2147483393 points are too many for a hierarchy, which one rank makes: at most "
          "2147483392");
    auto const memory = hdbscan_rank_memory(1, max_points, 3, 4, {.min_cluster_size = 2}, true);
    if (comm.reduce_all(memory.result <= available_memory(), std::logical_or<>())) {
        MESSAGE("not tested: this machine has memory for the clusters of all points");
        return;
    }
    CHECK(
        refusal(max_points)
            .starts_with(
                "Error: the clusters of 2147483392 points are made on one rank, where they need about"));
}

TEST_CASE("HDBSCAN on ranks: memory") {
    HdbscanOptions const o{.min_cluster_size = 20};
    auto const alone = hdbscan_memory(4000000, 3, 4, o);
    auto const first = hdbscan_rank_memory(1000000, 4000000, 3, 4, o, true);
    auto const other = hdbscan_rank_memory(1000000, 4000000, 3, 4, o, false);
    CHECK(first.result == alone.result);
    CHECK(other.result < alone.result / 2);
    CHECK(other.build == first.build);
    CHECK(first.build > alone.build / 4);
    CHECK(first.build < alone.build / 2);
    CHECK(hdbscan_rank_memory(10, 1000, 3, 4, o, false).build ==
          hdbscan_rank_memory(10, 1000, 3, 4, {.min_cluster_size = 5, .min_samples = 20}, false).build);
}
