// Union-find by many threads at once.
#include "zwalk/walk/union_find.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/on_threads.hpp"
#include "support/points.hpp"

using namespace test;
using namespace zwalk;

TEST_CASE("links: whoever settles last, every element points to its root") {
    constexpr pos_t n = 20000, threads = 6;
    size_type wrong = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random r(seed);
        std::vector<pos_t> parent(n);  // long ways to the only root
        for (pos_t i = 1; i < n; ++i)
            parent[i] = i - 1 - pos_t(r.below(std::min<pos_t>(i, 1 + seed % 5)));
        Links const links{parent.data()};
        on_threads(threads, [&](pos_t t) {  // from the far ends
            for (pos_t i = t; i < n; i += threads) links.settle(n - 1 - i);
        });
        for (pos_t const p : parent) wrong += p != 0;
    }
    CHECK(wrong == 0);
}

TEST_CASE("links: the groups of links made at once, named by their smallest elements") {
    constexpr pos_t n = 5000, threads = 6, groups = 7;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        std::vector<pos_t> parent(n);
        for (pos_t i = 0; i < n; ++i) parent[i] = i;
        Links const links{parent.data()};
        on_threads(threads, [&](pos_t t) {
            Random r(seed * threads + t);
            for (pos_t i = t; i < n; i += threads)
                if (i >= groups) links.link(i, i % groups + groups * pos_t(r.below(i / groups)));
        });
        on_threads(threads, [&](pos_t t) {
            for (pos_t i = t; i < n; i += threads) links.settle(i);
        });
        size_type wrong = 0;
        for (pos_t i = 0; i < n; ++i) wrong += parent[i] != i % groups;
        CHECK(wrong == 0);
    }
}
