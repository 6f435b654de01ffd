// Tables as HDF5 files.
#include <fmt/format.h>

#include "file.hpp"
#include "hdf5_file.hpp"
#include "table.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {

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
