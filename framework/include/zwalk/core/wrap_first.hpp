// The refusal of check_box() (validate.hpp) that programs have a remedy for, which is theirs to name.
#pragma once
#include <string_view>

namespace zwalk { inline namespace v0 {

/// The words of that refusal. Words, and no type of error: errors pass between ranks as words.
inline constexpr std::string_view wrap_first = "wrap them into one period first";
/// Whether these are the words of that refusal.
constexpr bool says_wrap_first(std::string_view message) {
    return message.starts_with("box: ") && message.ends_with(wrap_first);
}

}}  // namespace zwalk::v0
