// Counts within a radius by double loops.
#pragma once
#include <array>
#include <vector>

#include "support/points.hpp"
#include "zwalk/core/space.hpp"

namespace test {
using namespace zwalk;

template <int D, class T>
T distance2_of(std::vector<double> const& box, std::array<T, D> const& p, std::array<T, D> const& q) {
    std::array<T, D> lengths{};
    for (std::size_t j = 0; j < D && !box.empty(); ++j) lengths[j] = T(box[box.size() == 1 ? 0 : j]);
    Vec<D, T> a, b;
    for (int j = 0; j < D; ++j) a[j] = p[std::size_t(j)], b[j] = q[std::size_t(j)];
    return distance2(Periodic<D, T>::of(lengths), a, b);
}

/// Sources within `radius2` of each target.
template <int D, class T>
std::vector<size_type> brute_counts(Rows<D, T> const& targets, Rows<D, T> const& sources, T radius2,
                                    std::vector<double> const& box) {
    std::vector<size_type> count(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i)
        for (auto const& q : sources) count[i] += distance2_of<D, T>(box, targets[i], q) <= radius2;
    return count;
}

}  // namespace test
