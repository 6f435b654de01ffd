// How many points lie within a radius of each: nodes that are near enough are counted whole. Against a double loop.
#include "traits/radius_count.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "zwalk/run/cpu.hpp"
#include "zwalk/testing/points.hpp"

int main() {
    using namespace zwalk;
    auto const points = testing::make_points<3, float>("clustered", 3000, 1);
    Cpu place;
    auto const tree = make_tree<3>(place, points);
    auto counts = tree.array<size_type>();
    examples::RadiusCount<3, float> trait;
    trait.radius2 = .05f * .05f;
    trait.count = counts.data();
    tree.walk(trait);
    auto const count = counts.in_input_order();

    int wrong = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        size_type expected = 0;
        for (auto const& q : points) {
            Vec<3, float> const a{points[i][0], points[i][1], points[i][2]}, b{q[0], q[1], q[2]};
            expected += distance2(Open<3, float>{}, a, b) <= trait.radius2;
        }
        wrong += count[i] != expected;
    }
    double const mean =
        double(std::accumulate(count.begin(), count.end(), size_type(0))) / double(count.size());
    std::printf("%zu points: %.1f within 0.05 on average, %llu at most; %d wrong\n", points.size(), mean,
                static_cast<unsigned long long>(*std::max_element(count.begin(), count.end())), wrong);
    return wrong > 0;
}
