// Trees on the host of points that come later: cut to fit that of the sources which they will meet.
#pragma once
#include <vector>

#include "zwalk/tree/joint.hpp"

namespace zwalk { inline namespace v0 {

/// Points in z-order as columns of any number: coordinate j of point i at x[j * stride + i].
template <class T>
struct SortedColumns {
    T const* x = nullptr;
    std::size_t stride = 0;
    pos_t size = 0;
};

/// For each point of one z-order, how many of another one come before it on the curve (of equal
/// ones: none). `dim` columns of both are looked at. Parallel, O(n log(m / n + 2)) comparisons for
/// n points among m, each O(dim).
template <class T>
std::vector<pos_t> z_ranks(Cpu const& cpu, SortedColumns<T> points, SortedColumns<T> among, int dim);

/// The tree of points that walk against the existing tree of `sources`, built with the same
/// options; with as many columns. A node holds at most as many points, and spans at most about as many sources, as N_max
/// of its plane allows; so few points in a dense region still make small nodes, and the two
/// trees refine together although the sources' one stays as it is. It has at least as many
/// planes as the sources' one (its top plane is repeated).
///
/// The sources that a node spans are counted from its first point to the next node's: those inside
/// its cell, give or take the two ends. Cuts change the time of a walk only.
///
/// Points of shape (n, dim), valid (`check_points`), dim <= sources.columns; O(n log n) and O(n log(m / n + 2))
/// for m sources; parallel; the result does not depend on the number of threads.
///
/// @param sorted  the points are in z-order already
template <class T>
Tree<T, Cpu> build_targets(Cpu const& cpu, Points<T> points, Tree<T, Cpu> const& sources,
                           TreeOptions const& options = {}, BuildSeconds* seconds = nullptr,
                           bool sorted = false);

}}  // namespace zwalk::v0
