#include "text_format.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "columns.hpp"
#include "file.hpp"
#include "real_text.hpp"
#include "xyz.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {
namespace {

using namespace std::string_view_literals;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

char separator_of(std::string_view line) {
    for (char c : {',', ';'})
        if (line.find(c) != line.npos) return c;
    return ' ';
}

using Fields = std::vector<std::string_view>;

Fields fields_of(std::string_view line, char separator) {
    Fields fields;
    each_field(line, separator, [&](std::size_t, std::string_view f) { fields.push_back(f); });
    return fields;
}

/// Names of columns: no field is a number. (One name among numbers is a mistake to report.)
bool are_names(Fields const& fields) {
    double unused;
    return std::all_of(fields.begin(), fields.end(),
                       [&](auto f) { return parse_field(f, unused) == ParsedNumber::not_a_number; }) &&
           std::any_of(fields.begin(), fields.end(), [](auto f) { return !f.empty(); });
}

/// 0, 1, 2, ..., behind an empty field or not: how pandas calls columns without names.
bool are_counted(Fields const& fields) {
    std::size_t const unnamed = fields[0].empty();
    for (std::size_t i = unnamed; i < fields.size(); ++i)
        if (fields[i] != std::to_string(i - unnamed)) return false;
    return fields.size() > 1;
}

bool is_whole(std::string_view field) {
    return !field.empty() && field.find_first_not_of("+-0123456789") == field.npos;
}

std::vector<std::string> without_quotes(Fields const& fields) {
    std::vector<std::string> names;
    for (auto f : fields) {
        if (f.size() > 1 && (f[0] == '"' || f[0] == '\'') && f.back() == f[0])
            f = f.substr(1, f.size() - 2);
        names.emplace_back(f);
    }
    return names;
}

/// The names in the comment right above the first row, as NumPy writes them.
std::vector<std::string> names_in_comment(std::string_view above, TextFormat const& format) {
    if (!above.empty()) above.remove_suffix(1);  // the end of the line
    std::size_t const end_before = above.rfind(format.line_end);
    auto line = trim(end_before == above.npos ? above : above.substr(end_before + 1));
    if (!line.starts_with('#')) return {};
    line = trim(line.substr(1));
    auto const fields = fields_of(line, format.separator);
    return !line.empty() && fields.size() == format.columns && are_names(fields)
               ? without_quotes(fields)
               : std::vector<std::string>();
}

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

void check_encoding(std::string_view text, std::string const& name) {
    bool const four = text.starts_with("\xff\xfe\0\0"sv) || text.starts_with("\0\0\xfe\xff"sv);
    if (four || text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
        throw InputError(fmt::format(
            "{0} is UTF-{1} text; zwalk reads UTF-8 (iconv -f UTF-{1} -t UTF-8)", name, four ? 32 : 16));
    if (text.find('\0') != text.npos)
        throw InputError(
            fmt::format("{} has zero bytes: it is no text, or UTF-16 without a byte order mark (iconv "
                        "-f UTF-16LE -t UTF-8)",
                        name));
}

/// Names that stand for something else than a coordinate.
bool is_label(std::string name) {
    static constexpr std::array labels{"class", "label", "labels", "cluster", "target",   "id",
                                       "index", "red",   "green",  "blue",    "intensity"};
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return std::find(labels.begin(), labels.end(), name) != labels.end();
}

void add_hints(TextFormat& format, std::string const& name) {
    if (format.names.empty()) return;
    if (format.names[0].empty() && format.columns > 1)
        format.hints.push_back(
            fmt::format("{}: the first column has no name, as row numbers have none that pandas and R "
                        "write, and is a coordinate like the others (--columns 2-{} leaves it out)",
                        name, format.columns));
    std::vector<std::string> labels;
    for (auto const& column : format.names)
        if (is_label(column)) labels.push_back(column);
    if (!labels.empty())
        format.hints.push_back(fmt::format("{}: {} {} like the others (--columns takes some of them)",
                                           name, listed(labels),
                                           labels.size() == 1 ? "is a coordinate" : "are coordinates"));
}

/// Settles the format by the first two lines with content; there may be no second one.
void settle(TextFormat& format, std::string_view first, std::string_view second,
            std::string const& name) {
    format.separator = separator_of(first);
    auto const above = fields_of(first, format.separator);
    if (are_names(above)) {
        format.columns = second.empty() ? 0 : fields_of(second, format.separator).size();
        format.names = without_quotes(above);
        if (format.separator == ' ' && format.names.size() + 1 == format.columns)
            format.names.insert(format.names.begin(), "");  // white space before the names is lost
        if (format.names.size() != format.columns) format.names.clear();
        format.header = 0;
        return;
    }
    auto const row = second.empty() ? Fields() : fields_of(second, separator_of(second));
    if (above.size() == 1 && is_whole(above[0]) && row.size() > 1) {
        format.notes.push_back(
            fmt::format("{}: the first line, '{}', is taken for the number of rows, not for one of them",
                        name, escaped(above[0])));
        format.separator = separator_of(second);
        format.columns = row.size();
        format.header = 0;
        return;
    }
    format.columns = above.size();
    if (!are_counted(above) || row.size() != above.size()) return;
    bool const sure = above[0].empty() || !std::all_of(row.begin(), row.end(), is_whole);
    if (sure) {
        format.header = 0;
        format.names.assign(above.begin(), above.end());
        format.notes.push_back(fmt::format(
            "{}: the first line, '{}', is taken for the names of the columns, not for a point", name,
            escaped(first.substr(0, 40))));
    } else {
        format.notes.push_back(
            fmt::format("{}: the first line, '{}', is taken for a point; remove it if it names columns",
                        name, escaped(first.substr(0, 40))));
    }
}

}  // namespace

std::string_view trim(std::string_view s) {
    while (!s.empty() && is_space(s.front())) s.remove_prefix(1);
    while (!s.empty() && is_space(s.back())) s.remove_suffix(1);
    return s;
}

std::string_view next_field(std::string_view& rest, char separator) {
    std::size_t const end = separator == ' ' ? rest.find_first_of(" \t") : rest.find(separator);
    std::string_view const field = trim(rest.substr(0, end));
    rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
    if (separator == ' ') rest = trim(rest);
    return field;
}

template <class T>
ParsedNumber parse_field(std::string_view field, T& value) {
    if (field.size() > 1 && field[0] == '+' && field[1] != '-') field.remove_prefix(1);
    auto const r = real_from_chars(field.data(), field.data() + field.size(), value);
    if (r.ptr != field.data() + field.size() || r.ec == std::errc::invalid_argument)
        return ParsedNumber::not_a_number;
    if (r.ec == std::errc::result_out_of_range) {
        // from_chars does not report which end of the range; a number too small is rounded, not wrong.
        std::string const text(field);
        if constexpr (sizeof(T) == 4) value = std::strtof(text.c_str(), nullptr);
        else value = std::strtod(text.c_str(), nullptr);
        if (std::isinf(value)) return ParsedNumber::too_large;
    }
    return ParsedNumber::ok;
}
template ParsedNumber parse_field<float>(std::string_view, float&);
template ParsedNumber parse_field<double>(std::string_view, double&);

std::optional<TextFormat> format_of_text(std::string_view text, bool whole, std::string const& name) {
    check_encoding(text, name);
    TextFormat format;
    if (text.starts_with(byte_order_mark)) format.begin = byte_order_mark.size();
    text.remove_prefix(format.begin);
    if (text.find('\n') == text.npos && text.find('\r') != text.npos) format.line_end = '\r';
    Lines lines(text, format.line_end);
    std::string_view first, second;
    bool const any = lines.next(first);
    if (!any) return whole ? std::optional(format) : std::nullopt;
    if (!lines.ended() && !whole) return {};
    std::uint64_t const begin = lines.begin();
    if (is_whole(first)) {
        bool undecided = false;
        auto atoms =
            xyz_format(text.substr(begin), format, format.begin + begin, whole, undecided, name);
        if (atoms || undecided) return atoms;
    }
    bool const more = lines.next(second);
    if ((!more || !lines.ended()) && !whole) return {};
    settle(format, first, more ? second : std::string_view(), name);
    if (format.header == 0) format.header = format.begin + begin;
    else if (format.names.empty()) format.names = names_in_comment(text.substr(0, begin), format);
    add_hints(format, name);
    return format;
}

}  // namespace zwalk::io
