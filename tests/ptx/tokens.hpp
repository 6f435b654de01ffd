// The words of PTX.
#pragma once
#include <string_view>
#include <vector>

namespace ptx {

struct Token {
    std::string_view
        text;  ///< a word with all its dots, a number, one other character, or a string with its quotes
    unsigned line;
    [[nodiscard]] bool is_word() const;
    [[nodiscard]] bool is_number() const { return text[0] >= '0' && text[0] <= '9'; }
};

/// Comments and lines that are for debuggers and assemblers only (.loc and the like) are left out.
std::vector<Token> tokens_of(std::string_view text);

}  // namespace ptx
