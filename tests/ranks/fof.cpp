// Groups of points that are spread over ranks: those that one process with all points finds.
#include <doctest/doctest.h>

#include "ranks/alone.hpp"
#include "ranks/input.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "zwalk/fof/fof_mpi.hpp"
#include "zwalk/ranks/detail/links.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

template <int D, class T>
bool same_fof_as_alone(Comm& comm, Input<D, T> const& input, FofOptions const& o,
                       Mpi const& mpi = world()) {
    return same_groups(comm, input, o, [&](Points<T> own, FofOptions const& asked) {
        return fof(own, asked, mpi, Cpu(asked.order == Order::z ? 2 : 1));
    });
}

template <int D, class T>
void check_fof_kinds(Comm& comm, std::vector<std::size_t> const& sizes, double length) {
    for_inputs<D, T>(comm, sizes, D + sizeof(T), [&](auto const& input, std::size_t) {
        CHECK(same_fof_as_alone(comm, input, {.linking_length = length}));
    });
}

}  // namespace

TEST_CASE("FoF on ranks: every kind of points and spread") {
    Comm comm(world());
    check_fof_kinds<3, float>(comm, {2, 400}, .1);
    check_fof_kinds<3, float>(comm, {300}, .02);
    check_fof_kinds<2, double>(comm, {300}, .1);
    for (std::size_t n : {0, 1, 30})
        for (double length : {0., .2, 100.})
            CHECK(same_fof_as_alone(comm,
                                    Input<3, float>{::test::make_points<3, float>("uniform", n, 2),
                                                    spread("even", n, comm.size())},
                                    {.linking_length = length}));
}

TEST_CASE("FoF on ranks: groups that go through many ranks, and round the box") {
    Comm comm(world());
    auto const chain = chain_of(1000);
    for (auto const& how : spreads()) {
        CAPTURE(how);
        Input<2, float> const input{chain, spread(how, chain.size(), comm.size())};
        for (double length : {.001, .005, .0134, .05})
            for (std::vector<double> const& box : {std::vector<double>{}, {1}, {1, 0}})
                CHECK(same_fof_as_alone(comm, input, {.linking_length = length, .box = box}));
    }
}

TEST_CASE("FoF on ranks: many points, and short messages") {
    Comm comm(world());
    for (auto const* kind : {"uniform", "clustered"}) {
        Input<3, float> const input{::test::make_points<3, float>(kind, 20000, 7),
                                    spread("uneven", 20000, comm.size())};
        CHECK(same_fof_as_alone(comm, input, {.linking_length = .012}));
        CHECK(same_fof_as_alone(comm, input, {.linking_length = .03}, world(1000)));
    }
}

TEST_CASE("FoF on ranks: refusals are the same on all") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 100, 7),
                                spread("even", 100, comm.size())};
    auto const refusal = [&](FofOptions const& o) {
        return thrown_by([&] { (void)fof(input.of(comm.rank()), o, world()); });
    };
    CHECK(refusal({.linking_length = -1}).starts_with("InputError: the linking length must be"));
    CHECK(refusal({.linking_length = .1, .box = {.5}}).find("box") != std::string::npos);
    if (comm.size() > 1)
        CHECK(refusal({.linking_length = comm.rank() == 1 ? .2 : .1})
                  .starts_with("InputError: ranks disagree on the linking length (0.1 on rank 0, 0.2"));
}

TEST_CASE("links: names of groups") {
    Comm comm(world());
    GroupLink const links[]{{7, 3}, {900, 1ull << 40}, {3, 12}, {12, 7}, {1ull << 40, 5}};
    GroupNames const names{links};
    for (auto [name, group] : {std::pair<std::uint64_t, std::uint64_t>{3, 3},
                               {7, 3},
                               {12, 3},
                               {5, 5},
                               {900, 5},
                               {1ull << 40, 5},
                               {4, 4},
                               {0, 0}})
        CHECK(names.of(name) == group);
    CHECK(GroupNames().of(8) == 8);
    // A chain, of which each rank knows a link.
    auto const rank = std::uint64_t(comm.rank());
    auto const all = settle_links(comm, {{rank + 1, rank}, {rank, rank + 1}});
    CHECK(all.of(std::uint64_t(comm.size())) == 0);
    CHECK(all.names().size() == std::size_t(comm.size()) + 1);
}
