// Density peaks: how dense it is at each point, and how far the nearest denser one is. The public interface, for any place.
#pragma once
#include <cstdint>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/need.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/peaks/clusters.hpp"
#include "zwalk/run/where.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk { inline namespace v0 {

struct PeaksOptions {
    /// The density at a point is that out to its k-th neighbour; >= 1. The point itself is the first of them.
    index_t k = 16;
    std::vector<double> box{};  ///< empty: open. One period for all axes, or one each; 0 = open axis
    Order order =
        Order::input;    ///< of radius, delta and nearest_denser. peaks_clusters() is for Order::input
    TreeOptions tree{};  ///< leaf_size 0: chosen for this algorithm
};

/// The decision graph: for each point how dense it is there (`radius`), and how much it stands out (`delta`). In the memory of a
/// place P (exec/place.hpp); on MPI ranks (P = Mpi) of this rank's rows.
template <class T, class P = Cpu>
struct PeaksResult {
    /// Distance to the k-th neighbour: the smaller, the denser. Infinite if there are fewer than k points.
    ArrayOn<P, T> radius;
    ArrayOn<P, T> delta;  ///< distance to the nearest denser point; infinite for the densest of all
    /// That point, as a row of the input; -1 for the densest of all.
    ArrayOn<P, index_t> nearest_denser;
    /// Input index of the point at each z-order position. On ranks: of this rank's rows, with Order::z alone.
    ArrayOn<P, RowOn<P>> z_order;
    Stats stats;
};

namespace detail {
struct PeaksAlgorithm;
struct PeaksCall {
    using Algorithm = PeaksAlgorithm;
    using Options = PeaksOptions;
    template <class T, class P>
    using Result = PeaksResult<T, P>;
};
}  // namespace detail

/// Density peaks (Rodriguez & Laio 2014) of points of shape (N, D): the decision graph, which peaks_clusters() makes clusters of.
///
/// Points are ordered by density: the smaller the distance to the k-th neighbour, the denser, which is the order of k / (V r^D)
/// without its powers; of points with equal distances that of the lower row is denser. For each point the nearest one that is
/// denser is found: of equally near ones the first in z-order.
///
/// Exact: equal to brute force in the precision T with the distance of core/space.hpp; periodic axes by the nearest
/// image. The same bits for every number of threads, every tree option and every place. O(N log N) to sort, O(N k) for the neighbours;
/// the walk to denser points is close to O(N) for D <= 3, since only points that are the densest of a wide neighbourhood look far.
///
/// Memory: see peaks_memory; on a GPU device_peaks_memory(). On ranks: as one process for the rank's points and those that it imports.
///
/// On MPI ranks each passes its own rows (any number, also none), and the same options. Two walks over points imported from other
/// ranks (ranks/import.hpp): to the k nearest, and to denser points, which come with their radii. With a GPU for each rank the walks
/// are there.
///
/// @param points  anything that holds points, and `where` the call runs: run/where.hpp has the combinations. The result is a
///                PeaksResult<T> on the host, a PeaksResult<T, CudaDevice> of points (or an index) that are on a GPU, a PeaksResult<T, Mpi>
/// @throws InputError  k < 1, coordinates that are not finite (row and column are named), a dimension other than 1..64, a box smaller
///                     than the data's extent, too many points for one device; no CUDA device, or a build without CUDA; more columns
///                     than it was compiled for; an index, and a box in the options. On ranks, on all of them: rows are named by
///                     their number through all ranks; ranks disagree on an option, or some have GPUs, others threads
/// @throws Error       the device's memory doesn't suffice (refused before work where device_peaks_memory() predicts so), or CUDA
///                     failed; on all ranks: what failed on one of them
template <class Source, class... Where>
auto density_peaks(Source const& points, PeaksOptions const& options = {}, Where const&... where) {
    return detail::call_of<detail::PeaksCall>(points, options, where...);
}

/// Bytes that density_peaks() needs beside the input: about 16 to sort, 26 for the tree and for an array on its way into the order of the
/// input, and 20 for radius, delta, nearest denser point and z-order, per point for float and D = 3. O(1).
/// @throws InputError  more columns than this build has kernels for
Need peaks_memory(std::uint64_t points, int dim, std::size_t item_bytes);

}}  // namespace zwalk::v0
