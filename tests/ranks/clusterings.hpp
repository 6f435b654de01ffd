// What DBSCAN on ranks is asked wherever their walks are: same(input, options) is whether it finds what one process does.
#pragma once
#include <doctest/doctest.h>

#include <vector>

#include "ranks/input.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "zwalk/dbscan/dbscan.hpp"

namespace zwalk::test {

inline constexpr TreeOptions small_nodes{.leaf_size = 8, .coarsening = 3, .top_nodes = 4};

template <int D, class T, class Same>
void check_kinds(Comm& comm, std::vector<std::size_t> const& sizes, double epsilon, index_t min_samples,
                 Same const& same) {
    for_inputs<D, T>(comm, sizes, D + sizeof(T), [&](auto const& input, std::size_t) {
        DbscanOptions const o{.epsilon = epsilon, .min_samples = min_samples, .tree = small_nodes};
        CHECK(same(input, o));
    });
}

/// Fewer points than ranks or than min_samples, and all or none of them near.
template <class Same>
void check_few_points(Comm& comm, Same const& same) {
    for (std::size_t n : {0, 1, 30})
        for (double epsilon : {0., .2, 100.})
            for (index_t min_samples : {1, 3, 31}) {
                Input<3, float> const input{::test::make_points<3, float>("uniform", n, 2),
                                            spread("even", n, comm.size())};
                DbscanOptions const o{.epsilon = epsilon, .min_samples = min_samples};
                CHECK(same(input, o));
            }
}

/// Border points between clusters, at equal distances.
template <class Same>
void check_crosses(Comm& comm, Same const& same) {
    auto const rows = crosses();
    for (auto const& how : spreads()) {
        CAPTURE(how);
        Input<2, double> const input{rows, spread(how, rows.size(), comm.size())};
        for (index_t const min_samples : {4, 5}) {
            DbscanOptions const o{.epsilon = .75, .min_samples = min_samples, .tree = small_nodes};
            CHECK(same(input, o));
        }
    }
}

}  // namespace zwalk::test
