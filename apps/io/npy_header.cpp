// Parsing the header of a .npy file: a Python dict with three known keys.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include "npy.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {
namespace {

/// Scanner for the only Python literals that occur: strings, True/False, tuples of whole numbers.
class DictScanner {
  public:
    DictScanner(std::string_view text, std::string const& name) : text_(text), name_(name) {}

    NpyHeader header() {
        NpyHeader h;
        bool have_descr = false, have_order = false, have_shape = false;
        expect('{');
        while (!accept('}')) {
            std::string const key = string();
            expect(':');
            if (key == "descr") {
                if (peek() == '[') h.fields = fields();
                else h.descr = string();
                have_descr = true;
            } else if (key == "fortran_order") {
                h.fortran = boolean(), have_order = true;
            } else if (key == "shape") {
                h.shape = tuple(), have_shape = true;
            } else {
                fail("unknown key in the header");
            }
            if (!accept(',') && peek() != '}') fail("the header is damaged");
        }
        if (!have_descr || !have_order || !have_shape) fail("the header is incomplete");
        if (peek() != '\0') fail("the header is damaged");
        return h;
    }

  private:
    [[noreturn]] void fail(char const* why) const {
        throw InputError(fmt::format("cannot read {}: {}", name_, why));
    }
    char peek() {
        while (at_ < text_.size() && std::strchr(" \n\t", text_[at_])) ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool accept(char c) { return peek() == c ? (++at_, true) : false; }
    void expect(char c) {
        if (!accept(c)) fail("the header is damaged");
    }
    std::string string() {
        char const quote = peek();
        if (quote != '\'' && quote != '"') fail("the header is damaged");
        auto const end = text_.find(quote, at_ + 1);
        if (end == text_.npos) fail("the header is damaged");
        std::string s(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return s;
    }
    bool boolean() {
        peek();
        for (bool value : {true, false}) {
            std::string_view const word = value ? "True" : "False";
            if (text_.substr(at_, word.size()) == word) return at_ += word.size(), value;
        }
        fail("the header is damaged");
    }
    /// [('name', '<f8'), ...]
    std::vector<NpyField> fields() {
        std::vector<NpyField> v;
        expect('[');
        while (!accept(']')) {
            expect('(');
            std::string const name = string();
            expect(',');
            if (!std::strchr("'\"", peek())) fail("it holds records of records");
            v.push_back({name, string()});
            if (accept(',') && peek() != ')')
                for (auto const n : tuple())
                    if (__builtin_mul_overflow(v.back().width, n, &v.back().width))
                        fail("its shape is too large");
            if (!accept(')')) fail("the header is damaged");
            if (!accept(',') && peek() != ']') fail("the header is damaged");
        }
        return v;
    }
    std::vector<std::uint64_t> tuple() {
        std::vector<std::uint64_t> v;
        expect('(');
        while (!accept(')')) {
            peek();
            std::uint64_t n = 0;
            auto const r = std::from_chars(text_.data() + at_, text_.data() + text_.size(), n);
            if (r.ec == std::errc::result_out_of_range) fail("its shape is too large");
            if (r.ec != std::errc()) fail("the header is damaged");
            at_ = std::size_t(r.ptr - text_.data());
            accept('L');  // written by Python 2
            v.push_back(n);
            if (!accept(',') && peek() != ')') fail("the header is damaged");
        }
        return v;
    }

    std::string_view text_;
    std::string const& name_;
    std::size_t at_ = 0;
};

std::vector<std::string> names_of(NpyHeader const& h) {
    std::vector<std::string> names;
    for (auto const& field : h.fields)
        if (!field.name.empty()) names.push_back(field.name);
    return names;
}

void check_descr(NpyHeader const& h, std::string const& name) {
    if (!h.fields.empty())
        throw InputError(
            fmt::format("cannot read {}: it holds records; zwalk takes plain numbers, or of records "
                        "those columns that --columns names: {}",
                        name, listed(names_of(h))));
    bool const known =
        h.descr.size() >= 3 && std::strchr("<>=|", h.descr[0]) &&
        std::all_of(h.descr.begin() + 2, h.descr.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!known || h.item_bytes() == 0 || !std::strchr("fiub", h.kind()))
        throw InputError(fmt::format("{} has dtype '{}'; zwalk takes numbers", name, escaped(h.descr)));
}

void check_size(NpyHeader const& h, InputFile const& file) {
    std::uint64_t bytes = h.item_bytes();
    bool overflow = false;
    for (auto n : h.shape) overflow |= __builtin_mul_overflow(bytes, n, &bytes);
    // A product that overflows before a zero comes along is still an empty array.
    if (std::find(h.shape.begin(), h.shape.end(), 0) != h.shape.end()) bytes = 0, overflow = false;
    std::uint64_t const have = file.size() - file.position();
    if (overflow || bytes > have)
        throw InputError(fmt::format("{} is truncated: shape {} of {} needs {} bytes, {} are there",
                                     file.name(), h.shape_text(), h.dtype(),
                                     overflow ? "more than 2^64" : std::to_string(bytes), have));
    if (bytes < have)
        throw InputError(fmt::format("{} has {} bytes behind its array of shape {}", file.name(),
                                     have - bytes, h.shape_text()));
}

}  // namespace

std::size_t NpyHeader::item_bytes() const {
    std::size_t n = 0;
    std::from_chars(descr.data() + 2, descr.data() + descr.size(), n);
    return n;
}

bool NpyHeader::swapped() const {
    if (item_bytes() == 1) return false;
    return descr[0] == (std::endian::native == std::endian::little ? '>' : '<');
}

std::string NpyHeader::dtype() const {
    char const* word = kind() == 'f' ? "float" : kind() == 'i' ? "int" : kind() == 'u' ? "uint" : "bool";
    return kind() == 'b' ? word : word + std::to_string(8 * item_bytes());
}

std::string NpyHeader::shape_text() const {
    return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

namespace {

NpyHeader scan_header(InputFile& file) {
    unsigned char magic[8];
    if (file.size() < 10)
        throw InputError(fmt::format("{} is no .npy file: it has {} bytes", file.name(), file.size()));
    file.read(magic, 8);
    if (std::memcmp(magic, "\x93NUMPY", 6) != 0)
        throw InputError(
            fmt::format("{} is no .npy file: it does not begin with \\x93NUMPY", file.name()));
    if (magic[6] < 1 || magic[6] > 3)
        throw InputError(fmt::format("{} has .npy version {}.{}; zwalk reads 1 to 3", file.name(),
                                     magic[6], magic[7]));
    // The header's length: 2 bytes in version 1, 4 bytes in later ones, little-endian.
    unsigned char raw[4] = {};
    file.read(raw, magic[6] == 1 ? 2 : 4);
    std::uint64_t const length = raw[0] | raw[1] << 8 | raw[2] << 16 | std::uint64_t(raw[3]) << 24;
    if (length > file.size() - file.position())
        throw InputError(fmt::format("{} is truncated: it ends inside its header", file.name()));
    std::string text(length, '\0');
    file.read(text.data(), length);
    NpyHeader h = DictScanner(text, file.name()).header();
    h.begin = file.position();
    return h;
}

}  // namespace

NpyHeader scan_npy_header(InputFile& file) { return scan_header(file); }

NpyHeader read_npy_header(InputFile& file) {
    NpyHeader const h = scan_header(file);
    std::string const name = file.name();
    check_descr(h, name);
    if (h.shape.empty() || h.shape.size() > 2)
        throw InputError(
            fmt::format("{} has shape {}; zwalk takes (N, D) or (N,)", name, h.shape_text()));
    check_size(h, file);
    return h;
}

std::vector<std::vector<double>> read_npy_records(std::filesystem::path const& path,
                                                  std::vector<std::string> const& names) {
    InputFile file(path);
    NpyHeader const h = scan_header(file);
    bool known = h.shape.size() == 1 && h.fields.size() == names.size();
    for (std::size_t j = 0; known && j < names.size(); ++j) {
        std::string const& descr = h.fields[j].descr;
        known = h.fields[j].name == names[j] && h.fields[j].width == 1 && descr.size() == 3 &&
                descr[0] == npy_byte_order() && (descr.substr(1) == "i8" || descr.substr(1) == "f8");
    }
    std::uint64_t const have = file.size() - file.position();
    if (!known || have % (8 * names.size()) != 0 || have / (8 * names.size()) != h.rows())
        throw InputError(fmt::format("{} isn't a table of the 8-byte columns {}", file.name(),
                                     fmt::join(names, ", ")));
    std::vector<std::vector<double>> columns(names.size(), std::vector<double>(h.rows()));
    std::vector<std::uint64_t> row(names.size());
    for (std::uint64_t i = 0; i < h.rows(); ++i) {
        file.read(row.data(), 8 * row.size());
        for (std::size_t j = 0; j < row.size(); ++j)
            columns[j][i] = h.fields[j].descr[1] == 'f' ? std::bit_cast<double>(row[j])
                                                        : double(std::bit_cast<std::int64_t>(row[j]));
    }
    return columns;
}

}  // namespace zwalk::io
