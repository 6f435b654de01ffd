// Trees on the host, of one or several point types over one common tree (paper section II-E).
//
//   types:   A a0 a1 a2 ...   B b0 b1 ...          concatenated, z-sorted together
//   joint:   b1 a2 a0 | b0 a1 | a3 ...             one set of planes, cut by the largest count
//   A:          a2 a0 |    a1 | a3 ...             z-order is kept; the planes' cuts move along
//   B:       b1       | b0    |                    nodes without points of a type are dropped
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "zwalk/core/clock.hpp"
#include "zwalk/tree/detail/geometry.hpp"
#include "zwalk/tree/planes.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk { inline namespace v0 {

/// Where the time of a build went.
struct BuildSeconds {
    double sort = 0;      ///< z-sort, columns in z-order
    double planes = 0;    ///< levels, planes, separation of the types
    double geometry = 0;  ///< tight boxes
};

/// Trees of several point types, of shapes (N_t, dim_t), dim_t <= columns, over one common tree: all
/// points are sorted together, a plane's N_max bounds the largest count over the types, and all
/// trees have the same number of planes (none where a type has no points). Nodes without
/// points of a type are missing in its tree, so each one for itself is a nested family of
/// partitions of its points. Points keep their z-order; equal points the order of input, those of
/// earlier types first. -0 is stored as +0, missing columns as 0; they don't change the tree.
///
/// Points must be valid (`check_points`), all together at most `max_points`; throws InputError on
/// invalid options (`check_options`), or if a type has more than `columns` columns or there are too many
/// points. O(N log N); parallel; the result does not depend on the number of threads. `seconds`, if
/// given, is added to.
template <class T>
std::vector<Tree<T, Cpu>> build_joint(Cpu const& cpu, std::span<Points<T> const> types, int columns,
                                      TreeOptions const& options = {}, BuildSeconds* seconds = nullptr);

/// The tree of one set of points, with `columns` >= points.dim columns; see `build_joint`.
template <class T>
Tree<T, Cpu> build_tree(Cpu const& cpu, Points<T> points, int columns, TreeOptions const& options = {},
                        BuildSeconds* seconds = nullptr) {
    return std::move(
        build_joint(cpu, std::span<Points<T> const>(&points, 1), columns, options, seconds).front());
}

namespace detail {

/// Adds planes, as they were cut, with boxes.
template <class T>
void set_planes(Cpu const& cpu, Tree<T, Cpu>& tree, std::vector<CutPlane>&& cuts);

}  // namespace detail
}}  // namespace zwalk::v0
