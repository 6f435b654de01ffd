// Pair counts of points that are spread over ranks: those of one process with all points.
#include <doctest/doctest.h>

#include <vector>

#include "ranks/alone.hpp"
#include "ranks/input.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "zwalk/pairs/pairs.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

constexpr TreeOptions small_nodes{.leaf_size = 8, .coarsening = 3, .top_nodes = 4};

template <int D, class T>
bool same_pairs_as_alone(Comm& comm, Input<D, T> const& input, Input<D, T> const& others,
                         PairOptions const& o, Mpi const& mpi = world()) {
    return same_pair_counts(comm, input, others, o,
                            [&](Points<T> own, Points<T> const* second, PairOptions const& asked) {
                                return second ? pair_counts(own, *second, asked, mpi, Cpu(1))
                                              : pair_counts(own, asked, mpi, Cpu(2));
                            });
}

template <int D, class T>
void check_pairs_kinds(Comm& comm, std::vector<std::size_t> const& sizes, PairOptions o) {
    o.tree = small_nodes;
    for_inputs<D, T>(comm, sizes, D + sizeof(T), [&](auto const& input, std::size_t turn) {
        Input<D, T> const others{::test::make_points<D, T>("uniform", 90, turn),
                                 spread("uneven", 90, comm.size())};
        CHECK(same_pairs_as_alone(comm, input, others, o));
    });
}

}  // namespace

TEST_CASE("pairs on ranks: every kind of points and spread") {
    Comm comm(world());
    check_pairs_kinds<3, float>(comm, {0, 1, 2, 300}, {.edges = {0, .05, .2, 1.5}});
    check_pairs_kinds<2, double>(comm, {200}, {.edges = {.01, .3}});
}

TEST_CASE("pairs on ranks: bins of two numbers") {
    Comm comm(world());
    check_pairs_kinds<3, float>(
        comm, {150},
        {.edges = {0, .1, .3}, .bins = PairBins::rp_pi, .los_edges = {0, .1, .4}, .line_of_sight = 1});
    check_pairs_kinds<2, double>(
        comm, {150}, {.edges = {.01, .1, .3}, .bins = PairBins::s_mu, .los_edges = {0, .5, 1}});
}

TEST_CASE("pairs on ranks: more bins than one walk counts, periodic, and short messages") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 500, 4),
                                spread("none on the last", 500, comm.size())},
        others{::test::make_points<3, float>("uniform", 300, 5), spread("uneven", 300, comm.size())};
    PairOptions o{.edges = {0}, .box = {1, 1, 0}};
    for (int i = 1; i <= 130; ++i) o.edges.push_back(i * .003);
    CHECK(same_pairs_as_alone(comm, input, others, o));
    CHECK(same_pairs_as_alone(comm, input, others, o, world(100)));
    o.bins = PairBins::rp_pi;
    o.edges.resize(20);
    for (int i = 0; i <= 60; ++i) o.los_edges.push_back(i * .005);
    CHECK(same_pairs_as_alone(comm, input, others, o));
}

TEST_CASE("pairs on ranks: nodes in one bin come as numbers") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 20000, 7),
                                spread("even", 20000, comm.size())},
        others{::test::make_points<3, float>("clustered", 3000, 8), spread("even", 3000, comm.size())};
    auto const found = pair_counts(input.of(comm.rank()), {.edges = {0, 9}}, world(), Cpu(1));
    for (auto const& [name, count] : found.stats.counts)
        if (name == "imported") CHECK(count < 20000);
    CHECK(found.counts.at(0) == 20000ll * 19999);
    CHECK(same_pairs_as_alone(comm, input, others, {.edges = {.01, .02, .1}}));
}

TEST_CASE("pairs on ranks: refusals are the same on all") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 100, 7),
                                spread("even", 100, comm.size())};
    auto const refusal = [&](PairOptions const& o) {
        return thrown_by([&] { (void)pair_counts(input.of(comm.rank()), o, world()); });
    };
    CHECK(refusal({.edges = {1, 0}}).starts_with("InputError: edges must ascend"));
    if (comm.size() == 1) return;
    CHECK(refusal({.edges = {0, comm.rank() == 1 ? .2 : .1}})
              .starts_with("InputError: ranks disagree on edges"));
    auto const weights = some_weights(input.of(comm.rank()).size, 1);
    PairOptions o{.edges = {0, 1}};
    if (comm.rank() == 0) o.weights = weights;
    CHECK(refusal(o).find("there are no weights for") != std::string::npos);
}
