// Memory that goes from one step of a call to the next.
#include "zwalk/core/keep_pages.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/buffer.hpp"
#include "zwalk/core/keep_memory.hpp"

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
    CHECK(kept_memory() == 0);
    std::optional<detail::KeepPages> keep(std::in_place);
    {
        auto const a = filled(8, 'a'), c = filled(9, 'c');
        (void)filled(1, 's');  // small ones are left to malloc
        CHECK(kept_memory() == 0);
    }
    CHECK(kept_memory() == keeps * 18 * mib);  // in pages of 2 MiB
    auto whole = filled(8, 'w');
    CHECK(kept_memory() == keeps * 10 * mib);
    (void)filled(10, 'x');
    CHECK(kept_memory() == keeps * 10 * mib);
    auto const more = filled(9, 'y');
    CHECK(kept_memory() == 0);
    whole = {};
    {
        auto const several = filled(30, 'z');  // what is kept, and fresh pages
        CHECK(kept_memory() == 0);
        CHECK(is_filled(more, 'y'));
        CHECK(is_filled(several, 'z'));
    }
    CHECK(kept_memory() == keeps * 30 * mib);
    auto const of_two = filled(26, 'o');  // of the two pieces that this was made of
    CHECK(kept_memory() == keeps * 4 * mib);
    auto const last = filled(20, 'l');
    CHECK(is_filled(of_two, 'o'));
    CHECK(is_filled(more, 'y'));
    CHECK(is_filled(before, 'b'));
    keep.reset();
    CHECK(kept_memory() == 0);
    CHECK(is_filled(of_two, 'o'));
    CHECK(is_filled(last, 'l'));
}

TEST_CASE("kept pages: no two blocks share any, however they were cut and joined") {
    detail::KeepPages const keep;
    { auto const a = filled(20, 'a'), b = filled(20, 'b'); }
    {
        auto const joined = filled(40, 'j');
        CHECK(kept_memory() == 0);
    }
    {
        auto const a = filled(20, 'a'), b = filled(20, 'b');
        CHECK(kept_memory() == 0);
        CHECK(is_filled(a, 'a'));
    }
    auto const a = filled(8, 'a'), b = filled(8, 'b'), c = filled(8, 'c'), d = filled(16, 'd');
    CHECK(kept_memory() == 0);
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
        CHECK(kept_memory() == keeps * 12 * mib);  // the outer one goes on
    }
    CHECK(kept_memory() == 0);
    CHECK(is_filled(outlives, 'o'));
    outlives = {};
    CHECK(kept_memory() == 0);
}

TEST_CASE("kept memory: from call to call, as much as allowed, and counted as free") {
    (void)filled(40, 'n');
    CHECK(kept_memory() == 0);
    keep_memory(30 * mib);
    auto const free = available_memory();
    (void)filled(20, 'a');
    CHECK(kept_memory() == keeps * 20 * mib);
    CHECK(double(available_memory()) > 0.9 * double(free));
    {
        auto const b = filled(20, 'b'), c = filled(20, 'c');
        CHECK(kept_memory() == 0);
    }
    CHECK(kept_memory() == keeps * 30 * mib);  // not all that was freed
    {
        detail::KeepPages const keep;
        { auto const d = filled(20, 'd'), e = filled(20, 'e'); }
        CHECK(kept_memory() == keeps * 40 * mib);  // within a call all of it
    }
    CHECK(kept_memory() == keeps * 30 * mib);
    auto const last = filled(24, 'l');
    CHECK(kept_memory() == keeps * 6 * mib);
    keep_memory(3 * mib);
    CHECK(kept_memory() == keeps * 2 * mib);  // in pages of 2 MiB
    keep_memory(0);
    CHECK(kept_memory() == 0);
    CHECK(is_filled(last, 'l'));
}
