// sort_few against std::sort, by each instruction set.
#include "zwalk/exec/sort_few.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace zwalk;

namespace {

/// n different keys: all bits, the upper bits and the sign alone, small ones, in order, and backwards.
std::vector<std::uint64_t> keys_of(int kind, std::size_t n) {
    std::mt19937_64 random(n * 8 + std::size_t(kind));
    std::vector<std::uint64_t> keys(n);
    for (std::size_t i = 0; i < n; ++i)
        keys[i] = kind == 0   ? random()
                  : kind == 1 ? (random() & 0xc000000000000000) | i
                              : std::uint64_t(i) - (kind == 2 ? n / 2 : 0);
    if (kind == 2) std::shuffle(keys.begin(), keys.end(), random);
    if (kind == 4) std::reverse(keys.begin(), keys.end());
    std::vector<std::uint64_t> sorted(keys);
    std::sort(sorted.begin(), sorted.end());
    REQUIRE(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
    return keys;
}

}  // namespace

TEST_CASE("few keys come in order") {
    for (Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
        if (isa > best_isa()) continue;
        for (int kind = 0; kind < 5; ++kind)
            for (std::size_t n = 0; n <= few_keys + 9; ++n) {
                CAPTURE(name_of(isa));
                CAPTURE(kind);
                CAPTURE(n);
                auto keys = keys_of(kind, n), expected = keys;
                std::sort(expected.begin(), expected.end());
                sort_few(keys, isa);
                REQUIRE(keys == expected);
            }
    }
}
