// The tree of one point type: what a walk descends. One type for every place (exec/place.hpp).
//
//   plane P-1   |        0        |        1        |    2    |     coarsest nodes
//                child: 0 3 5 8
//   ...
//   plane 0     | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |                   leaves
//                first: 0 40 81 ... N
//   points      x x x x x x x x x x x x x x x x x                   z-order
//
// All planes have the same depth everywhere; the children of a node are contiguous; a node may be
// its own only child (paper section II-C).
#pragma once
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/exec/device_memory.hpp"
#include "zwalk/exec/place.hpp"

namespace zwalk { inline namespace v0 {

/// What kernels see of a plane. Boxes are tight: coordinate j of node i at lo[j * stride + i].
template <int D, class T>
struct PlaneView {
    pos_t nodes = 0;
    pos_t number = 0;              ///< of the plane in its tree, 0: the leaves
    pos_t const* child = nullptr;  ///< nodes + 1 offsets into the next finer plane (null on plane 0)
    pos_t const* first = nullptr;  ///< nodes + 1 offsets into the points
    T const* lo = nullptr;
    T const* hi = nullptr;
    std::size_t stride = 0;  ///< at least nodes + column_padding

    ZWALK_INLINE T box_lo(int j, pos_t i) const { return lo[std::size_t(j) * stride + i]; }
    ZWALK_INLINE T box_hi(int j, pos_t i) const { return hi[std::size_t(j) * stride + i]; }
    ZWALK_INLINE T const* lo_from(int j, pos_t i) const { return lo + std::size_t(j) * stride + i; }
    ZWALK_INLINE T const* hi_from(int j, pos_t i) const { return hi + std::size_t(j) * stride + i; }
    ZWALK_INLINE pos_t count(pos_t i) const { return first[i + 1] - first[i]; }
};

/// One plane of a tree, with its memory.
template <class T, class P>
struct Plane {
    ArrayOn<P, pos_t> first;  ///< nodes + 1 offsets into the points
    ArrayOn<P, pos_t> child;  ///< nodes + 1 offsets into the next finer plane (empty on plane 0)
    ArrayOn<P, T> lo, hi;     ///< a column of `stride` elements for each axis
    std::size_t stride = 0;

    [[nodiscard]] pos_t nodes() const { return pos_t(first.size()) - 1; }
    /// @param number  of this plane in its tree
    template <int D>
    [[nodiscard]] PlaneView<D, T> view(std::size_t number) const {
        return {nodes(), pos_t(number), child.data(), first.data(), lo.data(), hi.data(), stride};
    }
};

/// Points of one type in z-order and their planes, in the memory of a place P. planes[0] holds the leaves,
/// planes.back() the top nodes. Without points there are no planes.
///
/// The type doesn't depend on the dimension; kernels are compiled for D columns, and get views.
template <class T, class P>
struct Tree {
    int columns = 0;  ///< compiled dimension; columns behind the data's are 0
    ArrayOn<P, T> x;  ///< `columns` columns of `stride` elements, z-order, -0 stored as +0
    std::size_t stride = 0;
    ArrayOn<P, pos_t> input;  ///< input row of the point at each z-order position
    std::vector<Plane<T, P>> planes;

    [[nodiscard]] pos_t size() const { return pos_t(input.size()); }
    template <int D>
    [[nodiscard]] PointColumns<D, T> points() const {
        return {x.data(), stride, size()};
    }
    template <int D>
    [[nodiscard]] PlaneView<D, T> plane(std::size_t p) const {
        return planes[p].template view<D>(p);
    }
};

/// Elements from one column to the next for n used ones: with `column_padding`, and a multiple of
/// 16, so that all columns are aligned alike.
inline std::size_t column_stride(std::size_t n) { return (n + column_padding + 15) / 16 * 16; }

/// How planes are cut. The paper's values are leaf 48, coarsening 8, about 1000 top nodes (where the walk begins
/// with all pairs), f_max 50 over the 90 % smallest nodes.
struct TreeOptions {
    /// N_max of plane 0 (paper eq. 8). 0: 48, or 96 or 192 where leaves would be nearly empty
    /// (fewer than 20 points on average), as those of clustered points are.
    pos_t leaf_size = 0;
    /// c: N_max grows by this factor from plane to plane (eq. 8). 0: 8, or what suits the algorithm; gravity takes 2.
    pos_t coarsening = 0;
    pos_t top_nodes = 64;         ///< stop when a plane has at most this many nodes
    double volume_ratio = 50;     ///< f_max of the regularisation (eq. 10); 0 switches it off
    double volume_fraction = .9;  ///< share of the points whose nodes set the volume scale
};

}}  // namespace zwalk::v0
