#include "parse.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "../io/real_text.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::apps {
namespace {

/// The number that all of the text stands for.
std::optional<double> number_of(std::string_view text) {
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    double value = 0;
    auto const r = io::real_from_chars(text.data(), text.data() + text.size(), value);
    if (r.ec != std::errc() || r.ptr != text.data() + text.size() || !std::isfinite(value)) return {};
    return value;
}

std::vector<std::string> split(std::string const& text) {
    std::vector<std::string> parts(1);
    for (char c : text) {
        if (c == ',') parts.emplace_back();
        else parts.back() += c;
    }
    return parts;
}

}  // namespace

std::int64_t parse_integer(std::string const& option, std::string const& text, std::int64_t least,
                           std::int64_t most) {
    std::int64_t value = 0;
    auto const r = std::from_chars(text.data(), text.data() + text.size(), value);
    bool ok = r.ec == std::errc() && r.ptr == text.data() + text.size();
    if (auto const real = number_of(text); !ok && real && std::abs(*real) <= 0x1p53) {
        value = std::int64_t(*real);
        ok = double(value) == *real;
    }
    if (ok && value >= least && value <= most) return value;
    std::string const range =
        most == INT64_MAX ? fmt::format("of at least {}", least) : fmt::format("{} to {}", least, most);
    throw InputError(fmt::format("{} must be a whole number {}, not '{}'", option, range, text));
}

double parse_number(std::string const& option, std::string const& text) {
    if (auto const value = number_of(text)) return *value;
    throw InputError(fmt::format("{} must be a finite number, not '{}'", option, text));
}

std::vector<double> parse_numbers(std::string const& option, std::string const& text,
                                  std::size_t count) {
    std::vector<double> values;
    for (auto const& part : split(text)) {
        auto const value = number_of(part);
        if (!value)
            throw InputError(
                fmt::format("{} takes finite numbers separated by commas, not '{}'", option, text));
        values.push_back(*value);
    }
    if (count != 0 && values.size() != count)
        throw InputError(
            fmt::format("{} takes {} numbers separated by commas, not '{}'", option, count, text));
    return values;
}

std::vector<int> parse_axes(std::string const& option, std::string const& text, std::size_t count,
                            int dim) {
    std::vector<int> axes;
    for (double v : parse_numbers(option, text, count)) {
        if (v < 0 || v >= dim || v != std::floor(v))
            throw InputError(fmt::format("{}: there is no axis {}; the points have axes 0 to {}", option,
                                         v, dim - 1));
        axes.push_back(int(v));
    }
    return axes;
}

std::uint64_t parse_bytes(std::string const& option, std::string const& text) {
    std::string const units = "KMGT";
    std::string_view number = text;
    for (std::string_view end : {"iB", "B", "b"})
        if (number.size() > end.size() && number.ends_with(end)) {
            number.remove_suffix(end.size());
            break;
        }
    double scale = 1;
    if (!number.empty())
        if (auto const at = units.find(char(number.back() & ~0x20)); at != units.npos) {
            scale = std::pow(1024., double(at + 1));
            number.remove_suffix(1);
        }
    auto const value = number_of(number);
    if (!value || *value <= 0 || *value * scale > 0x1p62)
        throw InputError(
            fmt::format("{} must be a size such as 8G, 500M or 1024, not '{}'", option, text));
    return std::uint64_t(*value * scale);
}

std::optional<io::Precision> parse_precision(std::string const& option, std::string const& text) {
    if (text.empty()) return {};
    return parse_word(option, text, {"f4", "f8"}) == "f4" ? io::Precision::f4 : io::Precision::f8;
}

std::string const& parse_word(std::string const& option, std::string const& text,
                              std::vector<std::string> const& allowed) {
    if (std::find(allowed.begin(), allowed.end(), text) == allowed.end())
        throw InputError(fmt::format("{} must be {}, not '{}'", option, fmt::join(allowed, ", "), text));
    return text;
}

std::string human_bytes(double bytes) {
    char const* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit < 6; ++unit) bytes /= 1024;
    return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, units[unit]);
}

}  // namespace zwalk::apps
