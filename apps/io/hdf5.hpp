// Gadget and SWIFT snapshots.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "points.hpp"

namespace zwalk::io {

/// Reads an (N, D) or (N,) dataset of floats, and the box from the attribute Header/BoxSize (one
/// number or one per axis) if there is one.
/// @throws InputError  also when the program was built without HDF5
PointSet read_hdf5_points(std::filesystem::path const& path, std::string const& dataset,
                          std::optional<Precision> precision = {});

}  // namespace zwalk::io
