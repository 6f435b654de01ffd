// Sorting keys, whatever they were made of: the part of the z-sort that needs no points.
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "zwalk/core/index.hpp"

namespace zwalk { inline namespace v0 {

/// A key and a row in one word, so that one integer comparison orders both: the upper bits of the key
/// above as many bits as the rows need. Half the memory of a key beside a row, and equal keys come out
/// in the order of their rows.
struct WordLayout {
    int row_bits = 1;

    /// For rows 0 ... rows - 1.
    explicit WordLayout(std::size_t rows) : row_bits(rows > 2 ? std::bit_width(rows - 1) : 1) {}

    [[nodiscard]] std::uint64_t row_mask() const { return (std::uint64_t(1) << row_bits) - 1; }
    [[nodiscard]] std::uint64_t word(std::uint64_t key, pos_t row) const {
        return (key & ~row_mask()) | row;
    }
    [[nodiscard]] pos_t row(std::uint64_t word) const { return pos_t(word & row_mask()); }
    [[nodiscard]] std::uint64_t key(std::uint64_t word) const { return word >> row_bits; }
};

/// Words [begin, end) that share one key.
struct KeyStretch {
    std::size_t begin, end;
};

/// Sorts words whose equal keys are in the order of their rows. O(N) for keys that differ early, on the
/// threads of the calling arena (call inside Cpu::run).
///
/// @param copy  room for as many words
void sort_words(std::span<std::uint64_t> words, std::span<std::uint64_t> copy, WordLayout layout);

/// f(begin, end) for every stretch of two or more words that agree from bit `low` on, in order. O(N).
template <class F>
void for_each_stretch(std::span<std::uint64_t const> words, int low, F const& f) {
    for (std::size_t i = 0, n = words.size(); i + 1 < n;) {
        std::size_t end = i + 1;
        while (end < n && (words[end] ^ words[i]) >> low == 0) ++end;
        if (end - i > 1) f(i, end);
        i = end;
    }
}

/// The stretches of two or more equal keys in sorted words, in order. O(N).
std::vector<KeyStretch> equal_key_stretches(std::span<std::uint64_t const> words, WordLayout layout);

}}  // namespace zwalk::v0
