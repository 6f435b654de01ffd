// Gadget and SWIFT snapshots.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "points.hpp"

namespace zwalk::io {

/// Reads an (N, D) or (N,) dataset of floats, or some of its columns, or, if columns have names, the datasets of these names in its
/// group; and the box from the attribute BoxSize of Header, else of Parameters (one number or one per axis, also as text), if
/// there is one. Where there are no Masses, those of Header/MassTable stand for them.
///
/// A snapshot may be in several files NAME.0.hdf5, NAME.1.hdf5, ..., as many as Header/NumFilesPerSnapshot has. It is
/// read as one if `path` is the first of them, or has a * in place of the number; rows are in the order of the files, of which
/// those that lack the group of the dataset have none.
/// @throws InputError  also when the program was built without HDF5
PointSet read_hdf5_points(std::filesystem::path const& path, ReadOptions const& options);

/// What the dataset is in each of the files that read_hdf5_points() reads.
std::vector<FileRows> rows_of_hdf5_files(std::filesystem::path const& path, ReadOptions const& options);

}  // namespace zwalk::io
