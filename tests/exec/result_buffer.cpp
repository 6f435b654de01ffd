#include "zwalk/exec/result_buffer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "zwalk/core/huge_pages.hpp"

using namespace zwalk;

TEST_CASE("result buffers of any size are there to be written and read") {
    for (std::size_t n : {0, 1, 1000, 1 << 20, (1 << 20) + 1, 5'000'000})
        for (int threads : {1, 3}) {
            auto buffer = result_buffer<double>(Cpu(threads), n);
            REQUIRE(buffer.size() == n);
            for (std::size_t i = 0; i < n; ++i) buffer[i] = double(i);
            for (std::size_t i = 0; i < n; i += 977) REQUIRE(buffer[i] == double(i));
        }
}

TEST_CASE("buffers of a Cpu of any size are there to be written and read") {
    for (std::size_t n : {0, 1, 1000, 1 << 17, (1 << 17) + 1, 5'000'000})
        for (int threads : {1, 3}) {
            auto buffer = Cpu(threads).buffer<double>(n);
            REQUIRE(buffer.size() == n);
            for (std::size_t i = 0; i < n; ++i) buffer[i] = double(i);
            for (std::size_t i = 0; i < n; i += 977) REQUIRE(buffer[i] == double(i));
        }
}

TEST_CASE("huge pages are set up within the memory that is given, wherever it begins") {
    constexpr std::size_t huge_page = 2 << 20;
    std::vector<char> all(8 * huge_page + 2);
    for (std::size_t begin : {std::size_t(0), std::size_t(1), huge_page - 1, huge_page, huge_page + 1})
        for (std::size_t bytes = 0; begin + bytes <= all.size(); bytes += huge_page / 2) {
            CAPTURE(begin);
            CAPTURE(bytes);
            std::fill(all.begin(), all.end(), 1);
            detail::set_up_huge_pages(Cpu(2), all.data() + begin, bytes);
            auto const touched = [](char c) { return c != 1; };
            REQUIRE(std::none_of(all.begin(), all.begin() + std::ptrdiff_t(begin), touched));
            REQUIRE(std::none_of(all.begin() + std::ptrdiff_t(begin + bytes), all.end(), touched));
#if defined(__linux__)
            if (bytes >= 2 * huge_page) REQUIRE(std::any_of(all.begin(), all.end(), touched));
#endif
            if (bytes < huge_page) REQUIRE(std::none_of(all.begin(), all.end(), touched));
        }
}

TEST_CASE("results of less than 8 MB have small pages") {
    CHECK_FALSE(detail::gets_huge_pages(0));
    CHECK_FALSE(detail::gets_huge_pages((8 << 20) - 1));
#if defined(__linux__)
    CHECK(detail::gets_huge_pages(8 << 20) == (detail::huge_pages() != detail::HugePages::none));
#endif
}
