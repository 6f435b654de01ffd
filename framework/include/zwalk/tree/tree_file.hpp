// A tree in a file: built once, read by later runs without sorting.
//
//   offset  type        content
//        0  char[8]     "zwalktre"
//        8  u32         version of the format: 1
//       12  u32         0x01020304 in the byte order of the machine, as everything else
//       16  u32         bytes of a coordinate: 4 (float) or 8 (double)
//       20  u32         dim: columns of the points, 1 to 64
//       24  u64         N: points
//       32  u64         B: lengths of the box: 0 (none) or dim
//       40  u64         P: planes; 0 without points
//       48  u64[3]      TreeOptions: leaf_size, coarsening, top_nodes
//       72  f64[2]      TreeOptions: volume_ratio, volume_fraction
//       88  f64[B]      box: period of each axis, 0 on open ones
//           u64[P]      nodes of each plane, leaves first
//           u64         checksum of all that is before
//           T[dim][N]   coordinates in z-order, column by column
//           u32[N]      input row of each point
//           per plane, leaves first:
//             u32[nodes + 1]  first: offsets into the points
//             u32[nodes + 1]  child: offsets into the next finer plane (not for the leaves)
//           u64         checksum of all behind the first one, and of that; both are 0 in an unsealed() stream
//
// Nothing in it depends on the compiled dimensions, and no algorithm: boxes are found again when it
// is read, in a fraction of the time that reading takes.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string_view>
#include <vector>

#include "zwalk/tree/joint.hpp"

namespace zwalk { inline namespace v0 {

/// What is in the file before its arrays.
struct TreeHeader {
    std::uint32_t item_bytes = 0;    ///< of a coordinate
    int dim = 0;                     ///< columns of the points
    std::size_t size = 0;            ///< points
    std::vector<double> box;         ///< a period per axis, 0 on open ones; or empty
    TreeOptions options;             ///< that the planes were cut with
    std::vector<std::size_t> nodes;  ///< of each plane
    std::uint64_t checksum = 0;      ///< of the header itself
};

/// Writes a tree whose points have `dim` columns. `box` is kept for readers: empty,
/// or a period per axis. O(N dim).
/// @throws Error  the stream fails
template <class T>
void write_tree(std::ostream& out, Tree<T, Cpu> const& tree, int dim, std::vector<double> const& box,
                TreeOptions const& options);

/// Writes what stands before the arrays; `checksum` isn't looked at. @return that of what is written
/// @throws Error  the stream fails
std::uint64_t write_tree_header(std::ostream& out, TreeHeader const& header);

/// Reads what stands before the arrays, from a stream whose size can be found.
/// @throws InputError  it was not written by write_tree on such a machine, in this version of the
///                     format; or is truncated or corrupted
TreeHeader read_tree_header(std::istream& in);

/// Throws InputError unless the arrays behind `header`, where the stream is, are all of it, with coordinates of this size.
void check_tree_arrays(std::istream& in, TreeHeader const& header, std::size_t item_bytes);

/// Throws the InputError for a file that can't have been written by write_tree.
[[noreturn]] void corrupted_tree_file(std::string_view what);

/// Reads the arrays behind `header` into `columns` columns (missing ones are 0), and finds the boxes. Sizes are compared with
/// what is left of the stream before memory is allocated, and everything that a walk relies on is checked: planes are
/// nested partitions, `input` is a permutation, coordinates are finite. (That the points are in z-order is left to the checksum.)
/// @throws InputError  another T; truncated or corrupted, or more behind the end
template <class T>
Tree<T, Cpu> read_tree(Cpu const& cpu, std::istream& in, TreeHeader const& header, int columns);

}}  // namespace zwalk::v0
