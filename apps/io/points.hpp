// Point sets as they come from files, whatever their format.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/points.hpp"

namespace zwalk::io {

/// The largest number of coordinates of a point.
inline constexpr int max_dim = 64;

enum class Precision { f4, f8 };

/// N points of `dim` coordinates, row after row.
struct PointSet {
    std::variant<Buffer<float>, Buffer<double>> rows;
    std::size_t size = 0;
    int dim = 0;
    std::vector<double> box;         ///< from the file's header; empty if it has none
    std::vector<std::string> notes;  ///< what the user should know about the file
    std::string stored_as;           ///< number format in the file, e.g. "float32"
    std::uint64_t file_bytes = 0;

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

struct ReadOptions {
    std::optional<Precision> precision{};           ///< convert to it; none: as in the file (CSV: f8)
    std::string dataset = "PartType1/Coordinates";  ///< HDF5 only
};

/// Reads points; the extension (.npy, .csv/.txt, .hdf5/.h5) says in which format.
/// @throws InputError  for everything that is wrong with the file
PointSet read_points(std::filesystem::path const& path, ReadOptions const& options = {});

}  // namespace zwalk::io
