// Hierarchies of one or several point types over one common tree (paper section II-E).
//
//   types:   A a0 a1 a2 ...   B b0 b1 ...          concatenated, z-sorted together
//   joint:   b1 a2 a0 | b0 a1 | a3 ...             one set of planes, cut by the largest count
//   A:          a2 a0 |    a1 | a3 ...             z-order is kept; the planes' cuts move along
//   B:       b1       | b0    |                    nodes without points of a type are dropped
#pragma once
#include <span>
#include <vector>

#include "zwalk/core/clock.hpp"
#include "zwalk/tree/geometry.hpp"
#include "zwalk/tree/hierarchy.hpp"
#include "zwalk/tree/planes.hpp"

namespace zwalk::inline v0 {

/// Where the time of a build went.
struct BuildSeconds {
    double sort = 0;      ///< z-sort, columns in z-order
    double planes = 0;    ///< levels, planes, separation of the types
    double geometry = 0;  ///< tight boxes
};

/// One type's share of a joint tree.
struct TypeTree {
    std::vector<pos_t> input;      ///< row of each of its points, in z-order
    std::vector<CutPlane> planes;  ///< `first` and `child` only
};

/// A joint tree, not yet with boxes: the types' points in columns and their planes.
template <class T>
struct JointTree {
    std::vector<TypeTree> types;
    std::vector<Buffer<T>> x;         ///< per type: `columns` columns of `stride` elements
    std::vector<std::size_t> stride;  ///< per type
};

/// The part of `build_joint` that does not depend on D; see there.
template <class T>
JointTree<T> build_joint_tree(Cpu const& cpu, std::span<Points<T> const> types, int columns,
                              TreeOptions const& options, BuildSeconds* seconds);

/// Hierarchy of type t of a joint tree, which gives it up; with boxes.
template <int D, class T>
Hierarchy<D, T> take_hierarchy(Cpu const& cpu, JointTree<T>& joint, std::size_t t) {
    Hierarchy<D, T> tree;
    tree.x = std::move(joint.x[t]);
    tree.stride = joint.stride[t];
    tree.input = std::move(joint.types[t].input);
    for (CutPlane& cut : joint.types[t].planes) {
        Plane<D, T>& plane = tree.planes.emplace_back();
        plane.first = std::move(cut.first);
        plane.child = std::move(cut.child);
    }
    set_boxes(cpu, tree);
    return tree;
}

/// Hierarchies of several point types, of shapes (N_t, dim_t), dim_t <= D, over one tree: all
/// points are sorted together, a plane's N_max bounds the largest count over the types, and all
/// hierarchies have the same number of planes (none where a type has no points). Nodes without
/// points of a type are missing in its hierarchy, so each one for itself is a nested family of
/// partitions of its points. Points keep their z-order; equal points the order of input, those of
/// earlier types first. -0 is stored as +0, missing columns as 0; they don't change the tree.
///
/// Points must be valid (`check_points`), all together at most `max_points`; throws InputError on
/// invalid options (`check_options`), or if a type has more than D columns or there are too many
/// points. O(N log N); parallel; the result does not depend on the number of threads. `seconds`, if
/// given, is added to.
template <int D, class T>
std::vector<Hierarchy<D, T>> build_joint(Cpu const& cpu, std::span<Points<T> const> types,
                                         TreeOptions const& options = {},
                                         BuildSeconds* seconds = nullptr) {
    JointTree<T> joint = build_joint_tree(cpu, types, D, options, seconds);
    double const start = now_seconds();
    std::vector<Hierarchy<D, T>> trees;
    for (std::size_t t = 0; t < types.size(); ++t) trees.push_back(take_hierarchy<D, T>(cpu, joint, t));
    if (seconds) seconds->geometry += now_seconds() - start;
    return trees;
}

/// Hierarchy of one set of points; see `build_joint`.
template <int D, class T>
Hierarchy<D, T> build(Cpu const& cpu, Points<T> points, TreeOptions const& options = {},
                      BuildSeconds* seconds = nullptr) {
    return std::move(
        build_joint<D, T>(cpu, std::span<Points<T> const>(&points, 1), options, seconds).front());
}

}  // namespace zwalk::inline v0
