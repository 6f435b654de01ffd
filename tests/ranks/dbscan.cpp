// DBSCAN of points that are spread over ranks: clusters, core points and noise of one process with all points.
#include <doctest/doctest.h>

#include "ranks/alone.hpp"
#include "ranks/clusterings.hpp"
#include "ranks/input.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "zwalk/dbscan/dbscan.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

template <int D, class T>
bool same_dbscan_as_alone(Comm& comm, Input<D, T> const& input, DbscanOptions const& o,
                          Mpi const& mpi = world()) {
    return same_clusters(comm, input, o, [&](Points<T> own, DbscanOptions const& asked) {
        return dbscan(own, asked, mpi, Cpu(asked.order == Order::z ? 2 : 1));
    });
}

/// For checks that threads and devices share.
auto same_dbscan_on(Comm& comm) {
    return
        [&](auto const& input, DbscanOptions const& o) { return same_dbscan_as_alone(comm, input, o); };
}

}  // namespace

TEST_CASE("DBSCAN on ranks: every kind of points and spread") {
    Comm comm(world());
    check_kinds<3, float>(comm, {2, 400}, .12, 5, same_dbscan_on(comm));
    check_kinds<3, float>(comm, {300}, .2, 12, same_dbscan_on(comm));
    check_kinds<2, double>(comm, {300}, .06, 4, same_dbscan_on(comm));
    check_few_points(comm, same_dbscan_on(comm));
}

TEST_CASE("DBSCAN on ranks: clusters that go through many ranks, and round the box") {
    Comm comm(world());
    auto const chain = chain_of(1000);
    for (auto const& how : spreads()) {
        CAPTURE(how);
        Input<2, float> const input{chain, spread(how, chain.size(), comm.size())};
        for (double epsilon : {.005, .0134, .03})
            for (std::vector<double> const& box : {std::vector<double>{}, {1}, {1, 0}})
                CHECK(same_dbscan_as_alone(comm, input,
                                           {.epsilon = epsilon, .min_samples = 3, .box = box}));
    }
}

TEST_CASE("DBSCAN on ranks: border points between clusters, at equal distances") {
    Comm comm(world());
    check_crosses(comm, same_dbscan_on(comm));
}

TEST_CASE("DBSCAN on ranks: many points, and short messages") {
    Comm comm(world());
    for (auto const* kind : {"uniform", "clustered"}) {
        Input<3, float> const input{::test::make_points<3, float>(kind, 20000, 7),
                                    spread("uneven", 20000, comm.size())};
        CHECK(same_dbscan_as_alone(comm, input, {.epsilon = .03, .min_samples = 8}));
        CHECK(same_dbscan_as_alone(comm, input, {.epsilon = .02, .min_samples = 20}, world(1000)));
    }
}

TEST_CASE("DBSCAN on ranks: refusals are the same on all") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 100, 7),
                                spread("even", 100, comm.size())};
    auto const refusal = [&](DbscanOptions const& o) {
        return thrown_by([&] { (void)dbscan(input.of(comm.rank()), o, world()); });
    };
    CHECK(refusal({.epsilon = -1}).starts_with("InputError: epsilon must be"));
    CHECK(refusal({.epsilon = .1, .min_samples = 0}).starts_with("InputError: min_samples must be"));
    if (comm.size() > 1)
        CHECK(refusal({.epsilon = comm.rank() == 1 ? .2 : .1})
                  .starts_with("InputError: ranks disagree on epsilon (0.1 on rank 0, 0.2"));
}
