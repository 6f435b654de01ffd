#include "zwalk/tree/detail/node_counts.hpp"

#include <limits>

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

}  // namespace

std::vector<pos_t> leaf_gaps(Cpu const& cpu, std::span<level_t const> levels, TypeCounts const& counts,
                             pos_t n_max) {
    // A node that reaches `reach` positions to one side of a gap holds at least one point more, so
    // it holds more than n_max points of some type, and where it really ends does not matter.
    std::size_t const n = levels.size() - 1;
    std::size_t const reach = std::min<std::size_t>(n, counts.types() * std::size_t(n_max));
    if (n == 0) return {0};
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

std::vector<pos_t> node_counts(std::span<pos_t const> gaps, std::span<level_t const> levels,
                               TypeCounts const& counts) {
    std::vector<pos_t> n(gaps.size(), std::numeric_limits<pos_t>::max()), stack;
    nearest_higher(gaps.size(), levels.data(), stack, [&](pos_t i, pos_t left, pos_t right) {
        n[i] = counts.largest(gaps[left], gaps[right]);
    });
    return n;
}

}}  // namespace zwalk::v0
