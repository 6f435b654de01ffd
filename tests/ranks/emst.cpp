// Spanning trees of points that are spread over ranks: those that one process with all points finds, bit for bit.
#include <doctest/doctest.h>

#include "ranks/input.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "ranks/trees.hpp"
#include "zwalk/emst/emst.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

template <int D, class T>
bool same_emst_as_alone(Comm& comm, Input<D, T> const& input, EmstOptions const& o,
                        Mpi const& mpi = world()) {
    return same_tree(comm, input, o,
                     [&](Points<T> own) { return emst(own, o, mpi, Cpu(1 + comm.rank() % 2)); });
}

/// For checks that threads and devices share.
auto same_emst_on(Comm& comm) {
    return [&](auto const& input, EmstOptions const& o) { return same_emst_as_alone(comm, input, o); };
}

}  // namespace

TEST_CASE("EMST on ranks: every kind of points and spread") {
    Comm comm(world());
    check_tree_kinds<3, float>(comm, {20, 500, 3000}, {1, 7}, same_emst_on(comm));
    check_tree_kinds<3, double>(comm, {400}, {1, 20}, same_emst_on(comm));
}

TEST_CASE("EMST on ranks: other dimensions") {
    Comm comm(world());
    check_tree_kinds<1, float>(comm, {200}, {1, 3}, same_emst_on(comm));
    check_tree_kinds<2, double>(comm, {600}, {1, 4}, same_emst_on(comm));
    check_tree_kinds<8, float>(comm, {200}, {1}, same_emst_on(comm));
}

TEST_CASE("EMST on ranks: tiny inputs") {
    Comm comm(world());
    check_tiny_trees(comm, same_emst_on(comm));
}

TEST_CASE("EMST on ranks: round the box") {
    Comm comm(world());
    check_periodic_trees(comm, 2000, same_emst_on(comm));
}

TEST_CASE("EMST on ranks: many points, short messages, small nodes") {
    Comm comm(world());
    for (auto const* kind : {"uniform", "clustered", "sites40"}) {
        CAPTURE(kind);
        Input<3, float> const input{::test::make_points<3, float>(kind, 15000, 7),
                                    spread("uneven", 15000, comm.size())};
        CHECK(same_emst_as_alone(comm, input, {}));
        CHECK(same_emst_as_alone(comm, input, {.min_samples = 10}, world(10000)));
        CHECK(same_emst_as_alone(comm, input, {.tree = {.leaf_size = 4, .coarsening = 2}}));
    }
}

TEST_CASE("EMST on ranks: clusters far from each other") {
    Comm comm(world());
    check_far_clusters<3>(comm, 4000, 600, same_emst_on(comm));
}

TEST_CASE("EMST on ranks: refusals are the same on all") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 100, 7),
                                spread("even", 100, comm.size())};
    auto const refusal = [&](EmstOptions const& o) {
        return thrown_by([&] { (void)emst(input.of(comm.rank()), o, world()); });
    };
    CHECK(refusal({.min_samples = 0}) == "InputError: min_samples must be at least 1, but is 0");
    CHECK(refusal({.box = {.5}}).find("box") != std::string::npos);
    if (comm.size() > 1)
        CHECK(refusal({.min_samples = comm.rank() == 1 ? 2 : 3})
                  .starts_with("InputError: ranks disagree on min_samples (3 on rank 0, 2"));
}
