#include "csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "file.hpp"
#include "gzip.hpp"
#include "xyz.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {
namespace {

/// The rows of some lines of a text.
template <class T>
class Rows {
  public:
    Rows(TextFormat const& format, Columns const& columns, std::string name)
        : format_(format), name_(std::move(name)) {
        if (columns.all() && !format_.atoms) return;
        if (columns.all() && !format_.unclear.empty()) throw InputError(format_.unclear);
        auto const chosen = (columns.all() ? Columns("--columns", "2-4") : columns)
                                .among(format_.columns, format_.names, name_);
        place_.resize(format_.columns);
        for (std::size_t i = 0; i < chosen.size(); ++i) place_[chosen[i]] = i + 1;
        width_ = chosen.size();
    }

    std::vector<T> values;
    std::string note;  ///< on what is behind them
    [[nodiscard]] std::size_t width() const { return place_.empty() ? format_.columns : width_; }

    /// @param begin  the first byte of `text` is that one of the file
    /// @param above  lines of the file before it
    void read(std::string_view text, std::uint64_t begin, std::uint64_t above) {
        if (begin == 0) text.remove_prefix(std::min<std::uint64_t>(text.size(), begin = format_.begin));
        Lines lines(text, format_.line_end);
        for (std::string_view line; lines.next(line);) {
            std::uint64_t const at = begin + lines.begin();
            if (at < format_.rows_begin || at == format_.header) continue;
            if (format_.atoms && rows_ == *format_.atoms) {
                note = note_behind_frame(line, format_, name_);
                return;
            }
            row(line, above + lines.number());
            ++rows_;
        }
        if (format_.atoms && rows_ < *format_.atoms)
            throw InputError(fmt::format("{}: its first line says {} atoms, but there are {}", name_,
                                         *format_.atoms, rows_));
    }

  private:
    void row(std::string_view line, std::uint64_t number) {
        if (!place_.empty()) values.resize(values.size() + width_);
        T* const some = place_.empty() ? nullptr : values.data() + values.size() - width_;
        std::size_t const columns =
            each_field(line, format_.separator, [&](std::size_t column, std::string_view field) {
                if (!some) values.push_back(value_of(field, number, column));
                else if (column <= place_.size() && place_[column - 1] > 0)
                    some[place_[column - 1] - 1] = value_of(field, number, column);
            });
        if (columns != format_.columns)
            throw InputError(fmt::format("{}, line {}: {} {}, but {} in the lines before", name_, number,
                                         columns, some ? "columns" : "numbers", format_.columns));
    }
    T value_of(std::string_view field, std::uint64_t number, std::size_t column) const {
        T value;
        ParsedNumber const p = parse_field(field, value);
        if (p == ParsedNumber::ok) return value;
        auto const text = escaped(field.substr(0, 40));
        throw InputError(fmt::format(
            "{}, line {}, column {}: {}", name_, number, column,
            field.empty() ? "the field is empty"
            : p == ParsedNumber::too_large
                ? fmt::format("{} is too large for {}", text, sizeof(T) == 4 ? "float32" : "float64")
                : fmt::format("'{}' is not a number", text)));
    }

