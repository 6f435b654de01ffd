// DBSCAN: clusters of points in dense places, and noise. The public interface, for any place.
#pragma once
#include <cstdint>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/need.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/run/where.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk { inline namespace v0 {

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

/// Clusters and noise, in the memory of a place P (exec/place.hpp). On MPI ranks (P = Mpi) labels are those of this rank's rows, numbers
/// those of all.
template <class P = Cpu>
struct DbscanResult {
    /// The label of each point: the smallest input index of its cluster's points, border points included; -1 for noise.
    ArrayOn<P, index_t> labels;
    ArrayOn<P, std::uint8_t> core;  ///< for each point: 1 if it is a core point, else 0
    std::size_t clusters = 0;       ///< how many there are
    std::size_t core_points = 0;    ///< how many points are core points
    std::size_t noise = 0;          ///< how many points are in no cluster
    /// Input index of the point at each z-order position. On ranks: of this rank's rows, with Order::z alone.
    ArrayOn<P, RowOn<P>> z_order;
    Stats stats;
};

namespace detail {
struct DbscanAlgorithm;
struct DbscanCall {
    using Algorithm = DbscanAlgorithm;
    using Options = DbscanOptions;
    template <class T, class P>
    using Result = DbscanResult<P>;
};
}  // namespace detail

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
/// Memory: see dbscan_memory; on a GPU device_dbscan_memory(). On ranks: the rank's points twice, what it imports, and as
/// dbscan_memory() of one process.
///
/// On MPI ranks each passes its own rows (any number, also none), and the same options: clusters, core points and noise are those of
/// one process. How: ranks/sort.hpp; three walks over points imported from other ranks, for core points, for groups of these, and for
/// border points (ranks/import.hpp; nodes that lie within epsilon as a whole come as numbers); links between groups of ranks
/// (ranks/detail/links.hpp). The number of collective steps doesn't depend on that of points. Border points go to the ranks of their
/// nearest core points once, 16 bytes each. With a GPU for each rank the walks are there.
///
/// @param points  anything that holds points, and `where` they are clustered: run/where.hpp has the combinations. The result is a
///                DbscanResult<> on the host, a DbscanResult<CudaDevice> of points (or an index) that are on a GPU, a DbscanResult<Mpi>
/// @throws InputError  an epsilon that is negative or not finite, min_samples < 1, coordinates that are not finite (row and
///                     column are named), a dimension other than 1..64, a box smaller than the data's extent, too many
///                     points for one device; no CUDA device, or a build without CUDA; more columns than it was compiled for; an
///                     index, and a box in the options. On ranks, on all of them: rows are named by their number through all ranks;
///                     ranks disagree on an option, or some have GPUs, others threads
/// @throws Error       the device's memory doesn't suffice (refused before work where device_dbscan_memory() predicts so), or CUDA
///                     failed; on all ranks: what failed on one of them
template <class Source, class... Where>
auto dbscan(Source const& points, DbscanOptions const& options, Where const&... where) {
    return detail::call_of<detail::DbscanCall>(points, options, where...);
}

/// Bytes that dbscan() needs beside the input at most, whatever epsilon and min_samples are: about 16 to sort, 74 for trees of all
/// points and of core points and for neighbours of border points, and 13 for labels, core and z-order, per point for float and
/// D = 3. O(1).
/// @throws InputError  more columns than this build has kernels for
Need dbscan_memory(std::uint64_t points, int dim, std::size_t item_bytes);

}}  // namespace zwalk::v0
