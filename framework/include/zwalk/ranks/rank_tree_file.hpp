// The tree file of one process (tree/tree_file.hpp), written and read by ranks together.
//
// A rank has a range of the z-order, so some of every column; but it writes, or reads, one range of the file's bytes, whose
// ends are multiples of a MiB, as file systems like it. In between bytes travel:
//
//   file      | header | column 0          | column 1          | ... | rows          | planes | checksum
//   belong to    rank 0  0 0 0 1 1 1 2 2 2   0 0 0 1 1 1 2 2 2         0 0 0 1 1 1 2 2 2   0
//   go to        0 0 0 0 0 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 2 2 2 2 2
//
// The checksum goes from rank to rank, each of which goes through its bytes: some seconds for 1e9 points.
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

#include "zwalk/ranks/sort.hpp"
#include "zwalk/tree/tree_file.hpp"

namespace zwalk { inline namespace v0 {

/// No two ranks write to the same piece of a file of so many bytes.
inline constexpr std::uint64_t tree_file_piece = 1 << 20;

/// Writes the file that write_tree() writes of the points of all ranks and their tree, byte for byte, to `path`, where a file is
/// replaced. If that fails, rank 0 removes it. Planes are cut on rank 0, which needs 7 bytes of memory for each point of all
/// ranks for that. The points travel once. Collective.
/// @param points  at most max_points of them
/// @param tree    of this rank's points, in its columns
/// @param box, options  as write_tree() has them
/// @throws InputError  on all ranks: too many points
/// @throws Error       on all ranks: the file can't be written, or isn't seen by one of them; memory
template <class T>
void write_tree(Comm& comm, Cpu const& cpu, SortedPoints<T> const& points, Tree<T, Cpu> const& tree,
                std::vector<double> const& box, TreeOptions const& options,
                std::filesystem::path const& path, std::uint64_t piece = tree_file_piece);

/// What is in such a file, written by any number of ranks or by one process: of N points and P ranks rank r gets positions
/// [N r / P, N (r + 1) / P) of the z-order, and passes as rows of the input what lies there in the input. Nothing is sorted; nodes
/// of the file, which ranks cut elsewhere, aren't used. The points travel once, and 4 bytes for each. Collective.
/// @param header  gets what stands before the arrays
/// @throws InputError  on all ranks: as read_tree()
template <class T>
SortedPoints<T> read_tree(Comm& comm, std::filesystem::path const& path, TreeHeader& header,
                          std::uint64_t piece = tree_file_piece);

}}  // namespace zwalk::v0
