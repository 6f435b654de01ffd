// An input of which every rank has a part.
#pragma once
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "ranks/spreads.hpp"
#include "support/points.hpp"
#include "zorder/morton.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/ranks/comm.hpp"

namespace zwalk::test {

/// All rows of an input, and how they are spread.
template <int D, class T>
struct Input {
    ::test::Rows<D, T> rows;
    std::vector<std::size_t> begin;
    std::string kind{};  ///< of for_inputs()

    [[nodiscard]] Points<T> all() const { return Points<T>(rows); }
    [[nodiscard]] Points<T> of(int rank) const { return rows_of(rows, begin, rank); }
};

/// A curve through the unit square, of points with the same step on the first axis: so groups of them go through many ranks.
inline ::test::Rows<2, float> chain_of(int points) {
    ::test::Rows<2, float> chain;
    for (int i = 0; i < points; ++i)
        chain.push_back({float(i) / float(points), .5f + .4f * std::sin(float(i) / 30)});
    return chain;
}

/// Two dense crosses in each cell of a lattice, and a point half-way between them.
inline ::test::Rows<2, double> crosses() {
    ::test::Rows<2, double> rows;
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
            for (double const x : {0., 2.}) {
                double const left = 10 * i + x, y = 10 * j;
                rows.insert(rows.end(),
                            {{left, y}, {left + .5, y}, {left - .5, y}, {left, y + .5}, {left, y - .5}});
                if (x > 0) rows.push_back({left - 1, y});
            }
    return rows;
}

/// Kinds of points for a number of ranks. One rank has all of them, more have every second one, for time: 2 and 8 ranks those that
/// 3 and 5 leave out. With ZWALK_TEST_ALL in the environment all have all.
inline std::vector<std::string> kinds_on(Comm const& comm) {
    auto const all = ::test::plain_kinds();  // ranks/units.cpp has others
    if (comm.size() == 1 || std::getenv("ZWALK_TEST_ALL")) return {all.begin(), all.end()};
    std::vector<std::string> some;
    for (std::size_t i = std::size_t(comm.size() % 2); i < all.size(); i += 2) some.push_back(all[i]);
    return some;
}

/// f(input, turn) for kinds of points and all sizes, each in another spread: turns are first_turn, first_turn + 1, ...
template <int D, class T, class F>
void for_inputs(Comm& comm, std::vector<std::size_t> const& sizes, std::size_t first_turn, F const& f) {
    std::uint64_t const seed = comm.broadcast(comm.rank() == 0 ? test_seed() : 0);
    CAPTURE(seed);
    std::size_t turn = first_turn;
    for (auto const& kind : kinds_on(comm))
        for (std::size_t const n : sizes) {
            auto const how = spreads()[turn % spreads().size()];
            CAPTURE(kind);
            CAPTURE(n);
            CAPTURE(how);
            f(Input<D, T>{::test::make_points<D, T>(kind, n, seed), spread(how, n, comm.size()), kind},
              turn++);
        }
}

}  // namespace zwalk::test
