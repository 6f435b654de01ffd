// A Gaussian kernel density with a guaranteed error, beside a double loop.
#include "traits/kernel_density.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "zwalk/run/cpu.hpp"
#include "zwalk/run/host_device.hpp"
#include "zwalk/testing/points.hpp"

namespace {

using namespace zwalk;
using Rows = testing::Rows<2, double>;

/// @param length  of the kernel, its standard deviation
template <class Place>
std::vector<double> kernel_density(Place place, Rows const& points, double length, double error) {
    // Small leaves: what is left of the error is spent on pairs of nodes, not of points.
    auto const tree = make_tree<2>(place, points, {.tree = {.leaf_size = 8}});
    auto sum = tree.template array<double>();
    examples::KernelDensity<2, double> trait;
    trait.scale = -.5 / (length * length);
    trait.error = error;
    trait.sources = double(points.size());
    trait.sum = sum.data();
    tree.walk(trait);
    return sum.in_input_order();
}

}  // namespace

int main() {
    constexpr double length = .05, error = 1e-4;
    auto const points = testing::make_points<2, double>("clustered", 4000, 1);
    auto const found = kernel_density(Cpu(2), points, length, error);
    double largest = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        double exact = 0;
        for (auto const& q : points)
            exact += std::exp(-.5 / (length * length) *
                              (std::pow(points[i][0] - q[0], 2) + std::pow(points[i][1] - q[1], 2)));
        largest = std::max(largest, std::abs(found[i] - exact) / double(points.size()));
    }
    bool const same = kernel_density(HostDevice<>(), points, length, error) == found;
    std::printf(
        "densities at %zu points: off by %.1e at most, %.0e is guaranteed; a GPU's work on the host "
        "gives %s\n",
        points.size(), largest, error, same ? "the same" : "OTHERS");
    return largest <= error && same ? 0 : 1;
}
