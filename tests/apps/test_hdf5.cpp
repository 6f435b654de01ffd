// Points of snapshots, in one file and in several.
#include <doctest/doctest.h>
#include <hdf5.h>

#include <numeric>

#include "io/hdf5.hpp"
#include "reading.hpp"
#include "support/temporary.hpp"
#include "zwalk/core/error.hpp"

using namespace zwalk;
using tests::error_of;
using tests::says;
using tests::TemporaryDirectory;
namespace fs = std::filesystem;

namespace {

void write_number(hid_t object, char const* name, double value) {
    hid_t const space = H5Screate(H5S_SCALAR);
    hid_t const attribute = H5Acreate2(object, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value);
    H5Aclose(attribute);
    H5Sclose(space);
}

/// One of `files` files: its points are the numbers from 3 * first on. Without points it has no group for them.
void write_file(fs::path const& path, int files, int first, int rows, int columns = 3) {
    hid_t const file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t const header = H5Gcreate2(file, "Header", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    write_number(header, "BoxSize", 50);
    write_number(header, "NumFilesPerSnapshot", files);
    H5Gclose(header);
    if (rows > 0) {
        hsize_t const shape[2] = {hsize_t(rows), hsize_t(columns)};
        std::vector<float> values(shape[0] * shape[1]);
        std::iota(values.begin(), values.end(), float(3 * first));
        hid_t const group = H5Gcreate2(file, "PartType1", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        hid_t const space = H5Screate_simple(2, shape, nullptr);
        hid_t const data = H5Dcreate2(group, "Coordinates", H5T_IEEE_F32LE, space, H5P_DEFAULT,
                                      H5P_DEFAULT, H5P_DEFAULT);
        H5Dwrite(data, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        H5Dclose(data);
        H5Sclose(space);
        H5Gclose(group);
    }
    H5Fclose(file);
}

/// Files of 4, 0, 1 and 5 rows.
void write_snapshot(TemporaryDirectory const& dir) {
    write_file(dir / "s.0.hdf5", 4, 0, 4);
    write_file(dir / "s.1.hdf5", 4, 4, 0);
    write_file(dir / "s.2.hdf5", 4, 4, 1);
    write_file(dir / "s.3.hdf5", 4, 5, 5);
}

/// Whether these are the numbers from 3 * begin up to 3 * end.
template <class T>
bool are_rows(io::PointSet const& set, std::uint64_t begin, std::uint64_t end) {
    std::vector<T> expected(3 * (end - begin));
    std::iota(expected.begin(), expected.end(), T(3 * begin));
    auto const& rows = std::get<Buffer<T>>(set.rows);
    return set.size == end - begin &&
           std::equal(rows.begin(), rows.end(), expected.begin(), expected.end());
}

std::vector<std::uint64_t> rows_of(std::vector<io::FileRows> const& files) {
    std::vector<std::uint64_t> rows;
    for (auto const& file : files) rows.push_back(file.rows);
    return rows;
}

}  // namespace

TEST_CASE("hdf5: the first file of a snapshot, or a *, stands for all") {
    TemporaryDirectory const dir;
    write_snapshot(dir);
    for (char const* name : {"s.0.hdf5", "s.*.hdf5"}) {
        CAPTURE(name);
        auto const set = io::read_points(dir / name);
        CHECK(are_rows<float>(set, 0, 10));
        CHECK(set.total == 10);
        CHECK(set.box == std::vector<double>{50});
        CHECK(set.file_bytes > fs::file_size(dir / "s.0.hdf5") + fs::file_size(dir / "s.3.hdf5"));
        CHECK(set.notes.size() == 1);
        CHECK(rows_of(io::rows_of_files(dir / name)) == std::vector<std::uint64_t>{4, 0, 1, 5});
    }
    auto const one = io::read_points(dir / "s.3.hdf5");
    CHECK(are_rows<float>(one, 5, 10));
    CHECK(says(one.notes.at(0), "only its own points"));
    CHECK(io::rows_of_files(dir / "s.3.hdf5").empty());
}

TEST_CASE("hdf5: parts are rows of all files together") {
    TemporaryDirectory const dir;
    write_snapshot(dir);
    for (std::uint64_t count : {1, 2, 3, 4, 7, 13})
        for (std::uint64_t i = 0; i < count; ++i) {
            CAPTURE(count);
            CAPTURE(i);
            io::ReadOptions options{.part = {i, count}};
            CHECK(are_rows<float>(io::read_points(dir / "s.0.hdf5", options), 10 * i / count,
                                  10 * (i + 1) / count));
            options.precision = io::Precision::f8;
            options.rows_of_files = {{4, 4}, {}, {1, 4}, {5, 4}};
            CHECK(are_rows<double>(io::read_points(dir / "s.0.hdf5", options), 10 * i / count,
                                   10 * (i + 1) / count));
        }
    // A file of which nothing is read needn't be there if its rows are known.
    fs::remove(dir / "s.3.hdf5");
    CHECK(
        are_rows<float>(io::read_points(dir / "s.0.hdf5",
                                        {.part = {1, 4}, .rows_of_files = {{4, 4}, {}, {1, 4}, {5, 4}}}),
                        2, 5));
}

TEST_CASE("hdf5: what is wrong with one of several files") {
    TemporaryDirectory const dir;
    write_snapshot(dir);
    write_file(dir / "s.2.hdf5", 4, 4, 1, 2);
    CHECK(
        says(error_of(dir / "s.0.hdf5"), "s.2.hdf5', dataset 'PartType1/Coordinates' has shape (1, 2)"));
    fs::remove(dir / "s.2.hdf5");
    CHECK(says(error_of(dir / "s.0.hdf5"), "s.2.hdf5': No such file"));
    write_file(dir / "t.0.hdf5", 1, 0, 4);
    CHECK(are_rows<float>(io::read_points(dir / "t.0.hdf5"), 0, 4));
    CHECK(says(error_of(dir / "t.*.hdf5"), "NumFilesPerSnapshot"));
    CHECK(says(error_of(dir / "u.*.hdf5"), "u.0.hdf5': No such file"));
}
