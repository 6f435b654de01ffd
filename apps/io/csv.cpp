#include "csv.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "file.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trim(std::string_view s) {
    while (!s.empty() && is_space(s.front())) s.remove_prefix(1);
    while (!s.empty() && is_space(s.back())) s.remove_suffix(1);
    return s;
}

/// Takes the next field off `rest`. Separator ' ' stands for any run of white space.
std::string_view next_field(std::string_view& rest, char separator) {
    std::size_t const end = separator == ' ' ? rest.find_first_of(" \t") : rest.find(separator);
    std::string_view const field = trim(rest.substr(0, end));
    rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
    if (separator == ' ') rest = trim(rest);
    return field;
}

enum class Parsed { ok, not_a_number, too_large };

template <class T>
Parsed parse(std::string_view field, T& value) {
    if (field.size() > 1 && field[0] == '+' && field[1] != '-') field.remove_prefix(1);
    auto const r = std::from_chars(field.data(), field.data() + field.size(), value);
    if (r.ptr != field.data() + field.size() || r.ec == std::errc::invalid_argument)
        return Parsed::not_a_number;
    if (r.ec == std::errc::result_out_of_range) {
        // from_chars does not say which end of the range; a number too small is rounded, not wrong.
        std::string const text(field);
        if constexpr (sizeof(T) == 4) value = std::strtof(text.c_str(), nullptr);
        else value = std::strtod(text.c_str(), nullptr);
        if (std::isinf(value)) return Parsed::too_large;
    }
    return Parsed::ok;
}

/// Reads line by line; the first line with content settles the separator and the columns.
template <class T>
class Table {
  public:
    Table(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

    std::vector<T> values;
    std::size_t columns = 0;

    void read() {
        if (text_.substr(0, 3) == "\xef\xbb\xbf") text_.remove_prefix(3);  // byte order mark
        bool first = true;
        while (!text_.empty()) {
            ++line_;
            std::size_t const end = text_.find('\n');
            std::string_view line = text_.substr(0, end);
            text_ = end == text_.npos ? std::string_view() : text_.substr(end + 1);
            line = trim(line.substr(0, line.find('#')));
            if (line.empty()) continue;
            if (first) separator_ = separator_of(line);
            bool const names = first && is_header(line);
            first = false;
            if (!names) row(line);
        }
    }

  private:
    static char separator_of(std::string_view line) {
        for (char c : {',', ';'})
            if (line.find(c) != line.npos) return c;
        return ' ';
    }

    /// Names of columns: no field is a number. (One name among numbers is a mistake to report.)
    bool is_header(std::string_view line) const {
        bool names = false;
        while (!line.empty()) {
            T unused;
            std::string_view const field = next_field(line, separator_);
            if (parse(field, unused) != Parsed::not_a_number) return false;
            names = names || !field.empty();
        }
        return names;
    }

    void row(std::string_view line) {
        std::size_t column = 0;
        // A separator at the end of the line is followed by one more, empty, field.
        bool more = true;
        while (more) {
            ++column;
            more = separator_ == ' ' ? line.find_first_of(" \t") != line.npos
                                     : line.find(separator_) != line.npos;
            std::string_view const field = next_field(line, separator_);
            T value;
            Parsed const p = parse(field, value);
            if (field.empty()) fail(column, "the field is empty");
            if (p == Parsed::not_a_number)
                fail(column, fmt::format("'{}' is not a number", field.substr(0, 40)));
            if (p == Parsed::too_large)
                fail(column, fmt::format("{} is too large for {}", field.substr(0, 40),
                                         sizeof(T) == 4 ? "float32" : "float64"));
            values.push_back(value);
        }
        if (columns == 0) columns = column;
        if (column != columns)
            throw InputError(fmt::format("{}, line {}: {} numbers, but {} in the lines before", name_,
                                         line_, column, columns));
    }

    [[noreturn]] void fail(std::size_t column, std::string const& why) const {
        throw InputError(fmt::format("{}, line {}, column {}: {}", name_, line_, column, why));
    }

    std::string_view text_;
    std::string name_;
    char separator_ = ' ';
    std::size_t line_ = 0;
};

template <class T>
PointSet read_table(std::string_view text, std::string const& name, Part part) {
    Table<T> table(text, name);
    table.read();
    if (table.columns == 0) throw InputError(fmt::format("{} holds no numbers", name));
    PointSet set;
    set.dim = int(std::min<std::size_t>(table.columns, 1U << 20));
    set.total = table.values.size() / table.columns;
    std::uint64_t const first = part.begin(set.total), end = part.end(set.total);
    set.size = end - first;
    set.stored_as = "text";
    Buffer<T> rows(set.size * table.columns);
    std::copy_n(table.values.data() + first * table.columns, rows.size(), rows.begin());
    set.rows = std::move(rows);
    return set;
}

}  // namespace

PointSet read_csv_points(std::filesystem::path const& path, ReadOptions const& options) {
    InputFile file(path);
    Buffer<char> text(file.size());
    file.read(text.data(), text.size());
    std::string_view const view(text.data(), text.size());
    PointSet set = options.precision == Precision::f4
                       ? read_table<float>(view, file.name(), options.part)
                       : read_table<double>(view, file.name(), options.part);
    set.file_bytes = file.size();
    return set;
}

}  // namespace zwalk::io
