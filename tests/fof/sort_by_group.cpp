// Positions by group, against the library's stable sort: groups of one piece, of several, and one of nearly all.
#include "sort_by_group.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

using namespace zwalk;

namespace {

/// Roots of n positions: each is the first of a group, or joins one of the last `near` groups, of all if that is 0.
std::vector<pos_t> roots_of(pos_t n, double of_own, std::size_t near, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<pos_t> root(n), first;
    for (pos_t i = 0; i < n; ++i) {
        bool const begins = first.empty() || double(random() % 1000) < 1000 * of_own;
        if (begins) first.push_back(i);
        std::size_t const among = near == 0 ? first.size() : std::min(near, first.size());
        root[i] = begins ? i : first[first.size() - 1 - random() % among];
    }
    return root;
}

void check_sorted(std::vector<pos_t> const& root, std::size_t grain, int threads) {
    std::vector<pos_t> expected(root.size());
    std::iota(expected.begin(), expected.end(), pos_t(0));
    std::stable_sort(expected.begin(), expected.end(),
                     [&](pos_t a, pos_t b) { return root[a] < root[b]; });
    Cpu const cpu(threads);
    detail::SortedByGroup sorted(
        cpu, root, [](pos_t i) { return 3 * i + 1; }, grain);
    pos_t next = 0;
    std::vector<pos_t> large;  // roots of groups of three and more
    sorted.each_group([&](pos_t group, pos_t begin, pos_t end) {
        if (end - begin >= 3) large.push_back(group);
        REQUIRE(begin == next);
        REQUIRE(end > begin);
        for (pos_t at = begin; at < end; ++at) REQUIRE(root[expected[at]] == group);
        next = end;
    });
    CHECK(next == root.size());
    auto const collected = cpu.run([&] {
        return sorted.collect([](pos_t group, pos_t begin, pos_t end) {
            return end - begin >= 3 ? std::optional(group) : std::nullopt;
        });
    });
    CHECK(std::ranges::equal(collected, large));
    auto const order = sorted.take_order();
    REQUIRE(order.size() == root.size());
    for (std::size_t i = 0; i < order.size(); ++i) REQUIRE(order[i] == 3 * expected[i] + 1);
}

}  // namespace

TEST_CASE("positions by group, on any number of threads and in any pieces") {
    for (pos_t n : {0U, 1U, 2U, 63U, 64U, 65U, 1000U, 20000U})
        for (double of_own : {0.0, .01, .5, 1.0})
            for (std::size_t near : {std::size_t(0), std::size_t(1), std::size_t(30)})
                for (std::size_t grain :
                     {std::size_t(1) << 6, std::size_t(1) << 13, std::size_t(1) << 16})
                    for (int threads : {1, 4}) {
                        CAPTURE(n);
                        CAPTURE(of_own);
                        CAPTURE(near);
                        CAPTURE(grain);
                        CAPTURE(threads);
                        check_sorted(roots_of(n, of_own, near, n), grain, threads);
                    }
}
