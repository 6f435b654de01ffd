// Clusters and noise by DBSCAN: how many points each cluster has, and that every point is where the definition says. Checked
// against a double loop.
#include "zwalk/dbscan/dbscan.hpp"

#include <array>
#include <cstdio>
#include <map>
#include <random>
#include <vector>

#include "zwalk/core/space.hpp"

namespace {

using Position = std::array<float, 2>;
constexpr float epsilon = .02f;
constexpr zwalk::index_t min_samples = 8;

/// Three round clumps, and points anywhere.
std::vector<Position> make_points() {
    std::mt19937 engine(1);
    std::uniform_real_distribution<float> uniform;
    std::normal_distribution<float> normal(0, .03f);
    std::vector<Position> points;
    for (Position const& centre : {Position{.25f, .25f}, {.75f, .3f}, {.5f, .75f}})
        for (int i = 0; i < 500; ++i)
            points.push_back({centre[0] + normal(engine), centre[1] + normal(engine)});
    for (int i = 0; i < 300; ++i) points.push_back({uniform(engine), uniform(engine)});
    return points;
}

bool are_neighbours(Position const& p, Position const& q) {
    using zwalk::Vec;
    return std::sqrt(distance2(zwalk::Open<2, float>{}, Vec<2, float>{p[0], p[1]},
                               Vec<2, float>{q[0], q[1]})) <= epsilon;
}

/// How many points aren't what they are said to be.
int wrong_points(std::vector<Position> const& points, zwalk::DbscanResult<> const& found) {
    int wrong = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        zwalk::index_t neighbours = 0;
        bool near_own = false, near_core = false,
             near_other = false;  // core points: of its cluster, of any, of others
        for (std::size_t j = 0; j < points.size(); ++j) {
            if (!are_neighbours(points[i], points[j])) continue;
            ++neighbours;
            if (!found.core[j]) continue;
            near_core = true;
            (found.labels[j] == found.labels[i] ? near_own : near_other) = true;
        }
        bool const is_core = neighbours >= min_samples;
        wrong += found.core[i] != is_core;
        wrong += is_core && near_other;                         // they would be one cluster
        wrong += found.labels[i] >= 0 ? !near_own : near_core;  // noise has no core point near it
    }
    return wrong;
}

}  // namespace

int main() {
    auto const points = make_points();
    // tutorial-begin clusters
    auto const found = zwalk::dbscan(points, {.epsilon = epsilon, .min_samples = min_samples});
    std::map<zwalk::index_t, int> size;  // of each cluster, by its label; of noise at -1
    for (zwalk::index_t const label : found.labels) ++size[label];
    // tutorial-end clusters
    for (auto const& [label, n] : size) {
        if (label < 0) std::printf("noise: %d points\n", n);
        else std::printf("cluster of point %d: %d points\n", int(label), n);
    }
    int const wrong = wrong_points(points, found);
    std::printf("%zu clusters, %zu core points, %d wrong\n", found.clusters, found.core_points, wrong);
    return wrong != 0 || found.clusters < 3;
}
