// mission.hpp on MPI ranks, wherever these walk: what the programs for threads and for GPUs share. Include the places first.
#pragma once
#include <cstdio>
#include <functional>
#include <span>
#include <vector>

#include "mission/compare.hpp"

namespace zwalk::examples {

/// @param place  an MpiRanksOn
/// @returns  on all ranks, how much differs
template <class Ranks>
int differences_on(Ranks& place, char const* name) {
    // A program of yours would read its own part from a file.
    auto const points = clumps(2000);
    auto const rank = std::size_t(place.rank()), ranks = std::size_t(place.size());
    std::size_t const begin = points.size() * rank / ranks, end = points.size() * (rank + 1) / ranks;
    auto const tree =
        make_tree<3>(place, Points<float>(points[begin].data(), end - begin, 3), {.box = {1}});
    auto const all_of = [&]<class V>(std::vector<V> const& own) {
        auto const all = place.comm().gather_all(std::span<V const>(own)).records;
        return std::vector<V>(all.begin(), all.end());
    };
    int const wrong = place.comm().reduce_all(differences(tree, points, begin, all_of), std::plus<>());
    if (rank == 0)
        std::printf(
            "%zu ranks, %s: neighbours, groups and spanning trees of %zu points, %d differences\n",
            ranks, name, points.size(), wrong);
    return wrong;
}

}  // namespace zwalk::examples
