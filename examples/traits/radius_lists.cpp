// Outputs of unknown size by two walks of one's own: one counts, the other one fills. (For lists of sources a list trait is
// less to write: ball_lists.hpp.) Against a double loop.
#include "traits/radius_lists.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include "traits/radius_count.hpp"
#include "zwalk/run/cpu.hpp"
#include "zwalk/testing/points.hpp"

int main() {
    using namespace zwalk;
    auto const points = testing::make_points<2, double>("clustered", 2000, 1);
    double const radius2 = .02 * .02;
    Cpu place;
    auto const tree = make_tree<2>(place, points);
    auto counts = tree.array<size_type>();
    examples::RadiusCount<2, double> count;
    count.radius2 = radius2;
    count.count = counts.data();
    tree.walk(count);

    auto const sizes = counts.in_z_order();
    std::vector<size_type> offset(sizes.size() + 1);
    std::inclusive_scan(sizes.begin(), sizes.end(), offset.begin() + 1);
    std::vector<pos_t> found(offset.back());
    examples::RadiusLists<2, double> fill;
    fill.radius2 = radius2;
    fill.offset = offset.data();
    fill.source = found.data();
    tree.walk(fill);

    // The list of the point at position i holds positions; the rows of both are tree().input's.
    auto const& row = tree.tree().input;
    int wrong = 0;
    for (pos_t i = 0; i < tree.size(); ++i) {
        std::vector<std::size_t> expected, own;
        for (size_type k = offset[i]; k < offset[i + 1]; ++k) own.push_back(row[found[k]]);
        auto const& p = points[row[i]];
        for (std::size_t j = 0; j < points.size(); ++j) {
            Vec<2, double> const a{p[0], p[1]}, b{points[j][0], points[j][1]};
            if (distance2(Open<2, double>{}, a, b) <= radius2) expected.push_back(j);
        }
        std::sort(own.begin(), own.end());
        wrong += own != expected;
    }
    std::printf("%zu points: lists with %zu entries; %d wrong\n", points.size(), found.size(), wrong);
    return wrong > 0;
}
