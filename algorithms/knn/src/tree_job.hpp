// kNN among the points of a tree that the caller has built: for algorithms that start from neighbours
// (defined in run.hpp; compiled apart).
#pragma once
#include <vector>

#include "zwalk/knn/knn.hpp"

namespace zwalk::inline v0::detail {

/// Shows `visitor` the neighbours of every point among all of them; rows and indices are z-order
/// positions. The data has `axes` columns; of the options k and exclude_self are looked at. Call inside
/// Cpu::run.
template <int D, class T>
Stats visit_tree(Cpu const& cpu, Tree<T, Cpu> const& tree, int axes, KnnOptions const& options,
                 std::vector<T> const& period, KnnVisitor<T> const& visitor);

}  // namespace zwalk::inline v0::detail
