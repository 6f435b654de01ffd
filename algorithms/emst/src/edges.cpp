#include "edges.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <span>

#include "zwalk/core/parallel_sort.hpp"
#include "zwalk/zorder/words.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

constexpr std::size_t grain = 1 << 14;
constexpr std::size_t edges_per_task = 1 << 10, long_tie = 1 << 12;  // which is worth several threads

// Squared lengths are >= 0, so that they order like their bits.
std::uint64_t bits_of(float w2) { return std::uint64_t(std::bit_cast<std::uint32_t>(w2)) << 32; }
std::uint64_t bits_of(double w2) { return std::bit_cast<std::uint64_t>(w2); }

template <class T>
void sort_tied(std::span<Edge<T>> edges) {
    if (edges.size() < long_tie) std::sort(edges.begin(), edges.end());
    else parallel_sort(edges.begin(), edges.end(), std::less<>{});
}

template <class T>
Buffer<Edge<T>> sorted(Cpu const& cpu, std::span<Edge<T> const> edges) {
    std::size_t const n = edges.size();
    WordLayout const layout(n);
    auto words = cpu.buffer<std::uint64_t>(n), copy = cpu.buffer<std::uint64_t>(n);
    auto out = cpu.buffer<Edge<T>>(n);
    parallel_for(n, grain, [&](std::size_t e, std::size_t end) {
        for (; e < end; ++e) words[e] = layout.word(bits_of(edges[e].w2), pos_t(e));
    });
    sort_words(words, copy, layout);
    parallel_for(n, grain, [&](std::size_t e, std::size_t end) {
        for (; e < end; ++e) out[e] = edges[layout.row(words[e])];
    });
    // What the words don't tell apart: equal lengths, and doubles that agree in their upper bits.
    auto const ties = equal_key_stretches(words, layout);
    std::size_t tied = 0;
    for (auto const& tie : ties) tied += tie.end - tie.begin;
    std::size_t const ties_per_task = ties.size() * edges_per_task / std::max<std::size_t>(1, tied) + 1;
    parallel_for(ties.size(), ties_per_task, [&](std::size_t i, std::size_t last) {
        for (; i < last; ++i)
            sort_tied(std::span(out).subspan(ties[i].begin, ties[i].end - ties[i].begin));
    });
    return out;
}

}  // namespace

void sort_edges(Cpu const& cpu, Buffer<Edge<float>>& edges) {
    cpu.run([&] { edges = sorted<float>(cpu, edges); });
}
void sort_edges(Cpu const& cpu, Buffer<Edge<double>>& edges) {
    cpu.run([&] { edges = sorted<double>(cpu, edges); });
}

}}}  // namespace zwalk::v0::detail
