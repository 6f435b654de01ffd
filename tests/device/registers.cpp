// The k best in the registers of a thread: newcomers in batches, whatever their distances have in common.
#include "zwalk/nearest/detail/register_candidates.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/points.hpp"

using namespace test;
using namespace zwalk;

namespace {

/// What the walk gives to a target, full of keys that are nobody's.
template <class T, int N>
struct Memory {
    Key<T> keys[N];

    Memory() { std::fill(keys, keys + N, Key<T>{-2, 1}); }
    void write(int i, Key<T> key) {
        REQUIRE(i >= 0);
        REQUIRE(i < N);
        keys[i] = key;
    }
    [[nodiscard]] Key<T> read(int i) const {
        REQUIRE(i >= 0);
        REQUIRE(i < N);
        return keys[i];
    }
};

/// Distances that words tell apart, and kinds of those that they don't.
enum class Distances { apart, equal, few, next_to_each_other, denormal, largest };

template <class T>
T distance(Random& r, Distances kind, pos_t n) {
    using Limits = std::numeric_limits<T>;
    switch (kind) {
        case Distances::apart:
            return r.below(9) == 0 ? infinity<T> : T(r.below(n)) / 3;
        case Distances::equal:
            return T(.7);
        case Distances::few:
            return T(r.below(4)) / 3;
        case Distances::next_to_each_other:  // in the lowest bits, those of three words
            return T(1) + T(r.below(sizeof(T) == 4 ? 100 : 1 << 19)) * Limits::epsilon() *
                              (sizeof(T) == 4 ? 1 : T(1 << 19) / 2);
        case Distances::denormal:
            return T(r.below(90)) * Limits::denorm_min();
        case Distances::largest:
            return r.below(2) ? infinity<T> : Limits::max() * (1 - T(r.below(40)) * Limits::epsilon());
    }
    return 0;
}

/// Whether slots hold the k smallest of n keys, ascending. Positions rise, fall, or come in any order.
template <class T, int K>
bool holds(Random& r, Distances kind, pos_t k, pos_t n) {
    std::vector<pos_t> positions(n);
    for (pos_t i = 0; i < n; ++i) positions[i] = i;
    pos_t const order = r.below(3);
    if (order == 1) std::reverse(positions.begin(), positions.end());
    if (order == 2)
        for (pos_t i = n; i > 1; --i) std::swap(positions[i - 1], positions[r.below(i)]);
    std::vector<Key<T>> all;
    RegisterCandidates<T, K> slots(k);
    Memory<T, RegisterCandidates<T, K>::kept> memory;
    bool worst_is_right = true;
    while (all.size() < n) {
        Key<T> batch[batch_size];
        for (Key<T>& key : batch) {
            key = {not_a_number<T>, no_pos};
            if (all.size() == n || r.below(3) == 0) continue;  // not all of it is used
            key = {distance<T>(r, kind, n), positions[all.size()]};
            all.push_back(key);
        }
        slots.add(batch, memory);
        std::sort(all.begin(), all.end());
        worst_is_right = worst_is_right && slots.worst() == (all.size() < k ? Key<T>{} : all[k - 1]);
    }
    slots.put_in_order(memory);
    all.resize(std::min<std::size_t>(k, n));
    std::vector<Key<T>> found;
    slots.each([&](int i, Key<T> key) {
        CHECK(std::size_t(i) == found.size());
        found.push_back(key);
    });
    bool same =
        found == all && slots.size() == all.size() && slots.is_full() == (k == K && all.size() == K);
    for (int i = 0; slots.is_full() && i < K; ++i) same = same && slots.key(i) == found[std::size_t(i)];
    return same && worst_is_right;
}

template <class T, int K>
void check(Random& r) {
    for (Distances kind : {Distances::apart, Distances::equal, Distances::few,
                           Distances::next_to_each_other, Distances::denormal, Distances::largest})
        for (pos_t k = 1; k <= K; k += k < 3 || k + 3 > K ? 1 : 5)
            for (pos_t n : {0, 1, 7, 8, 9, 40, 300}) {
                CAPTURE(int(kind));
                CAPTURE(k);
                CAPTURE(n);
                CHECK(holds<T, K>(r, kind, k, n));
            }
}

}  // namespace

TEST_CASE_TEMPLATE("neighbours in registers: the k smallest keys, ties by position", T, float, double) {
    std::uint64_t const seed = 11;
    CAPTURE(seed);
    Random r(seed);
    check<T, 8>(r);
    check<T, 16>(r);
    check<T, 32>(r);
}
