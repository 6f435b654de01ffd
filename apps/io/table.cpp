#include "table.hpp"

#include <fmt/format.h>

#include <cstring>

#include "npy.hpp"
#include "output.hpp"

namespace zwalk::io {
namespace {

constexpr std::size_t flush_bytes = std::size_t(1) << 16;

/// f(span) for a column's numbers, of whichever type.
template <class F>
void with_values(Column const& column, F const& f) {
    std::visit(f, column.values);
}

/// put(row, text) for every row; what it appends is written when it has become long.
template <class Put>
void write_rows(Writer& out, std::size_t rows, Put const& put) {
    std::string text;
    for (std::size_t row = 0; row < rows; ++row) {
        put(row, text);
        if (text.size() >= flush_bytes) out.write(text), text.clear();
    }
    out.write(text);
    out.close();
}

}  // namespace

void write_npy_table(std::filesystem::path const& path, Table const& table) {
    std::string descr;
    for (Column const& column : table.columns) {
        bool const whole = column.values.index() == 0;
        descr += fmt::format("('{}', '{}{}'{}), ", column.name, npy_byte_order(), whole ? "i8" : "f8",
                             column.width == 1 ? "" : fmt::format(", ({},)", column.width));
    }
    Writer out(path);
    out.write(npy_header_text("[" + descr + "]", {table.rows}));
    write_rows(out, table.rows, [&](std::size_t row, std::string& text) {
        for (Column const& column : table.columns)
            with_values(column, [&](auto values) {
                auto const part = std::as_bytes(values.subspan(row * column.width, column.width));
                text.append(reinterpret_cast<char const*>(part.data()), part.size());
            });
    });
}

void write_csv_table(std::filesystem::path const& path, Table const& table) {
    Writer out(path);
    std::string names;
    for (Column const& column : table.columns)
        for (std::size_t j = 0; j < column.width; ++j)
            names += fmt::format("{}{}{}", names.empty() ? "" : ",", column.name,
                                 column.width == 1 ? "" : fmt::format("_{}", j));
    out.write(names + "\n");
    write_rows(out, table.rows, [&](std::size_t row, std::string& text) {
        for (Column const& column : table.columns)
            with_values(column, [&](auto values) {
                for (auto const v : values.subspan(row * column.width, column.width))
                    text += fmt::format("{},", v);
            });
        text.back() = '\n';
    });
}

}  // namespace zwalk::io
