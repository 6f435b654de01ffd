// Points as text: one point per line, numbers separated by commas, semicolons or white space.
#pragma once
#include <filesystem>

#include "points.hpp"

namespace zwalk::io {

/// Reads a table of numbers. The first line may name the columns; '#' begins a comment; empty lines
/// are skipped. Numbers are rounded once, to the precision asked for (default f8). All of the file is read, also for a
/// part of its rows.
/// @throws InputError  naming line and column of what is wrong
PointSet read_csv_points(std::filesystem::path const& path, ReadOptions const& options);

}  // namespace zwalk::io
