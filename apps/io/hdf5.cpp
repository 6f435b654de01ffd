#include "hdf5.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>

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
    Handle(Handle const&) = delete;
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

template <class T>
Buffer<T> read_dataset(hid_t dataset, std::size_t count, std::string const& name) {
    Buffer<T> rows(count);
    hid_t const type = sizeof(T) == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    if (count > 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()) < 0)
        throw InputError(fmt::format("cannot read {}: the dataset is damaged", name));
    return rows;
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

void read_header(hid_t file, PointSet& set, std::string const& name) {
    set.box = numbers_of_attribute(file, "Header", "BoxSize");
    if (std::all_of(set.box.begin(), set.box.end(), [](double l) { return l == 0; })) set.box.clear();
    if (!set.box.empty() && set.box.size() != 1 && set.box.size() != std::size_t(set.dim)) {
        set.notes.push_back(
            fmt::format("{}: Header/BoxSize has {} numbers for {} coordinates and "
                        "is not used",
                        name, set.box.size(), set.dim));
        set.box.clear();
    }
    auto const files = numbers_of_attribute(file, "Header", "NumFilesPerSnapshot");
    if (!files.empty() && files[0] > 1)
        set.notes.push_back(
            fmt::format("{} is one of {} files of a snapshot; only its own points "
                        "are read",
                        name, files[0]));
}

}  // namespace

PointSet read_hdf5_points(std::filesystem::path const& path, std::string const& dataset,
                          std::optional<Precision> precision) {
    check_input_file(path);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are reported here, not by the library
    std::string const name = quoted(path), where = fmt::format("{}, dataset '{}'", name, dataset);
    Handle const file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!file) throw InputError(fmt::format("{} is no readable HDF5 file", name));
    if (dataset.empty() || !path_exists(file, dataset))
        throw InputError(
            fmt::format("{} has no dataset '{}' (name another with --dataset)", name, dataset));
    Handle const data(H5Dopen2(file, dataset.c_str(), H5P_DEFAULT), H5Dclose);
    if (!data) throw InputError(fmt::format("{} is no dataset", where));
    Handle const type(H5Dget_type(data), H5Tclose);
    std::size_t const bytes = H5Tget_size(type);
    if (H5Tget_class(type) != H5T_FLOAT || (bytes != 4 && bytes != 8))
        throw InputError(fmt::format("{} holds no float32 or float64", where));

    auto const [rows, columns] = shape_of(data, where);
    PointSet set;
    set.size = rows;
    set.dim = int(columns);
    set.stored_as = bytes == 4 ? "float32" : "float64";
    if (precision.value_or(bytes == 4 ? Precision::f4 : Precision::f8) == Precision::f4)
        set.rows = read_dataset<float>(data, rows * columns, where);
    else set.rows = read_dataset<double>(data, rows * columns, where);
    read_header(file, set, name);
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
