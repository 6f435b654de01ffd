// What density peaks on ranks are asked wherever their walks are: same(input, options) is whether they are those of one process.
#pragma once
#include <doctest/doctest.h>

#include <vector>

#include "ranks/input.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "zwalk/peaks/peaks.hpp"

namespace zwalk::test {

template <int D, class T, class Same>
void check_graphs(Comm& comm, std::vector<std::size_t> const& sizes, index_t k, Same const& same) {
    for_inputs<D, T>(comm, sizes, D + sizeof(T), [&](auto const& input, std::size_t) {
        PeaksOptions const o{.k = k, .tree = {.leaf_size = 8, .coarsening = 3, .top_nodes = 4}};
        CHECK(same(input, o));
    });
}

/// Fewer points than ranks or than k.
template <class Same>
void check_few_in_graphs(Comm& comm, Same const& same) {
    for (std::size_t n : {0, 1, 2, 30})
        for (index_t k : {1, 3, 30, 31}) {
            Input<3, float> const input{::test::make_points<3, float>("uniform", n, 2),
                                        spread("even", n, comm.size())};
            CHECK(same(input, PeaksOptions{.k = k}));
        }
}

/// Chains that go through many ranks, and round the box.
template <class Same>
void check_chains(Comm& comm, Same const& same) {
    auto const chain = chain_of(600);
    for (auto const& how : spreads()) {
        CAPTURE(how);
        Input<2, float> const input{chain, spread(how, chain.size(), comm.size())};
        for (index_t k : {2, 20})
            for (std::vector<double> const& box : {std::vector<double>{}, {1}, {1, 0}})
                CHECK(same(input, PeaksOptions{.k = k, .box = box}));
    }
}

}  // namespace zwalk::test
