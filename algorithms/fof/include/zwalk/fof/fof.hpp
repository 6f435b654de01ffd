// Friends-of-friends groups: the public interface.
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
#include "zwalk/tree/extent.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk { inline namespace v0 {

struct FofOptions {
    /// Points no further apart than this are friends; >= 0 and finite, in the unit of the points. It is
    /// rounded to their precision: friends have a distance, the rounded root of d2, <= b (core/within.hpp).
    double linking_length = 0;
    std::vector<double> box{};   ///< empty: open. One period for all axes, or one each; 0 = open axis
    Order order = Order::input;  ///< of the labels
    TreeOptions tree{};          ///< leaf_size 0: chosen for this algorithm
};

/// Groups: the sets of points that chains of friends connect; in the memory of a place P (exec/place.hpp). On MPI ranks (P = Mpi)
/// labels are those of this rank's rows.
template <class P = Cpu>
struct FofResult {
    /// The label of each point: the smallest input index in its group. A point without friends has its own.
    ArrayOn<P, index_t> labels;
    std::size_t groups = 0;  ///< how many there are in all, those of one point included
    /// Input index of the point at each z-order position. On ranks: of this rank's rows, with Order::z alone.
    ArrayOn<P, RowOn<P>> z_order;
    /// For each z-order position: the position of the first point of its group. Not on ranks.
    ArrayOn<P, pos_t> root;
    Stats stats;
};

namespace detail {
struct FofAlgorithm;
struct FofCall {
    using Algorithm = FofAlgorithm;
    using Options = FofOptions;
    template <class T, class P>
    using Result = FofResult<P>;
};
}  // namespace detail

/// Friends-of-friends groups of points of shape (N, D).
///
/// Exact: the connected components of all pairs whose distance is <= b, in the precision T with the distance of
/// core/space.hpp; periodic axes by the nearest image. The same labels for every number of threads and
/// every tree option. O(N log N) to sort; the walk is close to O(N) for D <= 3, however the points
/// are clustered: points of one cell that is smaller than b are never looked at one by one.
///
/// Memory: see fof_memory; on a GPU device_fof_memory(). A memory budget changes nothing on CPUs, where there are no lists. On ranks:
/// the rank's points twice, what it imports, 24 bytes per point.
///
/// On MPI ranks each passes its own rows (any number, also none), and the same options: the groups are those of one process. How:
/// ranks/sort.hpp; points within the linking length of other ranks' points are imported from higher ranks (ranks/import.hpp); each
/// rank's own groups; links between these (ranks/detail/links.hpp), of which all ranks get all that are distinct, some tens of
/// thousands of 1e8 points. With a GPU for each rank its own and imported points are copied to it, and walked on.
///
/// @param points  anything that holds points, and `where` they are grouped: run/where.hpp has the combinations. The result is a
///                FofResult<> on the host, a FofResult<CudaDevice> of points (or an index) that are on a GPU, a FofResult<Mpi>
/// @throws InputError  a linking length that is negative or not finite, coordinates that are not finite
///                     (row and column are named), a dimension other than 1..64, a box smaller than the
///                     data's extent, too many points for one device; no CUDA device, or a build without CUDA; more columns
///                     than it was compiled for; an index, and a box in the options. On ranks, on all of them: rows are named by
///                     their number through all ranks; ranks disagree on an option, or some have GPUs, others threads
/// @throws Error       the device's memory doesn't suffice (refused before work where device_fof_memory() predicts so), or CUDA
///                     failed; on all ranks: what failed on one of them
template <class Source, class... Where>
auto fof(Source const& points, FofOptions const& options, Where const&... where) {
    return detail::call_of<detail::FofCall>(points, options, where...);
}

/// Bytes that fof() and fof_catalogue() need beside the input: about 16 to sort, 22 for columns, levels, planes and links, and at last
/// 34 for labels, z-order and roots beside columns, planes and links, per point for float and D = 3, whatever the linking length. A
/// catalogue's order by groups takes 8 when the columns are gone. In addition a copy of the largest group's coordinates, velocities and masses. O(1).
/// @throws InputError  more columns than this build has kernels for
Need fof_memory(std::uint64_t points, int dim, std::size_t item_bytes);

/// (V / N)^(1/D): the unit of linking lengths in cosmology, where b = 0.2 of it is usual. V is the volume
/// of the box; along open axes, of the points' extent.
/// @throws InputError  no points, or a volume of zero; and as fof()
template <class T>
double mean_spacing(Points<T> points, std::vector<double> const& box = {});
/// mean_spacing() of N points of which this is the extent, and which have been checked. For points that are spread over MPI ranks:
/// the other functions would count those of one rank.
template <class T>
double mean_spacing(Extent<T> const& extent, std::uint64_t points, std::vector<double> const& box = {});
/// mean_spacing() of the points of an index, in its box. O(N D).
template <class T>
double mean_spacing(Index<T> const& index);

template <class Rows>
requires requires(Rows const& r) { Points(r); }
double mean_spacing(Rows const& points, std::vector<double> const& box = {}) {
    return mean_spacing(Points(points), box);
}

extern template double mean_spacing(Points<float>, std::vector<double> const&);
extern template double mean_spacing(Points<double>, std::vector<double> const&);
extern template double mean_spacing(Extent<float> const&, std::uint64_t, std::vector<double> const&);
extern template double mean_spacing(Extent<double> const&, std::uint64_t, std::vector<double> const&);
extern template double mean_spacing(Index<float> const&);
extern template double mean_spacing(Index<double> const&);

}}  // namespace zwalk::v0
