// A histogram of separations: every pair once, nodes that fall into one bin are counted whole. Against a double loop.
#include "traits/pair_counts.hpp"

#include <cmath>
#include <cstdio>

#include "zwalk/run/cpu.hpp"
#include "zwalk/testing/points.hpp"

int main() {
    using namespace zwalk;
    constexpr int bins = 8;
    auto const points = testing::make_points<3, float>("clustered", 3000, 1);
    Cpu place;
    auto const tree = make_tree<3>(place, points);
    examples::PairCounts<3, float, bins> trait;
    for (int i = 0; i <= bins; ++i) trait.edge2[i] = float(std::pow(.01 * std::pow(2., i), 2));
    auto const found = tree.walk(trait).total;

    size_type expected[bins] = {};
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            Vec<3, float> const a{points[i][0], points[i][1], points[i][2]},
                b{points[j][0], points[j][1], points[j][2]};
            int const bin = trait.bin(distance2(Open<3, float>{}, a, b));
            if (bin >= 0 && bin < bins) ++expected[bin];
        }
    int wrong = 0;
    for (int i = 0; i < bins; ++i) {
        std::printf("%5.2f to %5.2f: %9llu pairs\n", .01 * std::pow(2., i), .01 * std::pow(2., i + 1),
                    static_cast<unsigned long long>(found.pairs[i]));
        wrong += found.pairs[i] != expected[i];
    }
    std::printf("%zu points: %d of %d bins wrong\n", points.size(), wrong, bins);
    return wrong > 0;
}
