// Point sets as they come from files, whatever their format.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "columns.hpp"
#include "zwalk/core/buffer.hpp"
#include "zwalk/core/points.hpp"

namespace zwalk::io {

/// The largest number of coordinates of a point.
inline constexpr int max_dim = 64;

enum class Precision { f4, f8 };

/// One of `count` parts of N rows, as equal as can be: [begin(N), end(N)).
struct Part {
    std::uint64_t index = 0, count = 1;

    [[nodiscard]] std::uint64_t begin(std::uint64_t rows) const { return first(rows, index); }
    [[nodiscard]] std::uint64_t end(std::uint64_t rows) const { return first(rows, index + 1); }

  private:
    /// floor(rows i / count), without overflow.
    [[nodiscard]] std::uint64_t first(std::uint64_t rows, std::uint64_t i) const {
        return rows / count * i + rows % count * i / count;
    }
};

/// N points of `dim` coordinates, row after row.
struct PointSet {
    std::variant<Buffer<float>, Buffer<double>> rows;
    std::size_t size = 0;
    std::uint64_t total = 0;  ///< rows of the input, of which these may be a part
    int dim = 0;
    std::vector<double> box;  ///< from the file's header; empty if it has none
    std::string box_note;     ///< why the header gives no box, where one is expected
    std::vector<std::string>
        columns;  ///< names of the columns, where they are known and numbers aren't given instead
    std::vector<std::string> notes;  ///< what the user should know about the file
    std::string stored_as;           ///< number format in the file, e.g. "float32"
    std::uint64_t file_bytes = 0;    ///< of all files; 0 for parts of a snapshot other than the first

    [[nodiscard]] Precision precision() const {
        return rows.index() == 0 ? Precision::f4 : Precision::f8;
    }
    [[nodiscard]] std::size_t item_bytes() const { return rows.index() == 0 ? 4 : 8; }
    [[nodiscard]] std::size_t bytes() const { return size * std::size_t(dim) * item_bytes(); }

    /// The points as the library takes them. T must be the precision that is stored.
    template <class T>
    [[nodiscard]] Points<T> points() const {
        return {std::get<Buffer<T>>(rows).data(), size, dim};
    }
};

/// What one of the files of a snapshot has.
struct FileRows {
    std::uint64_t rows = 0;
    std::uint64_t item_bytes = 0;  ///< of a number; 0: it has no such particles
};

struct ReadOptions {
    std::optional<Precision> precision{};           ///< convert to it; none: as in the file (CSV: f8)
    std::string dataset = "PartType1/Coordinates";  ///< HDF5 only
    Columns columns{};                              ///< those that are coordinates
    Part part{};                                    ///< read these rows alone
    /// rows_of_files(), if it is known: spares opening files of which nothing is read.
    std::vector<FileRows> rows_of_files{};
};

/// What each file of a snapshot in several files has. Empty for all other inputs.
/// @throws InputError  as read_points()
std::vector<FileRows> rows_of_files(std::filesystem::path const& path, ReadOptions const& options = {});

/// Whether the name is that of a text: .csv, .txt, .tsv, .dat, .xyz, .asc or .pts, with .gz behind it or not, or "-".
bool is_text(std::filesystem::path const& path);
/// @throws InputError  points have another number of coordinates
void check_columns(std::filesystem::path const& path, int columns);

/// Reads points; the extension (.npy, .hdf5/.h5, those of is_text()) decides on the format.
/// @throws InputError  for everything that is wrong with the file
PointSet read_points(std::filesystem::path const& path, ReadOptions const& options = {});

}  // namespace zwalk::io
