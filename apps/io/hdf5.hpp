// Gadget and SWIFT snapshots.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "points.hpp"

namespace zwalk::io {

/// Reads an (N, D) or (N,) dataset of floats, and the box from the attribute Header/BoxSize (one
/// number or one per axis) if there is one.
///
/// A snapshot may be in several files NAME.0.hdf5, NAME.1.hdf5, ..., as many as Header/NumFilesPerSnapshot says. It is
/// read as one if `path` is the first of them, or has a * in place of the number; rows are in the order of the files.
/// @throws InputError  also when the program was built without HDF5
PointSet read_hdf5_points(std::filesystem::path const& path, ReadOptions const& options);

/// How many rows the dataset has in each of the files that read_hdf5_points() reads.
std::vector<std::uint64_t> rows_of_hdf5_files(std::filesystem::path const& path,
                                              std::string const& dataset);

}  // namespace zwalk::io
