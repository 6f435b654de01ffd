// Keys and rows in one word, and their sort, against the library's.
#include "zwalk/zorder/words.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "support/everywhere.hpp"
#include "zorder/morton.hpp"
#include "zwalk/exec/cpu.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

/// `bits` of a word in which keys differ; the others are ones.
struct KeyKind {
    char const* name;
    std::uint64_t differing;
};
constexpr KeyKind key_kinds[] = {{"all bits", ~0ULL},
                                 {"the upper bits", 0xfff0000000000000},
                                 {"the middle", 0x3ffffc0000},
                                 {"the lower bits", 0x7ff00000},
                                 {"one bit", 1ULL << 40},
                                 {"none", 0},
                                 {"a few of each", 0x8001000100f00000}};

std::vector<std::uint64_t> words_of(std::mt19937_64& g, std::size_t n, std::uint64_t differing,
                                    WordLayout layout) {
    std::vector<std::uint64_t> words(n);
    for (std::size_t i = 0; i < n; ++i) words[i] = layout.word(g() | ~differing, pos_t(i));
    return words;
}

}  // namespace

TEST_CASE("words hold the upper bits of a key, and the row") {
    CHECK(WordLayout(1).row_bits == 1);
    CHECK(WordLayout(2).row_bits == 1);
    CHECK(WordLayout(3).row_bits == 2);
    CHECK(WordLayout(1 << 20).row_bits == 20);
    CHECK(WordLayout((1 << 20) + 1).row_bits == 21);
    WordLayout const layout(max_points);
    CHECK(layout.row_bits == 31);
    auto const word = layout.word(~0ULL, pos_t(max_points - 1));
    CHECK(layout.row(word) == max_points - 1);
    CHECK(layout.key(word) == ~0ULL >> 31);
}

TEST_CASE("words: sorted by key and then by row, on any number of threads") {
    std::mt19937_64 g(test_seed());
    // Around the least size of a radix sort and of a further chunk, and with rows in few and many bits.
    for (std::size_t n : {0U, 1U, 2U, 4095U, 4096U, 5000U, 131072U, 200001U})
        for (KeyKind const& kind : key_kinds)
            for (std::size_t rows : {n, max_points}) {
                CAPTURE(n);
                CAPTURE(kind.name);
                CAPTURE(rows);
                WordLayout const layout(rows);
                auto const words = words_of(g, n, kind.differing, layout);
                auto expected = words;
                std::sort(expected.begin(), expected.end());
                for (int threads : {1, 2, 5}) {
                    auto sorted = words;
                    std::vector<std::uint64_t> copy(n);
                    Cpu(threads).run([&] { sort_words(sorted, copy, layout); });
                    CHECK(sorted == expected);
                }
            }
}

TEST_CASE("words: stretches of equal keys") {
    WordLayout const layout(8);
    std::vector<std::uint64_t> words;
    for (std::uint64_t key : {1, 2, 2, 3, 4, 4, 4, 5})
        words.push_back(layout.word(key << 10, pos_t(words.size())));
    auto const stretches = equal_key_stretches(words, layout);
    REQUIRE(stretches.size() == 2);
    CHECK((stretches[0].begin == 1 && stretches[0].end == 3));
    CHECK((stretches[1].begin == 4 && stretches[1].end == 7));
    CHECK(equal_key_stretches({}, layout).empty());
}

TEST_CASE("words: stretches of equal keys that many pieces look for") {
    constexpr std::size_t n = 300000, cut = n / 5;  // 5 pieces look
    WordLayout const layout(n);
    struct Stretch {
        std::size_t begin, end;
    };
    // Over several pieces; to a cut and from one; from the first word and to the last one; none; all.
    for (std::vector<Stretch> const& expected : {std::vector<Stretch>{{cut - 7, 4 * cut + 3}},
                                                 {{cut - 2, cut}, {cut, cut + 5}},
                                                 {{0, 2}, {10, cut + 1}, {n - 3, n}},
                                                 {},
                                                 {{0, n}}}) {
        std::vector<std::uint64_t> words(n);
        std::uint64_t key = 0;
        std::size_t next = 0;
        for (std::size_t i = 0; i < n; ++i) {
            while (next < expected.size() && expected[next].end <= i) ++next;
            bool const inside = next < expected.size() && expected[next].begin < i;
            key += !inside;
            words[i] = layout.word(key << layout.row_bits, pos_t(i));
        }
        for (int threads : {1, 3}) {
            auto const found = Cpu(threads).run([&] { return equal_key_stretches(words, layout); });
            REQUIRE(found.size() == expected.size());
            for (std::size_t i = 0; i < found.size(); ++i)
                CHECK((found[i].begin == expected[i].begin && found[i].end == expected[i].end));
        }
    }
}
