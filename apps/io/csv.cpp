#include "csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

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

char separator_of(std::string_view line) {
    for (char c : {',', ';'})
        if (line.find(c) != line.npos) return c;
    return ' ';
}

/// f(number of the column, field) for all fields of a line; how many there are.
template <class F>
std::size_t each_field(std::string_view line, char separator, F const& f) {
    std::size_t column = 0;
    // A separator at the end of the line is followed by one more, empty, field.
    for (bool more = true; more;) {
        more = separator == ' ' ? line.find_first_of(" \t") != line.npos
                                : line.find(separator) != line.npos;
        f(++column, next_field(line, separator));
    }
    return column;
}

/// Names of columns: no field is a number. (One name among numbers is a mistake to report.)
bool is_header(std::string_view line, char separator) {
    bool names = false;
    while (!line.empty()) {
        double unused;
        std::string_view const field = next_field(line, separator);
        if (parse(field, unused) != Parsed::not_a_number) return false;
        names = names || !field.empty();
    }
    return names;
}

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// The lines of a text, without comments and white space around them.
class Lines {
  public:
    explicit Lines(std::string_view text) : text_(text) {}

    /// The next one that isn't empty; false: there is none.
    bool next(std::string_view& line) {
        while (at_ < text_.size()) {
            begin_ = at_;
            ++number_;
            std::size_t const end = std::min(text_.find('\n', at_), text_.size());
            line = text_.substr(at_, end - at_);
            ended_ = end < text_.size();
            at_ = end + 1;
            line = trim(line.substr(0, line.find('#')));
            if (!line.empty()) return true;
        }
        return false;
    }
    [[nodiscard]] std::size_t number() const { return number_; }  ///< of the line, from 1 on
    [[nodiscard]] std::size_t begin() const { return begin_; }    ///< its first byte
    [[nodiscard]] bool ended() const { return ended_; }           ///< by a '\n'

  private:
    std::string_view text_;
    std::size_t at_ = 0, begin_ = 0, number_ = 0;
    bool ended_ = true;
};

/// The format that the first lines of a text settle; none: they don't.
/// @param whole  there is no more of the text
std::optional<TextFormat> format_of(std::string_view text, bool whole) {
    TextFormat format;
    if (text.starts_with(byte_order_mark)) format.begin = byte_order_mark.size();
    Lines lines(text.substr(format.begin));
    bool first = true;
    for (std::string_view line; lines.next(line); first = false) {
        if (!lines.ended() && !whole) return {};
        if (first) format.separator = separator_of(line);
        if (first && is_header(line, format.separator)) {
            format.header = format.begin + lines.begin();
            continue;
        }
        format.columns = each_field(line, format.separator, [](std::size_t, std::string_view) {});
        return format;
    }
    return whole ? std::optional(format) : std::nullopt;
}

/// The rows of some lines of a text.
template <class T>
class Rows {
  public:
    Rows(TextFormat const& format, std::string name) : format_(format), name_(std::move(name)) {}

    std::vector<T> values;

    /// @param begin  the first byte of `text` is that one of the file
    /// @param above  lines of the file before it
    void read(std::string_view text, std::uint64_t begin, std::uint64_t above) {
        if (begin == 0) text.remove_prefix(std::min(text.size(), begin = format_.begin));
        Lines lines(text);
        for (std::string_view line; lines.next(line);)
            if (begin + lines.begin() != format_.header) row(line, above + lines.number());
    }

