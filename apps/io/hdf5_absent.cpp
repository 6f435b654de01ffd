// Stands in for hdf5.cpp in builds without HDF5.
#include "file.hpp"
#include "hdf5.hpp"
#include "table.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {

PointSet read_hdf5_points(std::filesystem::path const& path, ReadOptions const&) {
    check_input_file(path);
    throw InputError("cannot read " + quoted(path) +
                     ": this build has no HDF5 (configure with -DZWALK_HDF5=ON)");
}

std::vector<FileRows> rows_of_hdf5_files(std::filesystem::path const&, ReadOptions const&) { return {}; }

bool has_hdf5() { return false; }

void write_hdf5_table(std::filesystem::path const& path, std::string const&, Table const&) {
    throw InputError("cannot write " + quoted(path) +
                     ": this build has no HDF5 (configure with -DZWALK_HDF5=ON)");
}

}  // namespace zwalk::io
