#include "zwalk/tree/detail/node_counts.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "cut_planes.hpp"
#include "zwalk/exec/isa.hpp"
#include "zwalk/exec/simd.hpp"

namespace zwalk { inline namespace v0 {
namespace {

/// Calls found(i, left, right) for i = 1..n-2, where left and right are the nearest elements with
/// a higher level than element i; elements 0 and n-1 count as higher than all. Elements wait on a
/// stack of falling levels until a higher one comes. O(n).
template <class Found>
void nearest_higher(std::size_t n, level_t const* level, std::vector<pos_t>& stack, Found const& found) {
    stack.assign(1, 0);
    for (pos_t right = 1; right < n; ++right) {
        bool const last = right + 1 == n;
        while (stack.size() > 1 && (last || level[stack.back()] < level[right])) {
            pos_t const i = stack.back();
            stack.pop_back();
            found(i, stack.back(), right);
        }
        stack.push_back(right);
    }
}

constexpr std::size_t least_chunk = 1 << 16;

/// The gaps that are the highest of some `window` gaps in a row, the first of several: those whose node has more than `window`
/// points. No stack, whose pops no CPU foresees, but maxima of 2, 4, 8, ... gaps in a row, lane by lane: a sixth of the time.
class HighestOfWindows {
    static constexpr std::size_t block = 1024, lanes = std::size_t(simd_width<float>);

  public:
    /// Maxima of windows overlap by so much of a block.
    static constexpr pos_t largest_window = block / 2;

    HighestOfWindows(level_t const* level, std::size_t gaps, pos_t window)
        : level_(level), window_(window), windows_(gaps < window ? 0 : gaps - window + 1) {}

    /// Windows: they begin at gaps 0, ..., windows() - 1.
    [[nodiscard]] std::size_t windows() const { return windows_; }
    /// found(gap), ascending, for the highest ones of windows [begin, end).
    template <class Found>
    void find(std::size_t begin, std::size_t end, Found const& found) const {
        std::size_t const step = block - window_ + 1;
        Keys a, b;
        b.fill(lowest);
        std::size_t last = std::size_t(-1);
        for (; begin < end; begin += step) {
            std::size_t const count = std::min(step, end - begin);
            Keys const& highest = maxima(begin, count, a, b);
            for (std::size_t i = 0; i < count; ++i) {
                std::size_t const gap = begin + (block - 1 - std::size_t(highest[i]) % block);
                if (gap != last) found(last = gap);
            }
        }
    }

  private:
    /// Keys of gaps and, behind them, what may be read beyond a block.
    using Keys = std::array<level_t, block + largest_window>;
    static constexpr level_t lowest = std::numeric_limits<level_t>::min();

    /// The largest key of each of `count` windows from gap `begin` on. A key is a level, and below it the gap's place in the
    /// block, first places above later ones: 10 bits beside the 21 of levels.
    Keys const& maxima(std::size_t begin, std::size_t count, Keys& a, Keys& b) const {
        std::size_t const gaps = count + window_ - 1;
        for (std::size_t i = 0; i < gaps; ++i)
            a[i] = level_[begin + i] * level_t(block) + level_t(block - 1 - i);
        std::fill(a.begin() + std::ptrdiff_t(gaps), a.end(), lowest);
        Keys *from = &a, *to = &b;
        std::size_t length = 1;  // of the windows whose maxima are in *from
        for (std::size_t by; length < window_; length += by, std::swap(from, to)) {
            by = std::min(length, window_ - length);
            with_isa(best_isa(), [&]<Isa>() { maxima_of_two(*from, by, *to); });
        }
        return *from;
    }
    static ZWALK_INLINE void maxima_of_two(Keys const& from, std::size_t by, Keys& to) {
        for (std::size_t i = 0; i < block; i += lanes) {
            ZWALK_SIMD_LOOP
            for (std::size_t l = i; l < i + lanes; ++l) to[l] = std::max(from[l], from[l + by]);
        }
    }

