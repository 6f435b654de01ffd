// Real numbers from text: std::from_chars, also where the C++ library lacks it.
#pragma once
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

// libc++ has it from version 20 on, and defines no macro of the standard for it.
#if defined(__cpp_lib_to_chars) || !defined(_LIBCPP_VERSION) || _LIBCPP_VERSION >= 200000
#define ZWALK_REAL_FROM_CHARS 1
#else
#define ZWALK_REAL_FROM_CHARS 0
#endif

namespace zwalk::io {

/// As std::from_chars, by the C library, which takes more: white space and a plus in front, hexadecimal digits.
/// (The program never sets a locale, so the decimal point is a point.)
template <class T>
std::from_chars_result real_by_strtod(char const* begin, char const* end, T& value) {
    std::string const text(begin, end);
    std::size_t const minus = text.starts_with('-');
    auto const behind = [&](std::size_t i) { return i < text.size() ? text[i] : '\0'; };
    char const first = behind(minus);
    bool const word = (first | 32) == 'i' || (first | 32) == 'n';
    if (!word && first != '.' && (first < '0' || first > '9'))
        return {begin, std::errc::invalid_argument};
    if (first == '0' && (behind(minus + 1) | 32) == 'x') {
        value = minus ? -T(0) : T(0);
        return {begin + minus + 1, std::errc()};
    }
    char* stop = nullptr;
    errno = 0;
    T found;
    if constexpr (sizeof(T) == 4) found = std::strtof(text.c_str(), &stop);
    else found = std::strtod(text.c_str(), &stop);
    if (stop == text.c_str()) return {begin, std::errc::invalid_argument};
    char const* const at = begin + (stop - text.c_str());
    // It is said of numbers below the normal ones, too, which are as good as others.
    if (errno == ERANGE && (std::isinf(found) || found == 0))
        return {at, std::errc::result_out_of_range};
    value = found;
    return {at, std::errc()};
}

/// As std::from_chars.
template <class T>
std::from_chars_result real_from_chars(char const* begin, char const* end, T& value) {
#if ZWALK_REAL_FROM_CHARS
    return std::from_chars(begin, end, value);
#else
    return real_by_strtod(begin, end, value);
#endif
}

}  // namespace zwalk::io
