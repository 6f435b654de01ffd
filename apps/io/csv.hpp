// Points as text: one point per line, numbers separated by commas, semicolons or white space.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "points.hpp"

namespace zwalk::io {

/// How the rows of a text are written: its first line with content settles the separator, its first row the columns.
struct TextFormat {
    char separator = ' ';     ///< ' ': any run of white space
    std::size_t columns = 0;  ///< 0: there are no rows
    std::uint64_t begin = 0;  ///< behind a byte order mark
    std::uint64_t header =
        ~std::uint64_t(0);  ///< first byte of the line that names the columns, if there is one
};

/// Some lines of a text: those that begin in one of several equal ranges of its bytes.
struct TextSlice {
    std::string name;  ///< of the file, for messages
    std::uint64_t file_bytes = 0;
    TextFormat format{};
    Buffer<char> text{};
    std::uint64_t begin = 0;  ///< byte of the file at which it begins
    std::uint64_t lines = 0;  ///< that end in it
};
/// Reads these lines, and of the others no more than settles the format.
/// @throws InputError  the file can't be read
TextSlice read_text_slice(std::filesystem::path const& path, Part part);
/// The rows in them; `total` is their number.
/// @param above  lines of the file before them
/// @throws InputError  naming line and column of what is wrong
PointSet rows_of(TextSlice const& slice, std::uint64_t above, std::optional<Precision> precision);

/// Reads a table of numbers. The first line may name the columns; '#' begins a comment; empty lines
/// are skipped. Numbers are rounded once, to the precision asked for (default f8). All of the file is read, also for a
/// part of its rows; ranks read slices.
/// @throws InputError  naming line and column of what is wrong
PointSet read_csv_points(std::filesystem::path const& path, ReadOptions const& options);

}  // namespace zwalk::io
