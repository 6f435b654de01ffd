// Densities of particles that are smoothed over the distance to their 32nd neighbour, beside a double loop.
#include "traits/sph_density.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "zwalk/run/cpu.hpp"
#include "zwalk/testing/points.hpp"

namespace {

using namespace zwalk;
using Rows = testing::Rows<3, double>;
constexpr index_t neighbours = 32;

struct TakeLast {
    double* length;
    template <class Found>
    void operator()(auto const& p, Found const& found) const {
        found.each([&](int, Key<double> key) { length[p.index] = std::sqrt(key.d2); });
    }
};

template <bool scatter>
double largest_error(Rows const& points) {
    Cpu place;
    auto const tree = make_tree<3>(place, points, {.box = {1}});
    auto lengths = tree.array(0.);
    tree.nearest({.k = neighbours}, TakeLast{lengths.data()});
    std::vector<examples::Particle<double>> particles;
    for (double const h : lengths.in_input_order()) particles.push_back({h, 1.});
    auto density = tree.array<double>();
    examples::SphDensities<double, scatter> trait;
    trait.density = density.data();
    tree.walk(trait, tree.payload(particles));
    auto const found = density.in_input_order();

    double largest = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < points.size(); ++j) {
            double d2 = 0;
            for (std::size_t a = 0; a < 3; ++a) {
                double const dx = std::abs(points[i][a] - points[j][a]);
                d2 += std::pow(std::min(dx, 1 - dx), 2);
            }
            double h = particles[i].length;
            if (scatter) h = std::max(h, particles[j].length);
            double const r = std::sqrt(d2) / h;
            if (r < 1)
                sum += 21 / (2 * 3.14159265358979) / std::pow(h, 3) * std::pow(1 - r, 4) * (1 + 4 * r);
        }
        largest = std::max(largest, std::abs(found[i] - sum) / sum);
    }
    return largest;
}

}  // namespace

int main() {
    auto const points = testing::make_points<3, double>("uniform", 2000, 1);
    double const gather = largest_error<false>(points), both = largest_error<true>(points);
    std::printf("densities of %zu particles: off by %.0e at most, by the longer of two lengths %.0e\n",
                points.size(), gather, both);
    return gather < 1e-12 && both < 1e-12 ? 0 : 1;
}