  private:
    void row(std::string_view line, std::uint64_t number) {
        std::size_t const columns =
            each_field(line, format_.separator, [&](std::size_t column, std::string_view field) {
                T value;
                Parsed const p = parse(field, value);
                auto const fail = [&](std::string const& why) {
                    throw InputError(
                        fmt::format("{}, line {}, column {}: {}", name_, number, column, why));
                };
                if (field.empty()) fail("the field is empty");
                if (p == Parsed::not_a_number)
                    fail(fmt::format("'{}' is not a number", field.substr(0, 40)));
                if (p == Parsed::too_large)
                    fail(fmt::format("{} is too large for {}", field.substr(0, 40),
                                     sizeof(T) == 4 ? "float32" : "float64"));
                values.push_back(value);
            });
        if (columns != format_.columns)
            throw InputError(fmt::format("{}, line {}: {} numbers, but {} in the lines before", name_,
                                         number, columns, format_.columns));
    }

    TextFormat format_;
    std::string name_;
};

/// Rows of `part` of those in these lines.
template <class T>
PointSet read_rows(TextSlice const& slice, std::uint64_t above, Part part) {
    std::size_t const columns = slice.format.columns;
    if (columns == 0) throw InputError(fmt::format("{} holds no numbers", slice.name));
    Rows<T> all(slice.format, slice.name);
    all.read({slice.text.data(), slice.text.size()}, slice.begin, above);
    PointSet set;
    set.dim = int(std::min<std::size_t>(columns, 1U << 20));
    set.total = all.values.size() / columns;
    std::uint64_t const first = part.begin(set.total), end = part.end(set.total);
    set.size = end - first;
    set.stored_as = "text";
    set.file_bytes = slice.file_bytes;
    Buffer<T> rows(set.size * columns);
    std::copy_n(all.values.data() + first * columns, rows.size(), rows.begin());
    set.rows = std::move(rows);
    return set;
}

PointSet read_rows(TextSlice const& slice, std::uint64_t above, Part part,
                   std::optional<Precision> precision) {
    return precision == Precision::f4 ? read_rows<float>(slice, above, part)
                                      : read_rows<double>(slice, above, part);
}

Buffer<char> read_bytes(InputFile& file, std::uint64_t begin, std::uint64_t end) {
    Buffer<char> text(end - begin);
    file.seek(begin);
    file.read(text.data(), text.size());
    return text;
}

constexpr std::uint64_t piece_bytes = 1 << 16;

/// Where the first line begins that begins at this byte or behind it; the file's end, if none does.
std::uint64_t first_line(InputFile& file, std::uint64_t at) {
    if (at == 0) return 0;
    for (std::uint64_t begin = at - 1; begin < file.size(); begin += piece_bytes) {
        auto const piece = read_bytes(file, begin, std::min(begin + piece_bytes, file.size()));
        auto const* const end = std::find(piece.data(), piece.data() + piece.size(), '\n');
        if (end != piece.data() + piece.size()) return begin + std::uint64_t(end - piece.data()) + 1;
    }
    return file.size();
}

/// Reads no more of the file than settles it.
TextFormat read_format(InputFile& file) {
    for (std::uint64_t bytes = piece_bytes;; bytes *= 2) {
        bool const whole = bytes >= file.size();
        auto const head = read_bytes(file, 0, std::min(bytes, file.size()));
        if (auto const format = format_of({head.data(), head.size()}, whole)) return *format;
    }
}

}  // namespace

TextSlice read_text_slice(std::filesystem::path const& path, Part part) {
    InputFile file(path);
    TextSlice slice;
    slice.name = file.name();
    slice.file_bytes = file.size();
    slice.format = read_format(file);
    slice.begin = first_line(file, part.begin(file.size()));
    slice.text = read_bytes(file, slice.begin, first_line(file, part.end(file.size())));
    slice.lines =
        std::uint64_t(std::count(slice.text.data(), slice.text.data() + slice.text.size(), '\n'));
    return slice;
}

PointSet rows_of(TextSlice const& slice, std::uint64_t above, std::optional<Precision> precision) {
    return read_rows(slice, above, {}, precision);
}

PointSet read_csv_points(std::filesystem::path const& path, ReadOptions const& options) {
    return read_rows(read_text_slice(path, {}), 0, options.part, options.precision);
}

}  // namespace zwalk::io
