// The k best in the registers of a thread: newcomers one by one and in batches.
#include "zwalk/nearest/detail/register_candidates.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "support/points.hpp"

using namespace test;
using namespace zwalk;

namespace {

/// Whether slots hold the k smallest of n keys, ascending, however these came.
template <class T, int K>
bool holds(Random& r, pos_t k, pos_t n, bool in_batches) {
    std::vector<Key<T>> all;
    RegisterCandidates<T, K> slots(k);
    while (all.size() < n) {
        Key<T> batch[batch_size];  // not all of it is used
        for (Key<T>& key : batch) {
            if (all.size() == n || r.below(3) == 0) continue;
            key = {r.below(9) == 0 ? infinity<T> : T(r.below(n)) / 3, pos_t(all.size())};
            all.push_back(key);
            if (!in_batches) slots.add(key);
        }
        if (in_batches) slots.add(batch);
    }
    std::sort(all.begin(), all.end());
    all.resize(std::min<std::size_t>(k, n));
    std::vector<Key<T>> found;
    slots.each([&](int i, Key<T> key) {
        CHECK(std::size_t(i) == found.size());
        found.push_back(key);
    });
    return found == all && slots.size() == all.size() &&
           slots.worst() == (n < k ? Key<T>{} : all.back());
}

template <class T, int K>
void check(Random& r) {
    for (pos_t k = 1; k <= K; k += k < 3 || k + 3 > K ? 1 : 5)
        for (pos_t n : {0, 1, 7, 8, 9, 40, 300}) {
            CAPTURE(k);
            CAPTURE(n);
            CHECK(holds<T, K>(r, k, n, true));
            CHECK(holds<T, K>(r, k, n, false));
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
