#include "xyz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "file.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {
namespace {

using Fields = std::vector<std::string_view>;

Fields fields_of(std::string_view line) {
    Fields fields;
    if (!line.empty())
        each_field(line, ' ', [&](std::size_t, std::string_view f) { fields.push_back(f); });
    return fields;
}

bool is_number(std::string_view field) {
    double unused;
    return parse_field(field, unused) == ParsedNumber::ok;
}

std::optional<std::uint64_t> whole_number(std::string_view field) {
    std::uint64_t n = 0;
    auto const r = std::from_chars(field.data(), field.data() + field.size(), n);
    return r.ec == std::errc() && r.ptr == field.data() + field.size() ? std::optional(n) : std::nullopt;
}

/// `Symbol x y z`, and more behind it; or an atomic number for the symbol, where the line above is no row of numbers, too.
bool is_atom(Fields const& row, Fields const& above) {
    if (row.size() < 4 || !std::all_of(row.begin() + 1, row.begin() + 4, is_number)) return false;
    char const first = row[0][0];
    if ((first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z')) return !is_number(row[0]);
    auto const element = whole_number(row[0]);
    bool const numbers =
        above.size() == row.size() && std::all_of(above.begin(), above.end(), is_number);
    return element && *element >= 1 && *element <= 118 && !numbers;
}

/// Notes what the comment of extended XYZ has on columns and the box.
void heed_comment(TextFormat& format, std::string_view comment, std::string const& name) {
    auto const properties = comment.find("Properties=");
    if (properties != comment.npos &&
        comment.substr(properties + 11).find("species:S:1:pos:R:3") > 1)  // behind a quote at most
        format.unclear = fmt::format(
            "{}: its Properties say that columns 2 to 4 are no positions; say which are (--columns)",
            name);
    if (comment.find("Lattice=") != comment.npos)
        format.notes.push_back(fmt::format(
            "{}: the Lattice of its comment isn't read; give --box if it is periodic", name));
}

}  // namespace

std::optional<TextFormat> xyz_format(std::string_view text, TextFormat format, std::uint64_t begin,
                                     bool whole, bool& more, std::string const& name) {
    std::array<std::string_view, 3> lines;
    std::size_t at = 0, third = 0;
    for (auto& line : lines) {
        std::size_t const end = std::min(text.find(format.line_end, at), text.size());
        more = end == text.size() && !whole;
        if (more || at >= text.size()) return {};
        third = at;
        line = trim(text.substr(at, end - at));
        at = end + 1;
    }
    auto const atoms = whole_number(lines[0]);
    Fields const row = fields_of(lines[2]);
    if (!atoms || !is_atom(row, fields_of(lines[1]))) return {};
    format.separator = ' ';
    format.columns = row.size();
    format.names = {"species", "x", "y", "z"};
    format.names.resize(row.size());
    format.rows_begin = begin + third;
    format.atoms = *atoms;
    heed_comment(format, lines[1], name);
    return format;
}

std::string note_behind_frame(std::string_view line, TextFormat const& format, std::string const& name) {
    if (fields_of(line).size() == 1 && whole_number(line))
        return fmt::format("{}: its first frame is read, of several", name);
    throw InputError(
        fmt::format("{}: its first line says {} atoms, but more follow", name, *format.atoms));
}

}  // namespace zwalk::io
