#include "points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "csv.hpp"
#include "file.hpp"
#include "hdf5.hpp"
#include "npy.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {
namespace {

bool is_hdf5(std::filesystem::path const& path) {
    std::string const e = extension_of(path);
    return e == ".hdf5" || e == ".h5";
}

PointSet read_by_extension(std::filesystem::path const& path, ReadOptions const& options) {
    if (is_hdf5(path)) return read_hdf5_points(path, options);
    if (is_standard_input(path)) return read_csv_points(path, options);
    check_input_file(path);
    if (extension_of(path) == ".npy") return read_npy_points(path, options);
    if (is_text(path)) return read_csv_points(path, options);
    throw InputError(
        fmt::format("{}: unknown format; the name must end in .npy, .hdf5 or .h5, or, as a text, in "
                    ".csv, .txt, .tsv, .dat, .xyz, .asc or .pts (and .gz)",
                    quoted(path)));
}

}  // namespace

bool is_text(std::filesystem::path const& path) {
    if (is_standard_input(path)) return true;
    static constexpr std::array texts{".csv", ".txt", ".tsv", ".dat", ".xyz", ".asc", ".pts"};
    std::string const last = extension_of(path), e = last == ".gz" ? extension_of(path.stem()) : last;
    return std::find(texts.begin(), texts.end(), e) != texts.end();
}

void check_columns(std::filesystem::path const& path, int columns) {
    if (columns < 1 || columns > max_dim)
        throw InputError(fmt::format("{} has {} columns; points have 1 to {} coordinates",
                                     name_of_input(path), columns, max_dim));
}

PointSet read_points(std::filesystem::path const& path, ReadOptions const& options) {
    PointSet set = read_by_extension(path, options);
    check_columns(path, set.dim);
    if (!options.columns.all()) set.columns = options.columns.names();
    return set;
}

std::vector<FileRows> rows_of_files(std::filesystem::path const& path, ReadOptions const& options) {
    if (!is_hdf5(path)) return {};
    auto rows = rows_of_hdf5_files(path, options);
    return rows.size() > 1 ? rows : std::vector<FileRows>();
}

}  // namespace zwalk::io
