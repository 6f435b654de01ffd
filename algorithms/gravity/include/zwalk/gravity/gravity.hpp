// Gravity: accelerations and potentials of masses, by a fast multipole method. The public interface.
#pragma once
#include <cstdint>
#include <span>
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

struct GravityOptions {
    /// One for each point, finite and >= 0; empty: 1. A view: it must live until the call returns.
    std::span<double const> masses{};
    /// Plummer's: a mass m at distance r has the potential -m / sqrt(r^2 + softening^2). >= 0; 0: none.
    double softening = 0;
    /// Error of accelerations, relative to their length, that 99 of 100 points keep: from 1e-6 to 0.1, for float from 1e-5, and
    /// ten times these in a periodic box.
    /// Measured, not proved: see algorithms/gravity/README.md.
    double accuracy = 1e-3;
    /// 1 to 5; 0: chosen for this accuracy. A build without the lowest orders (ZWALK_GRAVITY_LEAST_ORDER) takes the least that it
    /// has instead of these.
    int expansion_order = 0;
    /// A source node acts as a whole on a target node if (3 a + b) / 2 is less than this times the gap between them, for
    /// sizes a of the target, at least .7 b, and b of the source: diameters, or more where masses are far from their centre.
    /// 0: by accuracy and order, but no less than 0.3; at most 8.
    double opening = 0;
    /// Period of each of three axes: masses repeat, and a background of the same mean density cancels them, so that the
    /// potential is zero on average. A point's potential has that of its own images. Empty: open space.
    std::vector<double> box{};
    Order order = Order::input;  ///< of accelerations and potentials
    /// A coarsening of 0, the default, is 2; a leaf size of 0 is 32 on threads in open space.
    TreeOptions tree{};
};

/// Accelerations and potentials, in the memory of a place P (exec/place.hpp); on MPI ranks (P = Mpi) of this rank's rows.
template <class T, class P = Cpu>
struct GravityResult {
    std::size_t rows = 0;         ///< points
    std::size_t columns = 0;      ///< their dimension
    ArrayOn<P, T> accelerations;  ///< that of row i at [i * columns, (i + 1) * columns)
    ArrayOn<P, T> potentials;     ///< one for each row
    /// Input index of the point at each z-order position. On ranks: of this rank's rows, with Order::z alone.
    ArrayOn<P, RowOn<P>> z_order;
    int expansion_order = 0;  ///< that was used
    double opening = 0;       ///< that was used
    Stats stats;
};

namespace detail {
struct GravityAlgorithm;
struct GravityCall {
    using Algorithm = GravityAlgorithm;
    using Options = GravityOptions;
    template <class T, class P>
    using Result = GravityResult<T, P>;
};
}  // namespace detail

/// Accelerations and potentials of masses at points of shape (N, D), D from 1 to 3, with G = 1, in open space or (D = 3) a
/// periodic box: of each point by all others. It is the three-dimensional force also for D < 3, as of points in a plane. Two points at the same
/// place don't accelerate each other; without softening their mutual potential, which would be infinite, is left out.
///
/// Approximate, see GravityOptions::accuracy; potentials are more accurate than accelerations. The same bits for every
/// number of threads and every CPU; the options in `tree` change which nodes act as a whole, and so the error within the
/// bounds.
///
/// O(N log N) to sort, O(N) for the walk. Memory beside the input: see gravity_memory; on a GPU device_gravity_memory.
///
/// On a GPU it is as accurate as on CPU threads, but not the same bits, since sums are in another order; expansions are of order 4 or
/// 5, which are those that are chosen by accuracy, in double also for float.
///
/// On MPI ranks each passes its own rows (any number, also none) and their masses, and the same options. As accurate, but not the same
/// bits: ranks cut nodes where their ranges of the z-order end, so other nodes act as a whole. The same bits for the same number of
/// ranks. How: ranks/sort.hpp; nodes of other ranks' trees come with their moments, and points where own leaves meet them
/// (ranks/import.hpp). In a periodic box they come for all images at once, and each rank moves them for itself. Memory of a
/// rank: its points twice, what it imports, and as gravity_memory() of one process.
///
/// @param points  rows, or DevicePoints, whose masses are on the host in the order of the rows; no index. `where` the field is found:
///                run/where.hpp has the combinations. The result is a GravityResult<T> on the host, a GravityResult<T, CudaDevice> of
///                points that are on a GPU, a GravityResult<T, Mpi>
/// @throws InputError  options out of bounds, coordinates that are not finite (row and column are named), another
///                     dimension, too many points for one tree; expansions of order 1 to 3 on a GPU; no CUDA device, or a build
///                     without CUDA. On ranks, on all of them: rows are named by their number through all ranks; ranks disagree on an
///                     option, one of them has no masses, or some have GPUs, others threads
/// @throws Error       the device's memory doesn't suffice (refused before work where device_gravity_memory() predicts so), or
///                     CUDA failed; on all ranks: what failed on one of them
template <class Source, class... Where>
auto gravity(Source const& points, GravityOptions const& options, Where const&... where) {
    constexpr auto kind = detail::kind_of<Source>;
    constexpr bool is_index =
        kind == detail::SourceKind::index || kind == detail::SourceKind::rank_index;
    static_assert(!is_index, "zwalk: gravity has trees of its own, and takes no index: give the points");
    if constexpr (!is_index) return detail::call_of<detail::GravityCall>(points, options, where...);
}

/// Bytes that gravity() needs beside the input at most: 16 to sort, 213 for the tree, expansions, masses and outputs in z-order, and
/// 20 for accelerations, potentials and z-order, per point for float, three columns and order 5. O(1).
Need gravity_memory(std::uint64_t points, int dim, std::size_t item_bytes,
                    GravityOptions const& options);

/// Bytes on the device for so many points beside them, predicted: with as many a walk has enough where points are uniform or
/// clustered, and uses half of them or so at least. Lists that need more are made in pieces; where there is more memory
/// they get more. O(1).
std::uint64_t device_gravity_memory(std::uint64_t points, std::size_t item_bytes,
                                    GravityOptions const& options);

}}  // namespace zwalk::v0
