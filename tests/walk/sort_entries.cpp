// Lists in the order of their entries, as EntryOrder says: also where distances tie, or differ in the last bits alone.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "zwalk/exec/sort_few.hpp"
#include "zwalk/walk/cpu_node_step.hpp"

using namespace zwalk;

namespace {

/// A list of n sources at distances of a kind: different, few, equal, neighbours of 1, and of all magnitudes with 0 and infinity.
template <class T>
std::vector<Entry<T>> list_of(int kind, std::size_t n) {
    std::mt19937 random(unsigned(n) * 8 + unsigned(kind));
    std::vector<Entry<T>> list;
    for (std::size_t i = 0; i < n; ++i) {
        T const x = T(random() % 65536);
        T const lo2 = kind == 0    ? x / 7
                      : kind == 1  ? std::floor(x / 16384)
                      : kind == 2  ? T(3)
                      : kind == 3  ? 1 + std::numeric_limits<T>::epsilon() * std::floor(x / 1024)
                      : i % 9 == 0 ? (i % 2 ? T(0) : infinity<T>)
                                   : std::ldexp(T(1), int(x) % 250 - 125);
        list.push_back({pos_t(i), lo2});
    }
    std::shuffle(list.begin(), list.end(), random);
    return list;
}

}  // namespace

TEST_CASE_TEMPLATE("lists come in order", T, float, double) {
    for (int kind = 0; kind < 5; ++kind)
        for (std::size_t n = 0; n <= few_keys + 9; ++n) {
            CAPTURE(kind);
            CAPTURE(n);
            auto list = list_of<T>(kind, n), expected = list;
            std::sort(expected.begin(), expected.end(), [](Entry<T> const& a, Entry<T> const& b) {
                return a.lo2 != b.lo2 ? a.lo2 < b.lo2 : a.source < b.source;
            });
            sort_entries(list.data(), list.data() + n);
            for (std::size_t i = 0; i < n; ++i) {
                CAPTURE(i);
                REQUIRE(list[i].source == expected[i].source);
                REQUIRE(list[i].lo2 == expected[i].lo2);
            }
        }
}
