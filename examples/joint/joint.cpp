// Several sets of points over one hierarchy: gas, stars and dark matter of a made-up galaxy cluster, each against each other.
//
//   joint              made-up points
//
// Prints, for each type, how many of each type there are on average within a radius, and how far the nearest one is. Pairs have
// two ends: as many stars are near gas as gas is near stars, which is checked.
#include <array>
#include <cmath>
#include <cstdio>

#include "traits/radius_count.hpp"
#include "zwalk/run/cpu.hpp"
#include "zwalk/run/joint_trees.hpp"
#include "zwalk/testing/points.hpp"

using namespace zwalk;

namespace {

struct Distance {
    double* of;
    ZWALK_HD void operator()(auto const& point, auto const& found) const {
        found.each([&](int, auto key) { of[point.index] = std::sqrt(double(key.d2)); });
    }
};

}  // namespace

int main() {
    char const* const name[]{"gas", "stars", "dark matter"};
    auto const gas = testing::make_points<3, float>("uniform", 60'000, 1);
    auto const stars = testing::make_points<3, float>("clustered", 20'000, 2);
    auto const dark = testing::make_points<3, float>("uniform", 100'000, 3);

    // tutorial-begin joint
    Cpu place;
    auto const trees = make_joint_trees<3>(place, {}, gas, stars, dark);
    // tutorial-end joint

    size_type pairs[3][3];
    std::printf("within .05 on average, and the mean distance to the nearest one\n%-12s", "");
    for (auto const* type : name) std::printf("  %22s", type);
    for (std::size_t t = 0; t < 3; ++t) {
        std::printf("\n%-12s", name[t]);
        for (std::size_t s = 0; s < 3; ++s) {
            // tutorial-begin against
            examples::RadiusCount<3, float> trait;
            trait.radius2 = .05f * .05f;
            auto const count = trees[t].bind(trait.count);
            if (t == s) trees[t].walk(trait);
            else trees[t].walk_against(trees[s], trait);
            // tutorial-end against
            Distance nearest;
            auto const distance = trees[t].bind(nearest.of, 0);
            if (t == s) trees[t].nearest({.k = 1, .exclude_self = true}, nearest);
            else trees[t].nearest_of(trees[s], {.k = 1}, nearest);
            auto const plus = [](auto a, auto b) { return a + b; };
            pairs[t][s] = trees[t].reduce(count, 0, plus);
            double const points = double(trees[t].size());
            std::printf("  %12.2f %9.5f", double(pairs[t][s]) / points - (t == s),
                        trees[t].reduce(distance, 0, plus) / points);
        }
    }
    std::printf("\n");
    for (std::size_t t = 0; t < 3; ++t)
        for (std::size_t s = 0; s < t; ++s)
            if (pairs[t][s] != pairs[s][t]) return 1;
    return 0;
}