    level_t const* level_;
    std::size_t window_, windows_;
};

/// leaf_gaps() of one type of points.
std::vector<pos_t> leaf_gaps_of_one_type(Cpu const& cpu, std::span<level_t const> levels, pos_t n_max) {
    std::size_t const n = levels.size() - 1;
    HighestOfWindows const highest(levels.data() + 1, n - 1, n_max);
    std::size_t const chunks = highest.windows() / least_chunk + 1;
    std::vector<std::vector<pos_t>> kept(chunks);
    cpu.run([&] {
        parallel_for(chunks, 1, [&](std::size_t c, std::size_t last) {
            for (; c < last; ++c) {
                std::size_t const begin = c * highest.windows() / chunks,
                                  end = (c + 1) * highest.windows() / chunks;
                highest.find(begin, end, [&](std::size_t gap) { kept[c].push_back(pos_t(gap + 1)); });
            }
        });
    });
    std::vector<pos_t> gaps{0};
    for (auto const& part : kept) {
        // A gap may be the highest of the last windows of one chunk and of the first of the next.
        bool const again = !part.empty() && part.front() == gaps.back();
        gaps.insert(gaps.end(), part.begin() + again, part.end());
    }
    gaps.push_back(pos_t(n));
    return gaps;
}

}  // namespace

template <class Counts>
std::vector<pos_t> detail::leaf_gaps_by(Cpu const& cpu, std::span<level_t const> levels,
                                        Counts const& counts, pos_t n_max) {
    // A node that reaches `reach` positions to one side of a gap holds at least one point more, so
    // it holds more than n_max points of some type, and where it really ends does not matter.
    std::size_t const n = levels.size() - 1;
    std::size_t const reach = std::min<std::size_t>(n, counts.types() * std::size_t(n_max));
    if (n == 0) return {0};
    if (counts.types() == 1 && n_max <= HighestOfWindows::largest_window)
        return leaf_gaps_of_one_type(cpu, levels, n_max);
    // No larger than n: of few queries the tree is made in microseconds, which clearing 64 K would double.
    std::size_t const chunk = std::min(n, std::max(least_chunk, 4 * reach));
    std::size_t const chunks = (n + chunk - 1) / chunk;
    std::vector<std::vector<pos_t>> kept(chunks);
    cpu.run([&] {
        parallel_for(chunks, 1, [&](std::size_t c, std::size_t last_chunk) {
            std::vector<pos_t> stack;
            std::vector<std::uint8_t> keep(chunk);
            for (; c < last_chunk; ++c) {
                std::size_t const begin = c * chunk, end = std::min(n, begin + chunk);
                std::size_t const from = begin - std::min(begin, reach);
                std::size_t const to = std::min(n, end + reach);
                std::fill(keep.begin(), keep.end(), 0);
                auto decide = [&](pos_t i, pos_t left, pos_t right) {
                    std::size_t const gap = from + i;
                    if (gap < begin || gap >= end) return;
                    keep[gap - begin] = counts.largest(pos_t(from + left), pos_t(from + right)) > n_max;
                };
                nearest_higher(to - from + 1, levels.data() + from, stack, decide);
                if (c == 0) keep[0] = 1;
                for (std::size_t i = begin; i < end; ++i)
                    if (keep[i - begin]) kept[c].push_back(pos_t(i));
            }
        });
    });
    std::vector<pos_t> gaps;
    for (auto const& part : kept) gaps.insert(gaps.end(), part.begin(), part.end());
    gaps.push_back(pos_t(n));
    return gaps;
}

template <class Counts>
std::vector<pos_t> detail::node_counts_by(std::span<pos_t const> gaps, std::span<level_t const> levels,
                                          Counts const& counts) {
    std::vector<pos_t> n(gaps.size(), std::numeric_limits<pos_t>::max()), stack;
    nearest_higher(gaps.size(), levels.data(), stack, [&](pos_t i, pos_t left, pos_t right) {
        n[i] = counts.largest(gaps[left], gaps[right]);
    });
    return n;
}

#define ZWALK_COUNTS(Counts)                                                               \
    template std::vector<pos_t> detail::leaf_gaps_by(Cpu const&, std::span<level_t const>, \
                                                     Counts const&, pos_t);                \
    template std::vector<pos_t> detail::node_counts_by(std::span<pos_t const>,             \
                                                       std::span<level_t const>, Counts const&);
ZWALK_COUNTS(TypeCounts)
ZWALK_COUNTS(detail::TargetCounts)

std::vector<pos_t> leaf_gaps(Cpu const& cpu, std::span<level_t const> levels, TypeCounts const& counts,
                             pos_t n_max) {
    return detail::leaf_gaps_by(cpu, levels, counts, n_max);
}
std::vector<pos_t> node_counts(std::span<pos_t const> gaps, std::span<level_t const> levels,
                               TypeCounts const& counts) {
    return detail::node_counts_by(gaps, levels, counts);
}

}}  // namespace zwalk::v0
