// Sums of what comes before, against those of the library.
#include "zwalk/core/parallel_scan.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "zwalk/exec/cpu.hpp"

using namespace zwalk;

TEST_CASE("sums of what comes before, of any number of elements, in place or not") {
    std::mt19937 random(7);
    for (std::size_t n : {0, 1, 6, 7, 8, 100, 1000})
        for (std::size_t grain : {std::size_t(1), std::size_t(7), std::size_t(1) << 16})
            for (int threads : {1, 3}) {
                CAPTURE(n);
                CAPTURE(grain);
                CAPTURE(threads);
                std::vector<pos_t> in(n);
                for (pos_t& x : in) x = pos_t(random());
                std::vector<std::uint64_t> out(n), expected(n);
                std::exclusive_scan(in.begin(), in.end(), expected.begin(), std::uint64_t(0));
                Cpu(threads).run([&] { parallel_exclusive_scan(in.data(), out.data(), n, grain); });
                CHECK(out == expected);
                Cpu(threads).run([&] { parallel_exclusive_scan(out.data(), out.data(), n, grain); });
                std::exclusive_scan(expected.begin(), expected.end(), expected.begin(),
                                    std::uint64_t(0));
                CHECK(out == expected);
            }
}

TEST_CASE("a Cpu adds 32-bit numbers in 64 bits") {
    std::size_t const n = 300'001;
    std::vector<pos_t> const in(n, 4'000'000'000U);
    std::vector<size_type> out(n);
    for (int threads : {1, 4}) {
        Cpu(threads).exclusive_scan(in.data(), out.data(), n);
        for (std::size_t i = 0; i < n; i += 1000) REQUIRE(out[i] == i * 4'000'000'000ULL);
    }
}
