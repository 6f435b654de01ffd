// A program that uses zwalk from outside.
#include <array>
#include <cmath>
#include <vector>

#include <zwalk/knn/knn.hpp>

int main() {
    std::vector<std::array<float, 3>> const points{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {9, 9, 9}};
    auto const r = zwalk::knn(points, {.k = 2, .box = {10}});  // (9, 9, 9) is near the origin
    return r.indices[7] == 0 && r.distances[7] == std::sqrt(3.f) && r.indices[1] == 1 ? 0 : 1;
}
