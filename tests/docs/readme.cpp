// The C++ of README.md.
#include <doctest/doctest.h>

#include <zwalk/run/cpu.hpp>

#include "support/points.hpp"

// tutorial-begin own
struct Star {
    float light;
};
struct Peaks : zwalk::Types<3, float, Star> {  // which stars outshine all others within a radius?
    static constexpr zwalk::Uses uses{};
    float radius2;
    int* peak;  // the answer, one for each star
    ZWALK_HD zwalk::Decision decide(Node const&, Node const&, Bounds d) const {  // can two boxes meet?
        return d.lo2 <= radius2 ? zwalk::Decision::descend : zwalk::Decision::discard;
    }
    using Fold = int;  // for one star: how many outshine it?
    ZWALK_HD Fold begin(Target const&, State) const { return 0; }
    ZWALK_HD void visit(Fold& brighter, Target const& p, Point const& q, float d2) const {
        brighter += d2 <= radius2 && q.payload.light > p.payload.light;
    }
    ZWALK_HD void end(Fold const& brighter, Target const& p) const { peak[p.index] = brighter == 0; }
};
// tutorial-end own

#include <zwalk/emst/emst.hpp>
#include <zwalk/fof/fof.hpp>
#include <zwalk/knn/knn.hpp>

namespace {

std::vector<std::array<float, 3>> cloud(std::size_t n, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(0, 1);
    std::vector<std::array<float, 3>> points(n);
    for (auto& p : points) p = {uniform(random), uniform(random), uniform(random)};
    return points;
}

}  // namespace

TEST_CASE("README.md: calls") {
    auto const points = cloud(2000, 1), queries = cloud(100, 2);
    // tutorial-begin calls
    auto const near = zwalk::knn(points, {.k = 16});                   // near.indices, near.distances
    auto const groups = zwalk::fof(points, {.linking_length = 0.02});  // groups.labels
    auto const tree = zwalk::emst(points, {}, zwalk::Cpu(4));          // tree.edges; on four threads
    zwalk::Index<float> const index(points, {.box = {1, 1, 1}});       // sorted once, in a periodic box
    auto const five = zwalk::knn(index, queries, {.k = 5});            // asked as often as you like
    // tutorial-end calls
    CHECK(near.indices.size() == 16 * points.size());
    CHECK(near.distances.size() == 16 * points.size());
    CHECK(groups.labels.size() == points.size());
    CHECK(tree.edges.size() == 2 * (points.size() - 1));
    CHECK(tree.lengths.size() == points.size() - 1);
    CHECK(five.indices.size() == 5 * queries.size());
}

TEST_CASE("README.md: an algorithm of one's own") {
    auto const points = cloud(2000, 3);
    std::vector<Star> stars(points.size());
    for (std::size_t i = 0; i < stars.size(); ++i) stars[i].light = float(i * 7919 % 2000);
    float const radius = 0.1f;
    // tutorial-begin run
    zwalk::Cpu place;  // threads; CudaDevice is a GPU, MpiRanks are points spread over MPI ranks
    auto const tree = zwalk::make_tree<3>(place, points);
    Peaks trait;
    trait.radius2 = radius * radius;
    auto const peak = tree.bind(trait.peak);  // memory for the answers
    tree.walk(trait, tree.payload(stars));
    std::vector<int> const peaks = peak.in_input_order();
    // tutorial-end run
    int wrong = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        int outshone = 0;
        for (std::size_t j = 0; j < points.size(); ++j) {
            zwalk::Vec<3, float> const p{points[i][0], points[i][1], points[i][2]},
                q{points[j][0], points[j][1], points[j][2]};
            outshone |= zwalk::distance2(zwalk::Open<3, float>{}, p, q) <= radius * radius &&
                        stars[j].light > stars[i].light;
        }
        wrong += peaks[i] != !outshone;
    }
    CHECK(wrong == 0);
    CHECK(std::count(peaks.begin(), peaks.end(), 1) > 1);
}
