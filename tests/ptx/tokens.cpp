#include "ptx/tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace ptx {
namespace {

bool in_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' ||
           c == '.';
}

class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    std::vector<Token> all() {
        std::vector<Token> tokens;
        while (at_ < text_.size()) {
            std::size_t const begin = at_;
            unsigned const line = line_;
            if (skipped()) continue;
            read_one();
            std::string_view const token = text_.substr(begin, at_ - begin);
            if (std::ranges::find(for_others, token) != for_others.end()) skip_line();
            else tokens.push_back({token, line});
        }
        return tokens;
    }

  private:
    static constexpr std::array<std::string_view, 5> for_others = {".loc", ".file", ".version",
                                                                   ".target", ".address_size"};

    [[nodiscard]] bool here(std::string_view what) const {
        return text_.substr(at_, what.size()) == what;
    }
    void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

    /// Goes over a space, the end of the text that C gives it, or a comment, if there is one.
    bool skipped() {
        char const c = text_[at_];
        if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\0') {
            line_ += c == '\n';
            ++at_;
            return true;
        }
        if (here("//")) {
            skip_line();
            return true;
        }
        if (!here("/*")) return false;
        std::size_t const end = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
        line_ += unsigned(std::count(text_.begin() + long(at_), text_.begin() + long(end), '\n'));
        at_ = end;
        return true;
    }
    void read_one() {
        if (text_[at_] == '"') {
            at_ = std::min(text_.find('"', at_ + 1), text_.size() - 1) + 1;
            return;
        }
        if (!in_word(text_[at_++])) return;
        for (;;) {  // L1::no_allocate is one word, but a label's colon is not in it
            bool const colons = here("::") && at_ + 2 < text_.size() && in_word(text_[at_ + 2]);
            if (colons) at_ += 2;
            else if (at_ < text_.size() && in_word(text_[at_])) ++at_;
            else return;
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    unsigned line_ = 1;
};

}  // namespace

bool Token::is_word() const { return in_word(text[0]) && !is_number(); }

std::vector<Token> tokens_of(std::string_view text) { return Reader(text).all(); }

}  // namespace ptx
