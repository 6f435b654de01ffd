// The refusal of check_box() (validate.hpp) that programs know a remedy for, which is theirs to name.
#pragma once
#include <string_view>

namespace zwalk::inline v0 {

/// How it says that points span more than the box. Words, and no type of error: ranks hear of each other's errors in words.
inline constexpr std::string_view wrap_first = "wrap them into one period first";
/// Whether these are the words of that refusal.
constexpr bool says_wrap_first(std::string_view message) {
    return message.starts_with("box: ") && message.ends_with(wrap_first);
}

}  // namespace zwalk::inline v0
