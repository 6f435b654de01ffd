// Gravity in periodic boxes on ranks, beside Ewald's sums, wherever the ranks walk.
#pragma once
#include <doctest/doctest.h>

#include <vector>

#include "gravity/ewald.hpp"
#include "ranks/input.hpp"
#include "ranks/masses.hpp"

namespace zwalk::test {

/// Kinds of points in a cube, and some in a long box, each in another spread.
/// @param gravity  gravity(own points, options)
template <class T, class F>
void check_periodic(Comm& comm, std::size_t first_turn, F const& gravity) {
    std::uint64_t const seed = comm.broadcast(comm.rank() == 0 ? test_seed() : 0);
    CAPTURE(seed);
    CAPTURE(sizeof(T));
    std::size_t turn = first_turn;
    for (auto const& kind : kinds_on(comm)) {
        ::test::BoxSides const box =
            turn % 3 ? ::test::BoxSides{1.6, 1.6, 1.6} : ::test::BoxSides{2, 3, 4};
        auto const how = spreads()[turn++ % spreads().size()];
        CAPTURE(kind);
        CAPTURE(how);
        CAPTURE(box[2]);
        auto rows = ::test::stretched(::test::make_points<3, T>(kind, 70, seed), box);
        Input<3, T> const input{rows, spread(how, rows.size(), comm.size()), kind};
        Masses const masses(rows.size());
        GravityOptions o{.softening = .01,
                         .accuracy = 1e-3,
                         .box = {box[0], box[1], box[2]},
                         .tree = {.leaf_size = 4, .coarsening = 2, .top_nodes = 3}};
        o.masses = masses.of(input.begin, comm.rank());
        auto const r = all_of(comm, gravity(input.of(comm.rank()), o));
        REQUIRE(r.potentials.size() == rows.size());
        std::vector<::test::DirectSum> exact(rows.size());
        if (comm.rank() == 0) exact = ::test::ewald_sums<T>(input.all(), masses.all, box, o.softening);
        comm.broadcast(std::span(exact));
        ::test::EwaldErrors const e(r, masses.all, box, exact);
        CHECK(e.of_pulls < o.accuracy);
        CHECK(e.potential < 2 * o.accuracy);  // at most .64 accuracies in 40 seeds
    }
}

}  // namespace zwalk::test
