// Memory that goes from one step of a call to the next.
#include "zwalk/core/keep_pages.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "zwalk/core/buffer.hpp"

using namespace zwalk;

namespace {

constexpr std::size_t mib = 1 << 20;
#if defined(ZWALK_KEEPS_PAGES)
constexpr std::size_t keeps = 1;
#else
constexpr std::size_t keeps = 0;
#endif

Buffer<char> filled(std::size_t size, char with) {
    Buffer<char> b(size * mib);
    std::fill(b.begin(), b.end(), with);
    return b;
}
bool is_filled(Buffer<char> const& b, char with) {
    return std::all_of(b.begin(), b.end(), [&](char c) { return c == with; });
}

}  // namespace

TEST_CASE("kept pages: what is freed is what comes next, whole, in part or of several pieces") {
    auto const before = filled(10, 'b');
    CHECK(detail::kept_bytes() == 0);
    std::optional<detail::KeepPages> keep(std::in_place);
    {
        auto const a = filled(8, 'a'), c = filled(9, 'c');
        (void)filled(1, 's');  // small ones are left to malloc
        CHECK(detail::kept_bytes() == 0);
    }
    CHECK(detail::kept_bytes() == keeps * 18 * mib);  // in pages of 2 MiB
    auto whole = filled(8, 'w');
    CHECK(detail::kept_bytes() == keeps * 10 * mib);
    (void)filled(10, 'x');
    CHECK(detail::kept_bytes() == keeps * 10 * mib);
    auto const more = filled(9, 'y');
    CHECK(detail::kept_bytes() == 0);
    whole = {};
    {
        auto const several = filled(30, 'z');  // what is kept, and fresh pages
        CHECK(detail::kept_bytes() == 0);
        CHECK(is_filled(more, 'y'));
        CHECK(is_filled(several, 'z'));
    }
    CHECK(detail::kept_bytes() == keeps * 30 * mib);
    auto const of_two = filled(26, 'o');  // of the two pieces that this was made of
    CHECK(detail::kept_bytes() == keeps * 4 * mib);
    auto const last = filled(20, 'l');
    CHECK(is_filled(of_two, 'o'));
    CHECK(is_filled(more, 'y'));
    CHECK(is_filled(before, 'b'));
    keep.reset();
    CHECK(detail::kept_bytes() == 0);
    CHECK(is_filled(of_two, 'o'));
    CHECK(is_filled(last, 'l'));
}

TEST_CASE("kept pages: no two blocks share any, however they were cut and joined") {
    detail::KeepPages const keep;
    { auto const a = filled(20, 'a'), b = filled(20, 'b'); }
    {
        auto const joined = filled(40, 'j');
        CHECK(detail::kept_bytes() == 0);
    }
    {
        auto const a = filled(20, 'a'), b = filled(20, 'b');
        CHECK(detail::kept_bytes() == 0);
        CHECK(is_filled(a, 'a'));
    }
    auto const a = filled(8, 'a'), b = filled(8, 'b'), c = filled(8, 'c'), d = filled(16, 'd');
    CHECK(detail::kept_bytes() == 0);
    CHECK(is_filled(a, 'a'));
    CHECK(is_filled(b, 'b'));
    CHECK(is_filled(c, 'c'));
    CHECK(is_filled(d, 'd'));
}

TEST_CASE("kept pages: calls in each other, and what outlives them") {
    Buffer<char> outlives;
    {
        detail::KeepPages const outer;
        {
            detail::KeepPages const inner;
            outlives = filled(12, 'o');
            (void)filled(12, 'x');
        }
        CHECK(detail::kept_bytes() == keeps * 12 * mib);  // the outer one goes on
    }
    CHECK(detail::kept_bytes() == 0);
    CHECK(is_filled(outlives, 'o'));
    outlives = {};
    CHECK(detail::kept_bytes() == 0);
}
