// Sums that many threads add to at once.
#include "zwalk/exec/shared_sums.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <thread>
#include <vector>

using namespace zwalk;

TEST_CASE("shared sums: nothing is lost between threads, nor between words") {
    constexpr int threads = 4;
    constexpr std::int64_t each = 20000;
    FixedSum const large = FixedSum(1) << 100;
    SharedSum sum;
    std::uint64_t count = 0;
    auto const addend = [&](int t, std::int64_t i) -> FixedSum {
        FixedSum const n = i * 0x1234567 + t;
        return i % 3 == 0 ? large + n : i % 3 == 1 ? -large - (n << 40) : (n << 50) - 1;
    };
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t)
        all.emplace_back([&, t] {
            for (std::int64_t i = 0; i < each; ++i) {
                shared_add(&sum, addend(t, i));
                shared_add(&count, 1);
            }
        });
    for (auto& thread : all) thread.join();
    FixedSum expected = 0;
    for (int t = 0; t < threads; ++t)
        for (std::int64_t i = 0; i < each; ++i) expected += addend(t, i);
    CHECK((sum.value() == expected));
    CHECK(count == threads * each);
}

TEST_CASE("shared sums: carries and signs") {
    std::int64_t const most = std::numeric_limits<std::int64_t>::max();
    for (FixedSum const a : {FixedSum(0), FixedSum(1), FixedSum(-1), FixedSum(most),
                             FixedSum(most) * most, -FixedSum(most) * most, FixedSum(std::uint64_t(-1))})
        for (FixedSum const b :
             {FixedSum(0), FixedSum(1), FixedSum(-1), FixedSum(most) * 2 + 1, -FixedSum(most)}) {
            SharedSum sum;
            shared_add(&sum, a);
            shared_add(&sum, b);
            CHECK((sum.value() == a + b));
        }
}

TEST_CASE("shared bits: each of them stays, whoever sets it") {
    std::uint64_t bits = 1;
    std::vector<std::thread> all;
    for (int t = 0; t < 4; ++t)
        all.emplace_back([&, t] {
            for (int i = t; i < 63; i += 4) shared_or(&bits, std::uint64_t(3) << i);
        });
    for (auto& thread : all) thread.join();
    CHECK(bits == ~std::uint64_t(0));
}
