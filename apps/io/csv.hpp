// Points as text: one point per line, numbers separated by commas, semicolons or white space.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "points.hpp"
#include "text_format.hpp"

namespace zwalk::io {

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
/// @throws InputError  the file can't be read, or not by ranges of its bytes
TextSlice read_text_slice(std::filesystem::path const& path, Part part);
/// The rows in them; `total` is their number. Precision and columns are the options that count.
/// @param above  lines of the file before them
/// @throws InputError  naming line and column of what is wrong
PointSet rows_of(TextSlice const& slice, std::uint64_t above, ReadOptions const& options);

/// Whether all of it has to be read to find any line: the standard input, and .gz.
bool is_stream(std::filesystem::path const& path);
/// Refuses such a stream on ranks, which can't read its lines each on its own.
/// @throws InputError  always
[[noreturn]] void refuse_ranges(std::filesystem::path const& path);

/// Reads a table of numbers, from a file, from one that gzip has packed, or from the standard input ("-"). The first line may name
/// the columns; '#' begins a comment; empty lines are skipped. Numbers are rounded once, to the precision of the options (default
/// f8). All of the file is read, also for a part of its rows; ranks read slices.
/// @throws InputError  naming line and column of what is wrong
PointSet read_csv_points(std::filesystem::path const& path, ReadOptions const& options);

}  // namespace zwalk::io
