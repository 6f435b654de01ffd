#include "points.hpp"

#include <fmt/format.h>

#include "csv.hpp"
#include "file.hpp"
#include "hdf5.hpp"
#include "npy.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {
namespace {

PointSet read_by_extension(std::filesystem::path const& path, ReadOptions const& options) {
    check_input_file(path);
    std::string const e = extension_of(path);
    if (e == ".npy") return read_npy_points(path, options.precision);
    if (e == ".csv" || e == ".txt") return read_csv_points(path, options.precision);
    if (e == ".hdf5" || e == ".h5") return read_hdf5_points(path, options.dataset, options.precision);
    throw InputError(
        fmt::format("{}: unknown format; the name must end in .npy, .csv, .txt, "
                    ".hdf5 or .h5",
                    quoted(path)));
}

}  // namespace

PointSet read_points(std::filesystem::path const& path, ReadOptions const& options) {
    PointSet set = read_by_extension(path, options);
    if (set.dim < 1 || set.dim > max_dim)
        throw InputError(fmt::format("{} has {} columns; points have 1 to {} coordinates", quoted(path),
                                     set.dim, max_dim));
    set.file_bytes = std::filesystem::file_size(path);
    return set;
}

}  // namespace zwalk::io
