#include "zwalk/zorder/words.hpp"

#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <utility>

#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/sort_few.hpp"

namespace zwalk { inline namespace v0 {
namespace {

// A radix sort of our own, because no library's comes near: for 1e6 words of uniform points on one thread
// it takes 8 ns per word, pdqsort_branchless 22, spreadsort 27, std::sort 60; for 1e7 11, 25 and 36 ns.
constexpr int digit_bits = 11, first_passes = 3;
constexpr std::size_t digits = std::size_t(1) << digit_bits;
/// Shorter ranges go to pdqsort: counting digits would take longer.
constexpr std::size_t least_radix = 1 << 12;
/// Words per task: many times what counting its digits costs.
constexpr std::size_t least_chunk = 1 << 16;

/// One stable pass by the digit from bit `low` on: count per chunk and digit, scan, deal out.
void radix_pass(std::span<std::uint64_t const> from, std::span<std::uint64_t> to, int low) {
    std::size_t const n = from.size();
    auto const threads = std::size_t(tbb::this_task_arena::max_concurrency());
    std::size_t const chunks = std::clamp(n / least_chunk, std::size_t(1), threads);
    auto const chunk_begin = [&](std::size_t c) { return c * n / chunks; };
    std::vector<std::array<pos_t, digits>> place(chunks);
    auto const digit = [&](std::uint64_t word) { return std::size_t(word >> low) % digits; };
    parallel_for(chunks, 1, [&](std::size_t c, std::size_t last) {
        for (; c < last; ++c) {
            place[c].fill(0);
            for (std::size_t i = chunk_begin(c); i < chunk_begin(c + 1); ++i) ++place[c][digit(from[i])];
        }
    });
    pos_t sum = 0;
    for (std::size_t d = 0; d < digits; ++d)
        for (auto& p : place) sum += std::exchange(p[d], sum);
    parallel_for(chunks, 1, [&](std::size_t c, std::size_t last) {
        for (; c < last; ++c)
            for (std::size_t i = chunk_begin(c); i < chunk_begin(c + 1); ++i)
                to[place[c][digit(from[i])]++] = from[i];
    });
}

/// Sorts stably by the bits from `low` on, up to low + passes * digit_bits. The result is in `words` or in
/// `copy`: returns which.
std::span<std::uint64_t> radix_sort(std::span<std::uint64_t> words, std::span<std::uint64_t> copy,
                                    int low, int passes) {
    auto from = words, to = copy;
    for (int pass = 0; pass < passes; ++pass) {
        radix_pass(from, to, low + pass * digit_bits);
        std::swap(from, to);
    }
    return from;
}

/// Sorts words that agree above bit `high` by the rest of their keys.
void sort_rest(std::span<std::uint64_t> words, std::span<std::uint64_t> copy, WordLayout layout,
               int high) {
    if (words.size() < least_radix) return sort_few(words);
    if (high <= layout.row_bits) return;
    // The last pass may reach above `high`, where there is nothing to tell apart.
    int const passes = (high - layout.row_bits + digit_bits - 1) / digit_bits;
    auto const sorted = radix_sort(words, copy, layout.row_bits, passes);
    if (sorted.data() != words.data()) std::copy(sorted.begin(), sorted.end(), words.begin());
}

/// The places of `pieces` cuts, and the end, that lie between words that differ from bit `low` on.
std::vector<std::size_t> cuts_between_stretches(std::span<std::uint64_t const> words, int low,
                                                std::size_t pieces) {
    std::size_t const n = words.size();
    std::vector<std::size_t> cut(pieces + 1);
    for (std::size_t p = 0; p <= pieces; ++p) {
        cut[p] = p * n / pieces;
        while (cut[p] > 0 && cut[p] < n && (words[cut[p]] ^ words[cut[p] - 1]) >> low == 0) ++cut[p];
    }
    return cut;
}

}  // namespace

void sort_words(std::span<std::uint64_t> words, std::span<std::uint64_t> copy, WordLayout layout) {
    auto const threads = std::size_t(tbb::this_task_arena::max_concurrency());
    if (words.size() < least_radix) return sort_few(words);
    constexpr int low = 64 - first_passes * digit_bits;
    auto const sorted = radix_sort(words, copy, low, first_passes);
    // The upper bits tell most points apart. What they don't lies side by side: sorted again in the
    // cache, unless there is much of it.
    auto const cut =
        cuts_between_stretches(sorted, low, std::min(words.size() / least_chunk + 1, 8 * threads));
    parallel_for(cut.size() - 1, 1, [&](std::size_t p, std::size_t last) {
        for (; p < last; ++p) {
            if (cut[p] >= cut[p + 1]) continue;  // one stretch spans several cuts
            auto const piece = words.subspan(cut[p], cut[p + 1] - cut[p]);
            auto const spare = copy.subspan(cut[p], piece.size());
            if (sorted.data() != words.data()) std::copy(spare.begin(), spare.end(), piece.begin());
            for_each_stretch(piece, low, [&](std::size_t begin, std::size_t end) {
                sort_rest(piece.subspan(begin, end - begin), spare.subspan(begin, end - begin), layout,
                          low);
            });
        }
    });
}

std::vector<KeyStretch> equal_key_stretches(std::span<std::uint64_t const> words, WordLayout layout) {
    std::size_t const n = words.size(), pieces = n / least_chunk + 1;
    auto const equal = [&](std::size_t i, std::size_t j) {
        return layout.key(words[i]) == layout.key(words[j]);
    };
    // A piece has the stretches that begin in it, to their ends.
    std::vector<std::vector<KeyStretch>> found(pieces);
    auto const look_in = [&](std::size_t piece) {
        std::size_t i = piece * n / pieces, last = (piece + 1) * n / pieces;
        while (i > 0 && i < last && equal(i, i - 1)) ++i;
        while (i < last) {
            std::size_t end = i + 1;
            while (end < n && equal(end, i)) ++end;
            if (end - i > 1) found[piece].push_back({i, end});
            i = end;
        }
    };
    if (pieces == 1) {
        look_in(0);
        return std::move(found[0]);
    }
    parallel_for(pieces, 1, [&](std::size_t piece, std::size_t last) {
        for (; piece < last; ++piece) look_in(piece);
    });
    std::vector<std::size_t> before(pieces + 1, 0);
    for (std::size_t p = 0; p < pieces; ++p) before[p + 1] = before[p] + found[p].size();
    std::vector<KeyStretch> all(before[pieces]);
    parallel_for(pieces, 1, [&](std::size_t piece, std::size_t last) {
        for (; piece < last; ++piece)
            std::copy(found[piece].begin(), found[piece].end(),
                      all.begin() + std::ptrdiff_t(before[piece]));
    });
    return all;
}

}}  // namespace zwalk::v0
