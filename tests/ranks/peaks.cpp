// Density peaks of points that are spread over ranks: the decision graph and the cuts of one process with all points.
#include <doctest/doctest.h>

#include "ranks/alone.hpp"
#include "ranks/decision_graphs.hpp"
#include "ranks/input.hpp"
#include "ranks/ranks.hpp"
#include "zwalk/peaks/peaks.hpp"
#include "zwalk/run/rank_index.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

template <int D, class T>
bool same_peaks_as_alone(Comm& comm, Input<D, T> const& input, PeaksOptions const& o,
                         Mpi const& mpi = world()) {
    return same_peaks(comm, input, o, [&](Points<T> own, PeaksOptions const& asked) {
        return density_peaks(own, asked, mpi, Cpu(asked.order == Order::z ? 2 : 1));
    });
}

/// For checks that threads and devices share.
auto same_peaks_on(Comm& comm) {
    return [&](auto const& input, PeaksOptions const& o) { return same_peaks_as_alone(comm, input, o); };
}

}  // namespace

TEST_CASE("density peaks on ranks: every kind of points and spread") {
    Comm comm(world());
    check_graphs<3, float>(comm, {2, 400}, 5, same_peaks_on(comm));
    check_graphs<3, float>(comm, {300}, 40, same_peaks_on(comm));
    check_graphs<2, double>(comm, {300}, 4, same_peaks_on(comm));
    check_few_in_graphs(comm, same_peaks_on(comm));
    check_chains(comm, same_peaks_on(comm));
}

TEST_CASE("density peaks on ranks: many points, short messages, an index") {
    Comm comm(world());
    for (auto const* kind : {"uniform", "clustered"}) {
        Input<3, float> const input{::test::make_points<3, float>(kind, 20000, 7),
                                    spread("uneven", 20000, comm.size())};
        CHECK(same_peaks_as_alone(comm, input, {.k = 8}));
        CHECK(same_peaks_as_alone(comm, input, {.k = 20}, world(1000)));
        RankIndex<float> const index(input.of(comm.rank()), {}, world(), Cpu(1));
        CHECK(density_peaks(index, {.k = 8}).delta ==
              density_peaks(input.of(comm.rank()), {.k = 8}, world(), Cpu(1)).delta);
    }
}

TEST_CASE("density peaks on ranks: cuts are those of one process") {
    Comm comm(world());
    for (auto const* kind : {"clustered", "grid"})
        for (std::size_t n : {0, 1, 900}) {
            CAPTURE(kind);
            CAPTURE(n);
            Input<2, double> const input{::test::make_points<2, double>(kind, n, 7),
                                         spread("uneven", n, comm.size())};
            auto const alone = density_peaks(input.all(), {.k = 7}, Cpu(1));
            auto const own = density_peaks(input.of(comm.rank()), {.k = 7}, world(), Cpu(1));
            for (PeaksCut const& cut : {PeaksCut{.clusters = 5}, PeaksCut{.min_delta = .05},
                                        PeaksCut{.clusters = 2, .max_radius = 1e-9}}) {
                auto const expected = peaks_clusters(alone, cut);
                auto const found = peaks_clusters(own, cut, world(), Cpu(1));
                CHECK(found.centres == expected.centres);
                REQUIRE(found.labels.size() == own.radius.size());
                auto const first = input.begin[std::size_t(comm.rank())];
                CHECK(
                    same_bits(found.labels.data(), expected.labels.data() + first, found.labels.size()));
            }
        }
}

TEST_CASE("density peaks on ranks: refusals are the same on all") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 100, 7),
                                spread("even", 100, comm.size())};
    auto const own = input.of(comm.rank());
    auto const refusal = [&](PeaksOptions const& o) {
        return thrown_by([&] { (void)density_peaks(own, o, world()); });
    };
    CHECK(refusal({.k = 0}) == "InputError: k must be at least 1, but is 0");
    auto const graph = density_peaks(own, {.k = 3}, world());
    CHECK(thrown_by([&] {
              (void)peaks_clusters(graph, {}, world());
          }).starts_with("InputError: say which points are centres"));
    auto odd = density_peaks(own, {.k = 3}, world());
    if (comm.rank() == comm.size() - 1) odd.delta = Buffer<float>(1);
    CHECK(thrown_by([&] {
              (void)peaks_clusters(odd, {.clusters = 2}, world());
          }).find("they must be as many") != std::string::npos);
    if (comm.size() == 1) return;
    CHECK(refusal({.k = comm.rank() == 1 ? 4 : 3})
              .starts_with("InputError: ranks disagree on k (3 on rank 0, 4"));
    CHECK(thrown_by([&] {
              (void)peaks_clusters(graph, {.clusters = 1 + comm.rank()}, world());
          }).starts_with("InputError: ranks disagree on clusters (1 on rank 0, 2"));
}
