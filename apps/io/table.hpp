// Tables with named columns, as results: .npy (a structured array), .csv, .hdf5 (a dataset per column).
#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace zwalk::io {

/// A column with `width` numbers per row, row after row. The numbers stay the caller's.
struct Column {
    std::string name;
    std::variant<std::span<std::int64_t const>, std::span<double const>> values;
    std::size_t width = 1;
};

struct Table {
    std::size_t rows = 0;
    std::vector<Column> columns;
};

/// numpy.load gives an array of records: a['name'] has shape (rows,), or (rows, width).
void write_npy_table(std::filesystem::path const& path, Table const& table);

/// A line of names, then one per row. Columns of several numbers are name_0, name_1, ...; numbers have as
/// many digits as bring back the same bits.
void write_csv_table(std::filesystem::path const& path, Table const& table);

/// What such files begin with; `rows` is that of the whole table.
std::string npy_table_head(Table const& table, std::uint64_t rows);
std::string csv_table_head(Table const& table);
/// Rows [begin, end) as they are in such files, for writing a table in parts.
std::string npy_table_rows(Table const& table, std::size_t begin, std::size_t end);
std::string csv_table_rows(Table const& table, std::size_t begin, std::size_t end);

/// One dataset per column, in the group `group`.
/// @throws InputError  the program was built without HDF5
void write_hdf5_table(std::filesystem::path const& path, std::string const& group, Table const& table);
/// Whether write_hdf5_table works.
bool has_hdf5();

/// Writes it in the format that the file is named after: .csv, .hdf5 or .npy.
void write_table(std::filesystem::path const& path, Table const& table, std::string const& group = "");

}  // namespace zwalk::io
