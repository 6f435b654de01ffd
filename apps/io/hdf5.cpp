#include "hdf5.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <utility>

#include "file.hpp"
#include "table.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {
namespace {

/// An HDF5 identifier that closes itself.
class Handle {
  public:
    using Closer = herr_t (*)(hid_t);
    Handle(hid_t id, Closer close) : id_(id), close_(close) {}
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle const&) = delete;
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    operator hid_t() const { return id_; }
    explicit operator bool() const { return id_ >= 0; }

  private:
    hid_t id_;
    Closer close_;
};

/// H5Oexists_by_name and H5Lexists fail when a group on the way is missing, so each is asked for.
bool path_exists(hid_t file, std::string const& path) {
    for (std::size_t at = path.find_first_not_of('/'); at < path.size();) {
        std::size_t const end = std::min(path.find('/', at), path.size());
        if (H5Lexists(file, path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
        at = path.find_first_not_of('/', end);
    }
    return true;
}

std::vector<double> numbers_of_attribute(hid_t file, char const* group, char const* name) {
    if (!path_exists(file, group)) return {};
    Handle const object(H5Oopen(file, group, H5P_DEFAULT), H5Oclose);
    if (!object || H5Aexists(object, name) <= 0) return {};
    Handle const attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
    Handle const space(H5Aget_space(attribute), H5Sclose);
    hssize_t const n = H5Sget_simple_extent_npoints(space);
    if (n < 1 || n > max_dim) return {};
    std::vector<double> values(static_cast<std::size_t>(n));
    if (H5Aread(attribute, H5T_NATIVE_DOUBLE, values.data()) < 0) return {};
    return values;
}

/// Shape as (rows, columns).
std::pair<hsize_t, hsize_t> shape_of(hid_t dataset, std::string const& where) {
    Handle const space(H5Dget_space(dataset), H5Sclose);
    int const rank = H5Sget_simple_extent_ndims(space);
    if (rank != 1 && rank != 2)
        throw InputError(fmt::format("{} has {} dimensions; zwalk takes (N, D) or (N,)", where, rank));
    hsize_t shape[2] = {0, 1};
    H5Sget_simple_extent_dims(space, shape, nullptr);
    if (shape[1] < 1 || shape[1] > hsize_t(max_dim))
        throw InputError(
            fmt::format("{} has {} columns; points have 1 to {} coordinates", where, shape[1], max_dim));
    return {shape[0], shape[1]};
}

/// Header/NumFilesPerSnapshot, or 1.
std::size_t files_of_snapshot(hid_t file) {
    auto const files = numbers_of_attribute(file, "Header", "NumFilesPerSnapshot");
    return !files.empty() && files[0] > 1 && files[0] < 1e6 ? std::size_t(files[0]) : 1;
}

/// Locks of files, which some file systems of clusters don't have, are for those who write.
Handle open_file(std::filesystem::path const& path) {
    check_input_file(path);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are reported here, not by the library
    Handle const access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 12, 0))
    H5Pset_file_locking(access, false, true);
#endif
    hid_t const file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
    if (file < 0) throw InputError(fmt::format("{} is no readable HDF5 file", quoted(path)));
    return {file, H5Fclose};
}

/// Points in one file.
class Source {
  public:
    Source(std::filesystem::path const& path, std::string const& dataset)
        : Source(open_file(path), path, dataset) {}

    [[nodiscard]] hid_t file() const { return file_; }
    [[nodiscard]] std::uint64_t rows() const { return shape_.first; }
    [[nodiscard]] std::uint64_t columns() const { return shape_.second; }
    [[nodiscard]] Precision precision() const {
        return item_bytes_ == 4 ? Precision::f4 : Precision::f8;
    }
    [[nodiscard]] std::string const& where() const { return where_; }

    template <class T>
    void read(std::uint64_t first, std::uint64_t rows, T* to) const {
        Handle const all(H5Dget_space(data_), H5Sclose);
        hsize_t const begin[2] = {first, 0}, count[2] = {rows, columns()};
        H5Sselect_hyperslab(all, H5S_SELECT_SET, begin, nullptr, count, nullptr);
        Handle const here(H5Screate_simple(H5Sget_simple_extent_ndims(all), count, nullptr), H5Sclose);
        hid_t const type = sizeof(T) == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
        if (H5Dread(data_, type, here, all, H5P_DEFAULT, to) < 0)
            throw InputError(fmt::format("cannot read {}: the dataset is damaged", where_));
    }

