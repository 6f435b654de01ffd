// HDF5 files that lack something, and what stands for it.
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

class Id {
  public:
    Id(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    Id(Id const&) = delete;
    ~Id() { close_(id_); }
    operator hid_t() const { return id_; }

  private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

/// A file that is being made.
class Maker {
  public:
    explicit Maker(fs::path const& path)
        : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose) {}

    operator hid_t() const { return file_; }
    void attribute(char const* group, char const* name, std::vector<double> const& values) const {
        hsize_t const n = values.size();
        Id const space(H5Screate_simple(1, &n, nullptr), H5Sclose);
        write(group, name, H5T_NATIVE_DOUBLE, space, values.data());
    }
    void text(char const* group, char const* name, std::string const& value, bool variable) const {
        Id const type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
        H5Tset_size(type, variable ? H5T_VARIABLE : value.size());
        char const* const text = value.data();
        write(group, name, type, space, variable ? static_cast<void const*>(&text) : text);
    }
    /// The numbers from `first` on.
    void dataset(char const* name, std::vector<hsize_t> const& shape, double first = 0,
                 hid_t type = H5T_IEEE_F64LE, hid_t created = H5P_DEFAULT, bool written = true) const {
        Id const links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
        H5Pset_create_intermediate_group(links, 1);
        Id const space(H5Screate_simple(int(shape.size()), shape.data(), nullptr), H5Sclose);
        Id const data(H5Dcreate2(file_, name, type, space, links, created, H5P_DEFAULT), H5Dclose);
        std::vector<double> values(std::size_t(H5Sget_simple_extent_npoints(space)));
        std::iota(values.begin(), values.end(), first);
        if (written) H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    }

  private:
    void write(char const* group, char const* name, hid_t type, hid_t space, void const* value) const {
        if (H5Lexists(file_, group, H5P_DEFAULT) <= 0)
            H5Gclose(H5Gcreate2(file_, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        Id const object(H5Oopen(file_, group, H5P_DEFAULT), H5Oclose);
        Id const a(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
        H5Awrite(a, type, value);
    }
    Id file_;
};

constexpr char const* points = "PartType1/Coordinates";

std::vector<double> rows_of(io::PointSet const& set) {
    auto const& b = std::get<Buffer<double>>(set.rows);
    return {b.begin(), b.end()};
}
std::vector<double> from(double first, std::size_t n) {
    std::vector<double> v(n);
    std::iota(v.begin(), v.end(), first);
    return v;
}

/// A virtual dataset of `rows` rows, made of four from a.hdf5 and four from b.hdf5.
void make_virtual(fs::path const& path, hsize_t rows, char const* a = "a.hdf5",
                  char const* b = "b.hdf5") {
    Maker const file(path);
    hsize_t const all[2] = {rows, 3}, part[2] = {4, 3};
    Id const created(H5Pcreate(H5P_DATASET_CREATE), H5Pclose),
        space(H5Screate_simple(2, all, nullptr), H5Sclose),
        from_part(H5Screate_simple(2, part, nullptr), H5Sclose);
    for (hsize_t i = 0; i < 2; ++i) {
        hsize_t const begin[2] = {4 * i, 0};
        H5Sselect_hyperslab(space, H5S_SELECT_SET, begin, nullptr, part, nullptr);
        H5Pset_virtual(created, space, i == 0 ? a : b, points, from_part);
    }
    H5Sselect_all(space);
    file.dataset(points, {rows, 3}, 0, H5T_IEEE_F64LE, created, false);
}

/// Leaves chunks as they are, under a number of our choice.
size_t as_it_is(unsigned, size_t, unsigned const*, size_t bytes, size_t*, void**) { return bytes; }

}  // namespace

TEST_CASE("hdf5: parts of a virtual dataset that aren't there are no zeros") {
    TemporaryDirectory const dir;
    Maker(dir / "a.hdf5").dataset(points, {4, 3});
    Maker(dir / "b.hdf5").dataset(points, {4, 3}, 12);
    make_virtual(dir / "v.hdf5", 8);
    CHECK(rows_of(io::read_points(dir / "v.hdf5")) == from(0, 24));
    make_virtual(dir / "absolute.hdf5", 8, (dir / "a.hdf5").c_str());
    CHECK(rows_of(io::read_points(dir / "absolute.hdf5")) == from(0, 24));
    make_virtual(dir / "hole.hdf5", 9);
    CHECK(says(error_of(dir / "hole.hdf5"), "only 24 of its 27 numbers"));
    // One that stands on the first, which still finds its own parts.
    make_virtual(dir / "deep.hdf5", 8, "a.hdf5", "v.hdf5");
    fs::create_directory(dir / "elsewhere");
    fs::rename(dir / "b.hdf5", dir / "elsewhere/b.hdf5");
    CHECK(says(error_of(dir / "v.hdf5"), "of which 'b.hdf5' is missing"));
    CHECK(says(error_of(dir / "deep.hdf5"), "of which 'b.hdf5' is missing"));
    Maker(dir / "b.hdf5").dataset("PartType2/Coordinates", {4, 3}, 12);
    CHECK(says(error_of(dir / "v.hdf5"), "b.hdf5', dataset 'PartType1/Coordinates' is missing"));
    Maker(dir / "b.hdf5").dataset(points, {3, 3}, 12);
    CHECK(says(error_of(dir / "v.hdf5"), "b.hdf5', dataset 'PartType1/Coordinates' is too short"));
}

TEST_CASE("hdf5: links to what isn't there, and files that are cut short") {
    TemporaryDirectory const dir;
    Maker(dir / "a.hdf5").dataset(points, {4, 3});
    {
        Maker const file(dir / "l.hdf5");
        H5Lcreate_external("a.hdf5", "PartType1", file, "PartType1", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_soft("/PartType1/none", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
    }
    CHECK(rows_of(io::read_points(dir / "l.hdf5")) == from(0, 12));
    CHECK(says(error_of(dir / "l.hdf5", {.dataset = "soft"}), "is a link to '/PartType1/none', which"));
    fs::rename(dir / "a.hdf5", dir / "b.hdf5");
    CHECK(says(error_of(dir / "l.hdf5"), "is a link to 'PartType1' of 'a.hdf5', which isn't there"));
    fs::resize_file(dir / "b.hdf5", fs::file_size(dir / "b.hdf5") - 9);
    CHECK(says(error_of(dir / "b.hdf5"), "but it is truncated, damaged"));
    CHECK(says(error_of(dir.file("c.hdf5", "1 2 3\n")), "is no HDF5 file"));
}

TEST_CASE("hdf5: space that nobody has written to is no zeros") {
    TemporaryDirectory const dir;
    Maker(dir / "a.hdf5").dataset(points, {4, 3}, 0, H5T_IEEE_F64LE, H5P_DEFAULT, false);
    CHECK(says(error_of(dir / "a.hdf5"), "has 4 rows, but nothing has been written"));
    Maker(dir / "b.hdf5").dataset(points, {0, 3}, 0, H5T_IEEE_F64LE, H5P_DEFAULT, false);
    CHECK(io::read_points(dir / "b.hdf5").size == 0);
}

TEST_CASE("hdf5: a filter that isn't there is named") {
    TemporaryDirectory const dir;
    constexpr int zstd = 32015, ours = 40000;
    for (int const id : {zstd, ours}) {
        H5Z_class2_t const filter{H5Z_CLASS_T_VERS, id, 1, 1, "by hand", nullptr, nullptr, as_it_is};
        H5Zregister(&filter);
        Id const created(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        hsize_t const chunk[2] = {2, 3};
        H5Pset_chunk(created, 2, chunk);
        H5Pset_filter(created, id, 0, 0, nullptr);
        Maker(dir / "a.hdf5").dataset(points, {4, 3}, 0, H5T_IEEE_F64LE, created);
        CHECK(rows_of(io::read_points(dir / "a.hdf5")) == from(0, 12));
        H5Zunregister(id);
        std::string const error = error_of(dir / "a.hdf5");
        CHECK(says(error, id == zstd ? "filter Zstd, number 32015" : "filter by hand, number 40000"));
        CHECK(says(error, "h5repack"));
        Maker(dir / "b.hdf5").dataset(points, {4, 3}, 12);
        make_virtual(dir / "v.hdf5", 8);
        CHECK(says(error_of(dir / "v.hdf5"), "a.hdf5', dataset 'PartType1/Coordinates' is packed with"));
    }
}

TEST_CASE(
    "hdf5: the first file of a snapshot may have none of the particles; others may be of another "
    "precision") {
    TemporaryDirectory const dir;
    for (int i = 0; i < 4; ++i) {
        Maker const file(dir / ("s." + std::to_string(i) + ".hdf5"));
        file.attribute("Header", "NumFilesPerSnapshot", {4});
        file.attribute("Header", "BoxSize", {50});
        file.attribute("Header", "MassTable", {0, .5});
        if (i == 1) file.dataset(points, {2, 3}, 0, H5T_IEEE_F32LE);
        if (i == 3) file.dataset(points, {3, 3}, 6);
    }
    auto const set = io::read_points(dir / "s.0.hdf5");
    CHECK(set.precision() == io::Precision::f4);
    CHECK(set.notes.size() == 2);
    CHECK(says(set.notes[1], "s.3.hdf5' is float64, but"));
    io::ReadOptions options{.precision = io::Precision::f8};
    CHECK(rows_of(io::read_points(dir / "s.*.hdf5", options)) == from(0, 15));
    CHECK(io::read_points(dir / "s.0.hdf5", options).notes.size() == 1);
    options.rows_of_files = io::rows_of_files(dir / "s.0.hdf5");
    CHECK(options.rows_of_files.size() == 4);
    for (std::uint64_t i = 0; i < 5; ++i) {
        options.part = {i, 5};
        CHECK(rows_of(io::read_points(dir / "s.0.hdf5", options)) == from(3. * double(i), 3));
    }
    CHECK(rows_of(io::read_points(dir / "s.0.hdf5", {.dataset = "PartType1/Masses"})) ==
          std::vector<double>(5, .5));
    CHECK(says(error_of(dir / "s.0.hdf5", {.dataset = "PartType4/Coordinates"}),
               "s.0.hdf5' has no dataset 'PartType4/Coordinates'"));
    CHECK(says(error_of(dir / "s.2.hdf5"), "s.2.hdf5' has no dataset"));
}

TEST_CASE("hdf5: the box as text, among the parameters, or not at all") {
    TemporaryDirectory const dir;
    auto const read = [&](auto const& write) {
        {
            Maker const file(dir / "a.hdf5");
            file.dataset(points, {4, 3});
            write(file);
        }
        return io::read_points(dir / "a.hdf5");
    };
    using Box = std::vector<double>;
    for (char const* group : {"Header", "Parameters"})
        for (bool const variable : {false, true}) {
            auto const one = read([&](Maker const& f) { f.text(group, "BoxSize", "50.0", variable); });
            CHECK(one.box == Box{50});
            CHECK(one.box_note.empty());
            auto const three =
                read([&](Maker const& f) { f.text(group, "BoxSize", "[5, 6,7 ]", variable); });
            CHECK(three.box == Box{5, 6, 7});
            auto const word = read([&](Maker const& f) { f.text(group, "BoxSize", "5 Mpc", variable); });
            CHECK(word.box.empty());
            CHECK(says(word.box_note, "BoxSize is '5 Mpc', which is no number: open space"));
        }
    CHECK(read([](Maker const& f) { f.attribute("Parameters", "BoxSize", {50}); }).box == Box{50});
    auto const both = read([](Maker const& f) {
        f.attribute("Parameters", "BoxSize", {50});
        f.attribute("Header", "BoxSize", {40});
    });
    CHECK(both.box == Box{40});
    CHECK(says(read([](Maker const&) {}).box_note, "no Header/BoxSize: open space"));
    CHECK(says(read([](Maker const& f) {
                   f.attribute("Header", "BoxSize", {1, 2});
               }).box_note,
               "2 numbers"));
    CHECK(says(read([](Maker const& f) { f.attribute("Header", "BoxSize", {-1}); }).box_note, "length"));
    auto const open = read([](Maker const& f) { f.attribute("Header", "BoxSize", {0}); });
    CHECK(open.box.empty());
    CHECK(open.box_note.empty());
}

TEST_CASE("hdf5: masses of Header/MassTable") {
    TemporaryDirectory const dir;
    {
        Maker const file(dir / "a.hdf5");
        file.attribute("Header", "MassTable", {0, .25, 0});
        file.attribute("Header", "NumPart_ThisFile", {9, 4, 9});
        file.dataset("PartType0/Coordinates", {4, 3});
        file.dataset(points, {4, 3});
        file.dataset("PartType2/Masses", {3}, 5);
    }
    auto const masses = [&](char const* dataset) { return io::ReadOptions{.dataset = dataset}; };
    auto const set = io::read_points(dir / "a.hdf5", masses("PartType1/Masses"));
    CHECK(rows_of(set) == std::vector<double>(4, .25));
    CHECK(set.dim == 1);
    CHECK(rows_of(io::read_points(dir / "a.hdf5", masses("PartType2/Masses"))) == from(5, 3));
    CHECK(says(error_of(dir / "a.hdf5", masses("PartType0/Masses")), "no dataset 'PartType0/Masses'"));
    CHECK(says(error_of(dir / "a.hdf5", masses("PartType7/Masses")), "no dataset"));
}

TEST_CASE("hdf5: columns of a dataset, and datasets side by side") {
    TemporaryDirectory const dir;
    {
        Maker const file(dir / "a.hdf5");
        file.dataset(points, {4, 3});
        file.dataset("PartType1/x", {4}, 10);
        file.dataset("PartType1/y", {4, 1}, 20, H5T_IEEE_F32LE);
        file.dataset("PartType1/short", {3});
    }
    auto const columns = [](char const* text) {
        return io::ReadOptions{.columns = {"--columns", text}};
    };
    CHECK(rows_of(io::read_points(dir / "a.hdf5", columns("3,1"))) ==
          std::vector<double>{2, 0, 5, 3, 8, 6, 11, 9});
    CHECK(rows_of(io::read_points(dir / "a.hdf5", columns("y,x"))) ==
          std::vector<double>{20, 10, 21, 11, 22, 12, 23, 13});
    CHECK(says(error_of(dir / "a.hdf5", columns("4")), "there is no column 4"));
    CHECK(says(error_of(dir / "a.hdf5", columns("x,z")), "no dataset 'PartType1/z'"));
    CHECK(says(error_of(dir / "a.hdf5", columns("x,short")), "has 3 rows, but"));
    CHECK(says(error_of(dir / "a.hdf5", columns("x,1")), "not both"));
}
