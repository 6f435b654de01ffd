// Spanning trees of all shapes, for tests of hierarchies.
#pragma once
#include <string>

#include "hdbscan/definition.hpp"

namespace test {

/// Trees of one shape each, with ties in lengths or without: what a random tree isn't.
inline Forest shaped_forest(std::string const& shape, std::size_t n, std::size_t levels,
                            std::uint64_t seed) {
    Random r(seed);
    Forest f{n, {}, {}};
    for (std::size_t i = 1; i < n; ++i)
        f.lengths.push_back(levels == 0 ? double(i) : double(i * levels / n));
    std::vector<index_t> name(n);
    for (std::size_t i = 0; i < n; ++i) name[i] = index_t(i);
    for (std::size_t i = n; i > 1; --i) std::swap(name[i - 1], name[r.below(i)]);
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    auto const each = [&](auto const& first_end) {
        for (std::size_t i = 1; i < n; ++i) edges.emplace_back(first_end(i), i);
    };
    if (shape == "star")
        each([](std::size_t) { return std::size_t(0); });  // one cluster takes point after point
    if (shape == "chain") each([](std::size_t i) { return i - 1; });
    if (shape == "heap") each([](std::size_t i) { return (i - 1) / 2; });
    if (shape == "crown") {  // small stars everywhere, then all of these
        each([](std::size_t i) { return i % 9 == 0 ? 0 : i - i % 9; });
        std::stable_partition(edges.begin(), edges.end(),
                              [](auto const& e) { return e.second % 9 != 0; });
    }
    if (shape == "halves")  // neighbours first, then pairs of them, and so on: a balanced hierarchy
        for (std::size_t step = 1; step < n; step *= 2)
            for (std::size_t i = step; i < n; i += 2 * step) edges.emplace_back(i - step, i);
    if (shape ==
        "pairs") {  // three points, and then pairs, in that order of the rows; then the chain between these
        std::sort(name.begin(), name.end());
        for (std::size_t const inner : {1, 0})
            for (std::size_t i = 1; i < n; ++i)
                if ((i < 3 || i % 2 == 0) == (inner == 1)) edges.emplace_back(i - 1, i);
        for (std::size_t e = 0; e < edges.size() && levels == 1; ++e)
            f.lengths[e] = edges[e].second < 3 || edges[e].second % 2 == 0 ? 1 : 2;
    }
    for (auto const& [a, b] : edges) f.edges.push_back(name[a]), f.edges.push_back(name[b]);
    return f;
}

template <class F>
void for_shapes(std::size_t n, F const& f) {
    std::uint64_t seed = 100;
    for (auto const* shape : {"star", "crown", "chain", "heap", "halves", "pairs"})
        for (std::size_t const levels : {std::size_t(0), std::size_t(1), std::size_t(30), n / 3}) {
            ++seed;
            CAPTURE(shape);
            CAPTURE(n);
            CAPTURE(levels);
            CAPTURE(seed);
            f(shaped_forest(shape, n, levels, seed));
        }
    for (std::size_t const levels : {std::size_t(0), std::size_t(3), n / 20 + 1, n}) {
        ++seed;
        CAPTURE(n);
        CAPTURE(levels);
        CAPTURE(seed);
        f(random_forest(n, levels, seed % 2 == 0, seed));
    }
}

}  // namespace test