  private:
    Source(Handle&& file, std::filesystem::path const& path, std::string const& dataset)
        : file_(std::move(file)),
          data_(open_dataset(file_, quoted(path), dataset)),
          where_(fmt::format("{}, dataset '{}'", quoted(path), dataset)) {
        if (!data_) throw InputError(fmt::format("{} is no dataset", where_));
        Handle const type(H5Dget_type(data_), H5Tclose);
        item_bytes_ = H5Tget_size(type);
        if (H5Tget_class(type) != H5T_FLOAT || (item_bytes_ != 4 && item_bytes_ != 8))
            throw InputError(fmt::format("{} holds no float32 or float64", where_));
        shape_ = shape_of(data_, where_);
    }
    static Handle open_dataset(hid_t file, std::string const& name, std::string const& dataset) {
        if (dataset.empty() || !path_exists(file, dataset))
            throw InputError(
                fmt::format("{} has no dataset '{}' (name another with --dataset)", name, dataset));
        return {H5Dopen2(file, dataset.c_str(), H5P_DEFAULT), H5Dclose};
    }

    Handle file_, data_;
    std::string where_;
    std::size_t item_bytes_ = 0;
    std::pair<hsize_t, hsize_t> shape_;
};

/// The names of a snapshot's files, which differ by a number.
class FileNames {
  public:
    explicit FileNames(std::filesystem::path const& path) : folder_(path.parent_path()) {
        std::string const name = path.filename().string(), zero = ".0" + path.extension().string();
        auto const star = name.find('*');
        std::error_code ec;
        if (star != name.npos && !std::filesystem::exists(path, ec)) {
            starred_ = numbered_ = true;
            before_ = name.substr(0, star);
            after_ = name.substr(star + 1);
        } else if (name.ends_with(zero)) {
            numbered_ = true;
            after_ = path.extension().string();
            before_ = name.substr(0, name.size() - after_.size() - 1);
        } else {
            after_ = name;
        }
    }
    [[nodiscard]] std::filesystem::path file(std::size_t i) const {
        return folder_ / (before_ + (numbered_ ? std::to_string(i) : "") + after_);
    }
    /// How many there are, by the header of the first.
    [[nodiscard]] std::size_t count(hid_t first) const {
        std::size_t const n = numbered_ ? files_of_snapshot(first) : 1;
        if (starred_ && n == 1)
            throw InputError(fmt::format(
                "{}: Header/NumFilesPerSnapshot doesn't say that there are more files like it",
                quoted(file(0))));
        return n;
    }

  private:
    std::filesystem::path folder_;
    std::string before_, after_;
    bool starred_ = false, numbered_ = false;
};

/// Rows in file `i` > 0. A file has no group of a kind of particles of which it has none.
std::uint64_t rows_in(std::filesystem::path const& path, std::string const& dataset) {
    auto const group = dataset.substr(0, dataset.rfind('/') + 1);
    if (group.find_first_not_of('/') != group.npos && !path_exists(open_file(path), group)) return 0;
    return Source(path, dataset).rows();
}

std::vector<std::uint64_t> rows_of_all(FileNames const& names, Source const& first,
                                       std::string const& dataset) {
    std::vector<std::uint64_t> rows{first.rows()};
    for (std::size_t i = 1, n = names.count(first.file()); i < n; ++i)
        rows.push_back(rows_in(names.file(i), dataset));
    return rows;
}

