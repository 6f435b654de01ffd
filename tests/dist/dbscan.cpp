// DBSCAN of points that are spread over ranks: clusters, core points and noise of one process with all points.
#include <doctest/doctest.h>

#include "dist/input.hpp"
#include "dist/ranks.hpp"
#include "dist/spreads.hpp"
#include "zwalk/dbscan/dbscan_mpi.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

constexpr TreeOptions small_nodes{.leaf_size = 8, .coarsening = 3, .top_nodes = 4};

template <int D, class T>
bool same_as_alone(Comm& comm, Input<D, T> const& input, DbscanOptions o, Mpi const& mpi = world()) {
    auto const expected = dbscan(input.all(), o, Cpu(1));
    std::size_t const first = input.begin[std::size_t(comm.rank())], rows = input.of(comm.rank()).size;
    auto const found = dbscan(input.of(comm.rank()), o, mpi, Cpu(1));
    auto const same_numbers = [&](DbscanOnRanks const& r) {
        return r.clusters == expected.clusters && r.core_points == expected.core_points &&
               r.noise == expected.noise;
    };
    bool same = same_numbers(found) && found.labels.size() == rows && found.core.size() == rows;
    for (std::size_t i = 0; i < rows && same; ++i)
        same =
            found.labels[i] == expected.labels[first + i] && found.core[i] == expected.core[first + i];

    o.order = Order::z;
    auto const in_z = dbscan(input.of(comm.rank()), o, mpi, Cpu(2));
    auto const all = comm.reduce_all(in_z.labels.size(), std::plus<>());
    same = same && same_numbers(in_z) && all == input.rows.size() &&
           in_z.row_order.size() == in_z.labels.size();
    for (std::size_t i = 0; i < in_z.labels.size() && same; ++i) {
        auto const row = std::size_t(in_z.row_order[i]);
        same = in_z.labels[i] == expected.labels[row] && in_z.core[i] == expected.core[row];
    }
    return same;
}

template <int D, class T>
void check_kinds(Comm& comm, std::vector<std::size_t> const& sizes, double epsilon,
                 index_t min_samples) {
    for_inputs<D, T>(comm, sizes, D + sizeof(T), [&](auto const& input, std::size_t) {
        CHECK(same_as_alone(comm, input,
                            {.epsilon = epsilon, .min_samples = min_samples, .tree = small_nodes}));
    });
}

}  // namespace

TEST_CASE("DBSCAN on ranks: every kind of points and spread") {
    Comm comm(world());
    check_kinds<3, float>(comm, {2, 400}, .12, 5);
    check_kinds<3, float>(comm, {300}, .2, 12);
    check_kinds<2, double>(comm, {300}, .06, 4);
    for (std::size_t n : {0, 1, 30})
        for (double epsilon : {0., .2, 100.})
            for (index_t min_samples : {1, 3, 31})
                CHECK(same_as_alone(comm,
                                    Input<3, float>{::test::make_points<3, float>("uniform", n, 2),
                                                    spread("even", n, comm.size())},
                                    {.epsilon = epsilon, .min_samples = min_samples}));
}

TEST_CASE("DBSCAN on ranks: clusters that go through many ranks, and round the box") {
    Comm comm(world());
    auto const chain = chain_of(1000);
    for (auto const& how : spreads()) {
        CAPTURE(how);
        Input<2, float> const input{chain, spread(how, chain.size(), comm.size())};
        for (double epsilon : {.005, .0134, .03})
            for (std::vector<double> const& box : {std::vector<double>{}, {1}, {1, 0}})
                CHECK(same_as_alone(comm, input, {.epsilon = epsilon, .min_samples = 3, .box = box}));
    }
}

TEST_CASE("DBSCAN on ranks: border points between clusters, at equal distances") {
    Comm comm(world());
    // Two dense crosses in each cell of a lattice, and a point half-way between them.
    ::test::Rows<2, double> rows;
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
            for (double const x : {0., 2.}) {
                double const left = 10 * i + x, y = 10 * j;
                rows.insert(rows.end(),
                            {{left, y}, {left + .5, y}, {left - .5, y}, {left, y + .5}, {left, y - .5}});
                if (x > 0) rows.push_back({left - 1, y});
            }
    for (auto const& how : spreads()) {
        CAPTURE(how);
        Input<2, double> const input{rows, spread(how, rows.size(), comm.size())};
        for (index_t const min_samples : {4, 5})
            CHECK(same_as_alone(comm, input,
                                {.epsilon = .75, .min_samples = min_samples, .tree = small_nodes}));
    }
}

TEST_CASE("DBSCAN on ranks: many points, and short messages") {
    Comm comm(world());
    for (auto const* kind : {"uniform", "clustered"}) {
        Input<3, float> const input{::test::make_points<3, float>(kind, 20000, 7),
                                    spread("uneven", 20000, comm.size())};
        CHECK(same_as_alone(comm, input, {.epsilon = .03, .min_samples = 8}));
        CHECK(same_as_alone(comm, input, {.epsilon = .02, .min_samples = 20}, world(1000)));
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
