// Exact Euclidean minimum spanning trees: the public interface.
#pragma once
#include <cstdint>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/need.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/run/index.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk::inline v0 {

struct EmstOptions {
    /// 1: Euclidean distances. m > 1: mutual reachability, the largest of the distance of two points and
    /// their core distances; the core distance is that to the m-th neighbour, the point itself counting as
    /// the first. Where there are fewer points all are counted: it is that to the furthest one.
    int min_samples = 1;
    std::vector<double> box{};  ///< empty: open. One period for all axes, or one each; 0 = open axis
    TreeOptions tree{};
};

/// The edges of a minimum spanning tree, shortest first; in the memory of a place P (exec/place.hpp).
template <class T, class P = Cpu>
struct EmstResult {
    /// Shape (N - 1, 2), row after row: input indices i < j of the ends. Rows ascend in the order (d2,
    /// smaller z-order position, larger z-order position), where d2 is the squared length.
    ArrayOn<P, index_t> edges;
    ArrayOn<P, T> lengths;         ///< (N - 1,): square roots of d2 in the precision of the points
    ArrayOn<P, T> core_distances;  ///< (N,) in the order of input; empty for min_samples 1, or one point
    Stats stats;
};

/// The minimum spanning tree of all pairs of points, of shape (N, D).
///
/// Exact and unique: of all spanning trees the least one in the order above, in the precision T with the
/// distance of core/space.hpp; periodic axes by the nearest image. The same bits for every number of
/// threads and every tree option. O(N log N) to sort, close to O(N) beyond that for D <= 3, however
/// the points are clustered.
///
/// Borůvka's rounds, begun on lists of nearest neighbours (a point's nearest neighbour outside its
/// component is the first one listed), ended by walks: March, Ram & Gray 2010; Prokopenko et al. 2022.
///
/// Memory: see emst_memory. A memory budget changes nothing on CPUs, where there are no lists.
///
/// @throws InputError  min_samples < 1, coordinates that are not finite (row and column are named), a
///                     dimension other than 1..64, a box smaller than the data's extent, too many points for
///                     one device.
template <class T>
EmstResult<T> emst(Points<T> points, EmstOptions const& options = {}, Cpu const& cpu = Cpu());

template <class Rows>
requires requires(Rows const& r) { Points(r); }
auto emst(Rows const& points, EmstOptions const& options = {}, Cpu const& cpu = Cpu()) {
    return emst(Points(points), options, cpu);
}

/// emst() of points that an index keeps; on a GPU the result stays there. Place, box and tree are the index's.
/// @throws InputError  as emst(points), or the options have a box
template <class T, class P>
EmstResult<T, P> emst(Index<T, P> const& index, EmstOptions const& options = {});

extern template EmstResult<float> emst(Points<float>, EmstOptions const&, Cpu const&);
extern template EmstResult<double> emst(Points<double>, EmstOptions const&, Cpu const&);

/// Bytes that emst() needs beside the input: about 16 to sort, 120 for columns, planes, lists of neighbours, components and edges,
/// and 40 for edges, lengths, core distances and what orders them, per point for float and D = 3; min_samples beyond 8 add 8
/// bytes each. O(1).
/// @throws InputError  more columns than this build has kernels for
Need emst_memory(std::uint64_t points, int dim, std::size_t item_bytes, int min_samples = 1);

}  // namespace zwalk::inline v0
