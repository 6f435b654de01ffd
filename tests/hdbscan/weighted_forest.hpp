// Random hierarchies of points with weights.
#pragma once
#include <algorithm>
#include <vector>

#include "hdbscan/definition.hpp"
#include "zwalk/hdbscan/weights.hpp"

namespace test {

/// Many ones, some twos, few heavy ones.
inline std::vector<double> integer_weights(std::size_t n, Random& r) {
    std::vector<double> weights(n);
    for (double& w : weights) w = double(r.below(8) == 0 ? 1 + r.below(9) : 1 + r.below(8) / 6);
    return weights;
}
inline std::vector<double> any_weights(std::size_t n, Random& r) {
    std::vector<double> weights(n);
    for (double& w : weights) w = r.below(8) == 0 ? 6 * r.uniform() + .01 : .3 + r.uniform();
    return weights;
}

/// A random forest, with weights, and core distances that the edges allow: some are those of the nearest edge.
struct Weighted {
    Forest forest;
    Weights weights;
    [[nodiscard]] Linkage linkage() const {
        return with_weights(forest.linkage(), weights.weight, weights.core);
    }
};
inline Weighted weighted_forest(std::size_t n, std::size_t levels, bool zero, std::uint64_t seed,
                                bool integer) {
    Weighted w{random_forest(n, levels, zero, seed), {}};
    Random r(seed + 1000);
    w.weights.weight = integer ? integer_weights(n, r) : any_weights(n, r);
    w.weights.core.assign(n, infinity<double>);
    for (std::size_t e = 0; e < w.forest.lengths.size(); ++e)
        for (index_t const p : {w.forest.edges[2 * e], w.forest.edges[2 * e + 1]}) {
            double& core = w.weights.core[std::size_t(p)];
            core = std::min(core, w.forest.lengths[e]);
        }
    for (double& core : w.weights.core) core *= r.below(3) == 0 ? 1 : r.below(3) == 0 ? 0 : r.uniform();
    return w;
}

}  // namespace test