void read_header(hid_t file, PointSet& set, std::string const& name, std::size_t files_read) {
    set.box = numbers_of_attribute(file, "Header", "BoxSize");
    if (std::all_of(set.box.begin(), set.box.end(), [](double l) { return l == 0; })) set.box.clear();
    if (!set.box.empty() && set.box.size() != 1 && set.box.size() != std::size_t(set.dim)) {
        set.notes.push_back(
            fmt::format("{}: Header/BoxSize has {} numbers for {} coordinates and "
                        "is not used",
                        name, set.box.size(), set.dim));
        set.box.clear();
    }
    if (auto const files = files_of_snapshot(file); files > 1)
        set.notes.push_back(
            files_read > 1
                ? fmt::format("{} is the first of {} files of a snapshot; all of them are read", name,
                              files)
                : fmt::format("{} is one of {} files of a snapshot; only its own points are read (the "
                              "first, NAME.0.hdf5, stands for all)",
                              name, files));
}

/// Rows of the part that is asked for, from the files that have them.
template <class T>
Buffer<T> read_rows(FileNames const& names, Source const& first, ReadOptions const& options,
                    std::vector<std::uint64_t> const& rows_of_files, std::uint64_t total) {
    std::uint64_t const begin = options.part.begin(total), end = options.part.end(total),
                        columns = first.columns();
    Buffer<T> rows((end - begin) * columns);
    std::uint64_t file_begin = 0;
    for (std::size_t i = 0; i < rows_of_files.size(); ++i) {
        std::uint64_t const file_end = file_begin + rows_of_files[i];
        std::uint64_t const from = std::max(begin, file_begin), to = std::min(end, file_end);
        auto const read = [&](Source const& source) {
            if (source.columns() != columns || source.rows() != rows_of_files[i])
                throw InputError(fmt::format("{} has shape ({}, {}), but ({}, {}) is expected",
                                             source.where(), source.rows(), source.columns(),
                                             rows_of_files[i], columns));
            source.read(from - file_begin, to - from, rows.data() + (from - begin) * columns);
        };
        if (from < to && i == 0) read(first);
        else if (from < to) read(Source(names.file(i), options.dataset));
        file_begin = file_end;
    }
    return rows;
}

}  // namespace

std::vector<std::uint64_t> rows_of_hdf5_files(std::filesystem::path const& path,
                                              std::string const& dataset) {
    FileNames const names(path);
    return rows_of_all(names, Source(names.file(0), dataset), dataset);
}

PointSet read_hdf5_points(std::filesystem::path const& path, ReadOptions const& options) {
    FileNames const names(path);
    Source const first(names.file(0), options.dataset);
    auto const rows = options.rows_of_files.empty() ? rows_of_all(names, first, options.dataset)
                                                    : options.rows_of_files;
    PointSet set;
    for (std::uint64_t const n : rows) set.total += n;
    set.size = options.part.end(set.total) - options.part.begin(set.total);
    set.dim = int(first.columns());
    set.stored_as = first.precision() == Precision::f4 ? "float32" : "float64";
    if (options.precision.value_or(first.precision()) == Precision::f4)
        set.rows = read_rows<float>(names, first, options, rows, set.total);
    else set.rows = read_rows<double>(names, first, options, rows, set.total);
    for (std::size_t i = 0; i < rows.size() && options.part.index == 0; ++i)
        set.file_bytes += std::filesystem::file_size(names.file(i));
    read_header(first.file(), set, quoted(names.file(0)), rows.size());
    return set;
}

bool has_hdf5() { return true; }

void write_hdf5_table(std::filesystem::path const& path, std::string const& group, Table const& table) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    auto const need = [&](bool ok) {
        if (!ok) throw Error(fmt::format("cannot write {}: HDF5 failed (disk full?)", quoted(path)));
    };
    Handle const file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    need(bool(file));
    Handle const where(H5Gcreate2(file, group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    need(bool(where));
    for (Column const& column : table.columns) {
        hsize_t const shape[2] = {table.rows, column.width};
        Handle const space(H5Screate_simple(column.width == 1 ? 1 : 2, shape, nullptr), H5Sclose);
        hid_t const type = column.values.index() == 0 ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
        Handle const data(
            H5Dcreate2(where, column.name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
            H5Dclose);
        need(bool(data));
        void const* const values =
            std::visit([](auto v) { return static_cast<void const*>(v.data()); }, column.values);
        if (table.rows > 0) need(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    }
    need(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
}

}  // namespace zwalk::io