    TextFormat format_;
    std::string name_;
    std::vector<std::size_t> place_{};  ///< of each column: where it goes, from 1 on; empty: all stay
    std::size_t width_ = 0;
    std::uint64_t rows_ = 0;
};

/// Rows of `part` of those in these lines.
template <class T>
PointSet read_rows(TextSlice const& slice, std::uint64_t above, Part part, ReadOptions const& options) {
    if (slice.format.columns == 0) throw InputError(fmt::format("{} holds no numbers", slice.name));
    Rows<T> all(slice.format, options.columns, slice.name);
    std::size_t const columns = all.width();
    all.read({slice.text.data(), slice.text.size()}, slice.begin, above);
    PointSet set;
    set.dim = int(std::min<std::size_t>(columns, 1U << 20));
    set.total = all.values.size() / columns;
    std::uint64_t const first = part.begin(set.total), end = part.end(set.total);
    set.size = end - first;
    set.stored_as = "text";
    set.file_bytes = slice.file_bytes;
    set.notes = slice.format.notes;
    if (options.columns.all()) set.columns = slice.format.names;
    if (!all.note.empty()) set.notes.push_back(all.note);
    if (options.columns.all())
        set.notes.insert(set.notes.end(), slice.format.hints.begin(), slice.format.hints.end());
    Buffer<T> rows(set.size * columns);
    std::copy_n(all.values.data() + first * columns, rows.size(), rows.begin());
    set.rows = std::move(rows);
    return set;
}

PointSet read_part(TextSlice const& slice, std::uint64_t above, Part part, ReadOptions const& options) {
    return options.precision == Precision::f4 ? read_rows<float>(slice, above, part, options)
                                              : read_rows<double>(slice, above, part, options);
}

Buffer<char> read_bytes(InputFile& file, std::uint64_t begin, std::uint64_t end) {
    Buffer<char> text(end - begin);
    file.seek(begin);
    file.read(text.data(), text.size());
    return text;
}

constexpr std::uint64_t piece_bytes = 1 << 16;

/// Where the first line begins that begins at this byte or behind it; the file's end, if none does.
std::uint64_t first_line(InputFile& file, std::uint64_t at, char line_end) {
    if (at == 0) return 0;
    for (std::uint64_t begin = at - 1; begin < file.size(); begin += piece_bytes) {
        auto const piece = read_bytes(file, begin, std::min(begin + piece_bytes, file.size()));
        auto const* const end = std::find(piece.data(), piece.data() + piece.size(), line_end);
        if (end != piece.data() + piece.size()) return begin + std::uint64_t(end - piece.data()) + 1;
    }
    return file.size();
}

/// Reads no more of the file than settles it.
TextFormat read_format(InputFile& file) {
    for (std::uint64_t bytes = piece_bytes;; bytes *= 2) {
        bool const whole = bytes >= file.size();
        auto const head = read_bytes(file, 0, std::min(bytes, file.size()));
        if (auto const format = format_of_text({head.data(), head.size()}, whole, file.name()))
            return *format;
    }
}

Buffer<char> read_standard_input() {
    std::vector<char> all;
    for (std::size_t got = 1; got > 0;) {
        std::size_t const have = all.size();
        all.resize(have + piece_bytes);
        got = std::fread(all.data() + have, 1, piece_bytes, stdin);
        all.resize(have + got);
    }
    if (std::ferror(stdin))
        throw Error(fmt::format("cannot read the standard input: {}", std::strerror(errno)));
    if (all.empty())
        throw InputError("cannot read the standard input: it is empty, or has been read already");
    Buffer<char> text(all.size());
    std::copy(all.begin(), all.end(), text.begin());
    return text;
}

/// All lines of a stream.
TextSlice read_stream(std::filesystem::path const& path) {
    TextSlice slice;
    slice.name = name_of_input(path);
    slice.text = is_standard_input(path) ? read_standard_input() : read_gzip(path);
    slice.file_bytes = is_standard_input(path) ? slice.text.size() : std::filesystem::file_size(path);
    slice.format = *format_of_text({slice.text.data(), slice.text.size()}, true, slice.name);
    return slice;
}

}  // namespace

bool is_stream(std::filesystem::path const& path) {
    return is_standard_input(path) || extension_of(path) == ".gz";
}

void refuse_ranges(std::filesystem::path const& path) {
    throw InputError(fmt::format(
        "{} can only be read from its beginning to its end, but each MPI rank reads lines of "
        "its own: {}",
        name_of_input(path), is_standard_input(path) ? "write it to a file" : "unpack it (gzip -dk)"));
}

TextSlice read_text_slice(std::filesystem::path const& path, Part part) {
    if (is_stream(path)) refuse_ranges(path);
    InputFile file(path);
    TextSlice slice;
    slice.name = file.name();
    slice.file_bytes = file.size();
    slice.format = read_format(file);
    if (slice.format.atoms && part.count > 1)
        throw InputError(fmt::format(
            "{} is an XYZ file, of which MPI ranks can't read parts: write its coordinates to a "
            ".csv or .npy",
            slice.name));
    char const line_end = slice.format.line_end;
    slice.begin = first_line(file, part.begin(file.size()), line_end);
    slice.text = read_bytes(file, slice.begin, first_line(file, part.end(file.size()), line_end));
    slice.lines =
        std::uint64_t(std::count(slice.text.data(), slice.text.data() + slice.text.size(), line_end));
    return slice;
}

PointSet rows_of(TextSlice const& slice, std::uint64_t above, ReadOptions const& options) {
    return read_part(slice, above, {}, options);
}

PointSet read_csv_points(std::filesystem::path const& path, ReadOptions const& options) {
    return read_part(is_stream(path) ? read_stream(path) : read_text_slice(path, {}), 0, options.part,
                     options);
}

}  // namespace zwalk::io
