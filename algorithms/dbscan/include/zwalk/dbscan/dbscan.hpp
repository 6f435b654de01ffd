// DBSCAN: clusters of points in dense places, and noise. The public interface.
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

struct DbscanOptions {
    /// Points no further apart than this are neighbours; >= 0 and finite, in the unit of the points. It is rounded to their
    /// precision: neighbours have a distance, the rounded root of d2, <= epsilon, as friends-of-friends have it.
    double epsilon = 0;
    /// Neighbours that make a point a core point, >= 1. The point itself is one of them.
    index_t min_samples = 5;
    std::vector<double> box{};   ///< empty: open. One period for all axes, or one each; 0 = open axis
    Order order = Order::input;  ///< of labels and core
    TreeOptions tree{};          ///< leaf_size 0: chosen for this algorithm
};

/// Clusters and noise, in the memory of a place P (exec/place.hpp).
template <class P = Cpu>
struct DbscanResult {
    /// The label of each point: the smallest input index of its cluster's points, border points included; -1 for noise.
    ArrayOn<P, index_t> labels;
    ArrayOn<P, std::uint8_t> core;  ///< for each point: 1 if it is a core point, else 0
    std::size_t clusters = 0;       ///< how many there are
    std::size_t core_points = 0;    ///< how many points are core points
    std::size_t noise = 0;          ///< how many points are in no cluster
    /// Input index of the point at each z-order position.
    ArrayOn<P, pos_t> z_order;
    Stats stats;
};

/// DBSCAN (Ester et al. 1996) of points of shape (N, D).
///
/// A core point has at least min_samples neighbours within epsilon, itself included. Clusters are the sets of core points
/// that chains of neighbours connect, with their border points: those which are no core points, but have one within epsilon.
/// A border point belongs to the cluster of its nearest core point (ties: of the one that is first in z-order), so that no
/// result depends on the order in which points are looked at. All others are noise.
///
/// Exact: equal to brute force in the precision T with the distance of core/space.hpp; periodic axes by the nearest
/// image. The same bits for every number of threads and every tree option. O(N log N) to sort; the walks are close to O(N)
/// for D <= 3, also where all points are within epsilon of each other: cells that are smaller are taken whole.
///
/// Memory: see dbscan_memory.
///
/// @throws InputError  an epsilon that is negative or not finite, min_samples < 1, coordinates that are not finite (row and
///                     column are named), a dimension other than 1..64, a box smaller than the data's extent, too many
///                     points for one device
template <class T>
DbscanResult<> dbscan(Points<T> points, DbscanOptions const& options, Cpu const& cpu = Cpu());

template <PointRows Rows>
DbscanResult<> dbscan(Rows const& points, DbscanOptions const& options, Cpu const& cpu = Cpu()) {
    return dbscan(Points<RealOf<Rows>>(Points(points)), options, cpu);
}

/// Finds the clusters of points that an index keeps; on a GPU the result stays there. Place, box and tree are the index's.
/// @throws InputError  as dbscan(points), or the options have a box
template <class T, class P>
DbscanResult<P> dbscan(Index<T, P> const& index, DbscanOptions const& options);

extern template DbscanResult<> dbscan(Points<float>, DbscanOptions const&, Cpu const&);
extern template DbscanResult<> dbscan(Points<double>, DbscanOptions const&, Cpu const&);

/// Bytes that dbscan() needs beside the input at most, whatever epsilon and min_samples are: about 16 to sort, 74 for trees of all
/// points and of core points and for neighbours of border points, and 13 for labels, core and z-order, per point for float and
/// D = 3. O(1).
/// @throws InputError  more columns than this build has kernels for
Need dbscan_memory(std::uint64_t points, int dim, std::size_t item_bytes);

}  // namespace zwalk::inline v0
