// Option values from text. Every function throws InputError with a sentence that names the option.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../io/points.hpp"

namespace zwalk::apps {

/// A whole number, also as "1e6", in [least, most].
std::int64_t parse_integer(std::string const& option, std::string const& text, std::int64_t least,
                           std::int64_t most);

/// A finite number.
double parse_number(std::string const& option, std::string const& text);

/// Numbers separated by commas; `count` of them unless that is 0.
std::vector<double> parse_numbers(std::string const& option, std::string const& text,
                                  std::size_t count = 0);

/// Whole numbers >= 0, separated by commas.
std::vector<int> parse_axes(std::string const& option, std::string const& text, std::size_t count,
                            int dim);

/// Bytes: a number with an optional suffix K, M, G or T (powers of 1024; "GB" and "GiB" too).
std::uint64_t parse_bytes(std::string const& option, std::string const& text);

/// "f4" or "f8"; empty: none.
std::optional<io::Precision> parse_precision(std::string const& option, std::string const& text);

/// One of the words in `allowed`.
std::string const& parse_word(std::string const& option, std::string const& text,
                              std::vector<std::string> const& allowed);

/// "1.5 GiB"
std::string human_bytes(double bytes);

}  // namespace zwalk::apps
