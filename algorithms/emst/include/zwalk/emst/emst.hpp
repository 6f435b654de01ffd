// Exact Euclidean minimum spanning trees: the public interface, for any place. On ranks it is in the library zwalk::mpi.
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

struct EmstOptions {
    /// 1: Euclidean distances. m > 1: mutual reachability, the largest of the distance of two points and
    /// their core distances; the core distance is that to the m-th neighbour, the point itself counting as
    /// the first. Where there are fewer points all are counted: it is that to the furthest one.
    int min_samples = 1;
    std::vector<double> box{};  ///< empty: open. One period for all axes, or one each; 0 = open axis
    TreeOptions tree{};
};

/// The edges of a minimum spanning tree, shortest first; in the memory of a place P (exec/place.hpp). On MPI ranks (P = Mpi) each has
/// about (N - 1) / ranks of them: those of lower ranks come first.
template <class T, class P = Cpu>
struct EmstResult {
    /// Shape (N - 1, 2), row after row: input indices i < j of the ends. Rows ascend in the order (d2,
    /// smaller z-order position, larger z-order position), where d2 is the squared length.
    ArrayOn<P, index_t> edges;
    ArrayOn<P, T> lengths;  ///< (N - 1,): square roots of d2 in the precision of the points
    /// (N,) in the order of input, on ranks of this rank's rows; empty for min_samples 1, or one point.
    ArrayOn<P, T> core_distances;
    std::uint64_t first_edge = 0;  ///< number of the first of these edges among all; 0 but on ranks
    Stats stats;
};

namespace detail {
struct EmstAlgorithm;
struct EmstCall {
    using Algorithm = EmstAlgorithm;
    using Options = EmstOptions;
    template <class T, class P>
    using Result = EmstResult<T, P>;
};
}  // namespace detail

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
/// Memory: see emst_memory. A memory budget changes nothing on CPUs, where there are no lists. On a GPU for float and D = 3 about 150
/// bytes per point, min_samples beyond 8 add 8 bytes each; and the lists of a walk, which take what is free, or less, and at most the
/// memory budget. On ranks: see emst_rank_memory.
///
/// On MPI ranks each passes its own rows (any number, also none), and the same options: the tree is that of one process, bit for bit.
/// How: ranks/sort.hpp, and the tree of each rank's own points. No other edges than these join two points of one rank in
/// the tree of all. Those that are shorter than every edge to other ranks from one of the parts that they join are surely
/// in it. What is left are parts, some n^(2/3) of n points per rank. Borůvka's rounds join them, in which ranks search for
/// edges between them only; all ranks have a list of all parts, some 100 bytes each. With a GPU for each rank core distances, the
/// trees of the ranks' own points and the searches are there.
///
/// @param points  anything that holds points, and `where` the tree is found: run/where.hpp has the combinations. The result is an
///                EmstResult<T> on the host, an EmstResult<T, CudaDevice> of points (or an index) that are on a GPU, an EmstResult<T, Mpi>
/// @throws InputError  min_samples < 1, coordinates that are not finite (row and column are named), a
///                     dimension other than 1..64, a box smaller than the data's extent, too many points for
///                     one device; no CUDA device, or a build without CUDA; more columns than it was compiled for; an index,
///                     and a box in the options. On ranks, on all of them: rows are named by their number through all ranks; ranks
///                     disagree on an option, or some have GPUs, others threads
/// @throws Error       the device's memory doesn't suffice, or CUDA failed; on all ranks: what failed on one of them
template <class Source, class... Where>
auto emst(Source const& points, EmstOptions const& options = {}, Where const&... where) {
    return detail::call_of<detail::EmstCall>(points, options, where...);
}

/// Bytes that emst() needs beside the input: about 16 to sort, 120 for columns, planes, lists of neighbours, components and edges,
/// and 40 for edges, lengths, core distances and what orders them, per point for float and D = 3; min_samples beyond 8 add 8
/// bytes each. O(1).
/// @throws InputError  more columns than this build has kernels for
Need emst_memory(std::uint64_t points, int dim, std::size_t item_bytes, int min_samples = 1);

/// Bytes that emst() needs beside the input, as emst_memory(), on a rank that has `points` rows and imports half as many
/// points. (For many points in three dimensions it is some tenths; for clustered ones, or few per rank, it has been more:
/// docs/performance/ranks.md.) Parts, 100 bytes for each of all ranks, aren't counted.
/// @throws InputError  as emst_memory()
Need emst_rank_memory(std::uint64_t points, int dim, std::size_t item_bytes, int min_samples = 1);

}}  // namespace zwalk::v0
