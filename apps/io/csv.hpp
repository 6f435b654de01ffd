// Points as text: one point per line, numbers separated by commas, semicolons or white space.
#pragma once
#include <filesystem>
#include <optional>

#include "points.hpp"

namespace zwalk::io {

/// Reads a table of numbers. The first line may name the columns; '#' begins a comment; empty lines
/// are skipped. Numbers are rounded once, to the precision asked for (default f8).
/// @throws InputError  naming line and column of what is wrong
PointSet read_csv_points(std::filesystem::path const& path, std::optional<Precision> precision = {});

}  // namespace zwalk::io
