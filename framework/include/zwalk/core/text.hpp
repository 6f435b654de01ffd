// Text of errors and pages, for the library's own sources. fmt's formatting is compiled once, behind write_text: where fmt is all
// headers, as in a module that pip builds, each caller of fmt::format would have a copy of its own, 100 KB and three seconds long.
#pragma once
#include <fmt/format.h>

#include <string>

namespace zwalk { inline namespace v0 { namespace detail {

std::string write_text(fmt::string_view form, fmt::format_args args);

/// fmt::format.
template <class... Args>
std::string text(fmt::format_string<Args const&...> form, Args const&... args) {
    if constexpr (requires { form.get(); })
        return write_text(form.get(), fmt::make_format_args(args...));
    else return write_text(form, fmt::make_format_args(args...));  // fmt 9
}

}}}  // namespace zwalk::v0::detail
