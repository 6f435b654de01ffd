#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "npy.hpp"
#include "output.hpp"

namespace zwalk::io {
namespace {

constexpr std::size_t rows_at_once = 512;

/// f(span) for a column's numbers, of whichever type.
template <class F>
void with_values(Column const& column, F const& f) {
    std::visit(f, column.values);
}

/// The head, and rows_of(begin, end) of all rows.
template <class RowsOf>
void write_table(std::filesystem::path const& path, std::string const& head, std::size_t rows,
                 RowsOf const& rows_of) {
    Writer out(path);
    out.write(head);
    for (std::size_t row = 0; row < rows; row += rows_at_once)
        out.write(rows_of(row, std::min(rows, row + rows_at_once)));
    out.close();
}

}  // namespace

std::string npy_table_head(Table const& table, std::uint64_t rows) {
    std::string descr;
    for (Column const& column : table.columns) {
        bool const whole = column.values.index() == 0;
        descr += fmt::format("('{}', '{}{}'{}), ", column.name, npy_byte_order(), whole ? "i8" : "f8",
                             column.width == 1 ? "" : fmt::format(", ({},)", column.width));
    }
    return npy_header_text("[" + descr + "]", {rows});
}

std::string npy_table_rows(Table const& table, std::size_t begin, std::size_t end) {
    std::string text;
    for (std::size_t row = begin; row < end; ++row)
        for (Column const& column : table.columns)
            with_values(column, [&](auto values) {
                auto const part = std::as_bytes(values.subspan(row * column.width, column.width));
                text.append(reinterpret_cast<char const*>(part.data()), part.size());
            });
    return text;
}

std::string csv_table_head(Table const& table) {
    std::string names;
    for (Column const& column : table.columns)
        for (std::size_t j = 0; j < column.width; ++j)
            names += fmt::format("{}{}{}", names.empty() ? "" : ",", column.name,
                                 column.width == 1 ? "" : fmt::format("_{}", j));
    return names + "\n";
}

std::string csv_table_rows(Table const& table, std::size_t begin, std::size_t end) {
    std::string text;
    for (std::size_t row = begin; row < end; ++row) {
        for (Column const& column : table.columns)
            with_values(column, [&](auto values) {
                for (auto const v : values.subspan(row * column.width, column.width))
                    text += fmt::format("{},", v);
            });
        text.back() = '\n';
    }
    return text;
}

void write_npy_table(std::filesystem::path const& path, Table const& table) {
    write_table(path, npy_table_head(table, table.rows), table.rows,
                [&](std::size_t begin, std::size_t end) { return npy_table_rows(table, begin, end); });
}

void write_csv_table(std::filesystem::path const& path, Table const& table) {
    write_table(path, csv_table_head(table), table.rows,
                [&](std::size_t begin, std::size_t end) { return csv_table_rows(table, begin, end); });
}

void write_table(std::filesystem::path const& path, Table const& table, std::string const& group) {
    if (path.extension() == ".csv") write_csv_table(path, table);
    else if (path.extension() == ".hdf5") write_hdf5_table(path, group, table);
    else write_npy_table(path, table);
}

}  // namespace zwalk::io
