// How a text of numbers is written: found out from its beginning, before it is read.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zwalk::io {

/// How the rows of a text are written: its first line with content settles the separator, its first row the columns.
struct TextFormat {
    char line_end = '\n';     ///< '\r' in texts that have no '\n'
    char separator = ' ';     ///< ' ': any run of white space
    std::size_t columns = 0;  ///< 0: there are no rows
    std::uint64_t begin = 0;  ///< behind a byte order mark
    std::uint64_t header =
        ~std::uint64_t(0);  ///< first byte of the line above the rows that is none, if there is one
    std::uint64_t rows_begin = 0;          ///< rows are behind this byte
    std::optional<std::uint64_t> atoms{};  ///< of XYZ: rows of the first frame (xyz.hpp)
    std::string unclear{};  ///< why --columns must name the columns that are coordinates; "": it needn't
    std::vector<std::string> names{};  ///< of the columns; empty: they have none
    std::vector<std::string> notes{};  ///< what the user should know
    std::vector<std::string> hints{};  ///< notes on columns that become coordinates, if all do
};

/// The format that the first lines of a text settle; none: they don't.
/// @param whole  there is no more of the text
/// @param name   of the text, for messages
/// @throws InputError  it is no text, or in an encoding of two or four bytes
std::optional<TextFormat> format_of_text(std::string_view text, bool whole, std::string const& name);

enum class ParsedNumber { ok, not_a_number, too_large };
/// The number that all of the field is; one too small for T is rounded.
template <class T>
ParsedNumber parse_field(std::string_view field, T& value);

/// Takes the next field off `rest`. Separator ' ' stands for any run of white space.
std::string_view next_field(std::string_view& rest, char separator);

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

std::string_view trim(std::string_view text);

/// The lines of a text, without comments and white space around them.
class Lines {
  public:
    Lines(std::string_view text, char line_end) : text_(text), line_end_(line_end) {}

    /// The next one that isn't empty; false: there is none.
    bool next(std::string_view& line) {
        while (at_ < text_.size()) {
            begin_ = at_;
            ++number_;
            std::size_t const end = std::min(text_.find(line_end_, at_), text_.size());
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
    [[nodiscard]] bool ended() const { return ended_; }           ///< by the end of a line

  private:
    std::string_view text_;
    char line_end_;
    std::size_t at_ = 0, begin_ = 0, number_ = 0;
    bool ended_ = true;
};

}  // namespace zwalk::io
