// NumPy's .npy files. The format is a short text header before raw numbers, and no packaged C++
// library reads it (Debian and Ubuntu have none), so the header code is written here.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "file.hpp"
#include "output.hpp"
#include "points.hpp"

namespace zwalk::io {

/// A column of an array of records.
struct NpyField {
    std::string name, descr;
    std::uint64_t width = 1;  ///< numbers in it
};

/// The header of a .npy file.
struct NpyHeader {
    std::string descr;             ///< e.g. "<f4"; empty for records
    std::vector<NpyField> fields;  ///< of records
    bool fortran = false;
    std::vector<std::uint64_t> shape;
    std::uint64_t begin = 0;  ///< where the numbers are in the file

    [[nodiscard]] char kind() const { return descr[1]; }  ///< 'f', 'i', 'u', 'b', ...
    [[nodiscard]] std::size_t item_bytes() const;
    [[nodiscard]] bool swapped() const;            ///< not in this machine's byte order
    [[nodiscard]] std::string dtype() const;       ///< as NumPy calls it: "float32", "int64", ...
    [[nodiscard]] std::string shape_text() const;  ///< "(3, 2)"
    [[nodiscard]] std::uint64_t rows() const { return shape[0]; }
    [[nodiscard]] std::uint64_t columns() const { return shape.size() > 1 ? shape[1] : 1; }
};

/// Reads the header of format version 1, 2 or 3.
/// @throws InputError  no .npy file, a header that makes no sense, a dtype of records or objects,
///                     a shape other than (N,) and (N, D), or one that doesn't fit the file's size
NpyHeader read_npy_header(InputFile& file);

/// Reads the header without checks but that of its syntax: of records, too.
NpyHeader scan_npy_header(InputFile& file);

/// A number as it is in a file.
template <class S>
S load_number(unsigned char const* p, bool swapped) {
    unsigned char b[sizeof(S)];
    if (swapped) std::reverse_copy(p, p + sizeof(S), b);
    else std::memcpy(b, p, sizeof(S));
    S s;
    std::memcpy(&s, b, sizeof(S));
    return s;
}

/// Points (N, D), or (N,) as points with one coordinate, or of records the columns that options name. Only f4 and f8.
PointSet read_npy_points(std::filesystem::path const& path, ReadOptions const& options);

/// The columns that the options name of an array of records, whose header has been read. Fields of several numbers are columns
/// name_0, name_1, ..., as in a table that is text.
PointSet read_npy_record_points(InputFile& file, NpyHeader const& header, ReadOptions const& options);

/// One number per row, for colours: any array of numbers with shape (N,), or column `column` of
/// one with shape (N, K). Negative columns count from the end.
std::vector<double> read_npy_column(std::filesystem::path const& path, std::int64_t column);

/// The columns of an array of records that write_npy_table() wrote, with these names.
/// @throws InputError  other columns, or a file that is cut short
std::vector<std::vector<double>> read_npy_records(std::filesystem::path const& path,
                                                  std::vector<std::string> const& names);

/// '<' or '>', as this machine stores numbers.
char npy_byte_order();

/// What a .npy file begins with. `descr`: the dtype as Python text, e.g. "'<f4'" or a list of fields.
std::string npy_header_text(std::string const& descr, std::vector<std::uint64_t> const& shape);

/// Writes an array piece by piece, so that it needs no second copy in memory.
template <class T>
class NpyWriter {
  public:
    NpyWriter(std::filesystem::path const& path, std::vector<std::uint64_t> const& shape);
    /// The next elements in C order.
    void append(std::span<T const> values);
    /// Checks that the array is complete and on its way to the disk.
    void close();

  private:
    Writer out_;
    std::uint64_t left_;  ///< elements that are still to come
};
extern template class NpyWriter<float>;
extern template class NpyWriter<double>;
extern template class NpyWriter<std::int64_t>;
extern template class NpyWriter<std::uint8_t>;

/// A whole array at once. `shape` must have values.size() elements.
template <class T>
void write_npy(std::filesystem::path const& path, std::vector<std::uint64_t> const& shape,
               std::span<T const> values) {
    NpyWriter<T> writer(path, shape);
    writer.append(values);
    writer.close();
}

/// What a .npy file of values T with this shape begins with.
template <class T>
std::string npy_header_of(std::vector<std::uint64_t> const& shape);
extern template std::string npy_header_of<float>(std::vector<std::uint64_t> const&);
extern template std::string npy_header_of<double>(std::vector<std::uint64_t> const&);
extern template std::string npy_header_of<std::int64_t>(std::vector<std::uint64_t> const&);
extern template std::string npy_header_of<std::uint8_t>(std::vector<std::uint64_t> const&);

/// Positions or indices as int64.
void write_npy_indices(std::filesystem::path const& path, std::span<pos_t const> values);

}  // namespace zwalk::io
