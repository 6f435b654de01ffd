#include "zwalk/core/huge_pages.hpp"

#include <cstdlib>
#include <string_view>

namespace zwalk { inline namespace v0 {

detail::HugePages detail::huge_pages(char const* value) {
    std::string_view const word = value ? value : "";
    return word == "0" ? HugePages::none : word == "1" ? HugePages::all : HugePages::results;
}
detail::HugePages detail::huge_pages() {
    static HugePages const asked = huge_pages(std::getenv("ZWALK_HUGE_PAGES"));
    return asked;
}

}}  // namespace zwalk::v0
