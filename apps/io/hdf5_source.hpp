// The points in one HDF5 file.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hdf5_file.hpp"
#include "points.hpp"

namespace zwalk::io {

/// A dataset of float32 or float64 with one or two dimensions.
struct Hdf5Dataset {
    Handle data;
    std::string where;  ///< file and dataset, for messages
    std::uint64_t rows = 0, columns = 0;
    std::size_t item_bytes = 0;

    /// @throws InputError  there is none such; it has been written in part, or not at all
    Hdf5Dataset(hid_t file, std::filesystem::path const& path, std::string const& dataset);

    /// Rows [first, first + rows).
    template <class T>
    void read(std::uint64_t first, std::uint64_t rows, T* to) const;
};

/// Rows of numbers: a dataset, some columns of it, several datasets side by side, or the same number for each particle.
class Hdf5Source {
  public:
    /// @throws InputError  see Hdf5Dataset; also for columns that aren't there
    Hdf5Source(std::filesystem::path const& path, ReadOptions const& options);

    [[nodiscard]] std::uint64_t rows() const { return rows_; }
    [[nodiscard]] std::uint64_t columns() const { return columns_; }
    [[nodiscard]] std::size_t item_bytes() const { return item_bytes_; }
    [[nodiscard]] std::string const& where() const { return where_; }

    template <class T>
    void read(std::uint64_t first, std::uint64_t rows, T* to) const;

  private:
    /// A dataset, and those of its columns that are read; none: all.
    struct Part {
        Hdf5Dataset set;
        std::vector<std::size_t> chosen;
    };
    /// Masses that Header/MassTable has.
    bool take_constant(std::filesystem::path const& path, ReadOptions const& options);

    Handle file_;
    std::vector<Part> parts_;
    std::optional<double> constant_;
    std::string where_;
    std::uint64_t rows_ = 0, columns_ = 0;
    std::size_t item_bytes_ = 0;
};

/// The group of a dataset, with a slash behind it; "" for the root.
std::string group_of(std::string const& dataset);

}  // namespace zwalk::io
