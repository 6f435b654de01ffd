// Radii for tests: one for each target.
#pragma once
#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

namespace test {

/// n of these lengths, as they come; the longest ones are rare.
inline std::vector<double> some_radii(std::vector<double> lengths, std::size_t n, unsigned seed) {
    std::sort(lengths.begin(), lengths.end());
    std::mt19937 random(seed);
    std::uniform_int_distribution<std::size_t> any(0, lengths.size() - 1);
    std::vector<double> radii(n);
    for (double& r : radii) r = lengths[std::min(any(random), any(random))];
    return radii;
}

}  // namespace test
