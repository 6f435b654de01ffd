// What ZWALK_HUGE_PAGES means.
#include "zwalk/core/huge_pages.hpp"

#include <doctest/doctest.h>

using namespace zwalk;
using detail::HugePages;

TEST_CASE("Huge pages: none, those of results, or all") {
    CHECK(detail::huge_pages(nullptr) == HugePages::results);
    for (char const* const other : {"", "2", "10", "yes"})
        CHECK(detail::huge_pages(other) == HugePages::results);
    CHECK(detail::huge_pages("0") == HugePages::none);
    CHECK(detail::huge_pages("1") == HugePages::all);
}
