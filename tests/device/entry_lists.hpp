// Interaction lists to be sorted by a device.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "support/points.hpp"
#include "zwalk/walk/detail/device_kernels.hpp"

namespace test {

template <class T>
struct EntryLists {
    std::vector<zwalk::Entry<T>> entries;
    std::vector<zwalk::size_type> offset{0};
    std::vector<zwalk::pos_t> count;
};

/// Lists of `sizes` entries with equal distances among them; behind each some entries that belong to none.
template <class T>
EntryLists<T> random_lists(Random& r, std::vector<zwalk::pos_t> const& sizes) {
    EntryLists<T> lists;
    for (zwalk::pos_t const n : sizes) {
        for (zwalk::pos_t i = 0; i < n + n % 3; ++i) {
            T const d2 = r.below(8) == 0 ? zwalk::infinity<T> : T(r.below(2 * n)) / 7;
            lists.entries.push_back({zwalk::pos_t(i * 2654435761U) >> 1, r.below(9) == 0 ? T(0) : d2});
        }
        lists.count.push_back(n);
        lists.offset.push_back(lists.entries.size());
    }
    return lists;
}

/// The entries as they should be.
template <class T>
std::vector<zwalk::Entry<T>> in_order(EntryLists<T> const& lists) {
    auto sorted = lists.entries;
    for (std::size_t i = 0; i < lists.count.size(); ++i) {
        auto const begin = sorted.begin() + std::ptrdiff_t(lists.offset[i]);
        std::sort(begin, begin + lists.count[i], [](zwalk::Entry<T> const& a, zwalk::Entry<T> const& b) {
            return zwalk::Key<T>{a.lo2, a.source} < zwalk::Key<T>{b.lo2, b.source};
        });
    }
    return sorted;
}
template <class T>
bool same_entries(std::vector<zwalk::Entry<T>> const& a, std::vector<zwalk::Entry<T>> const& b) {
    return std::ranges::equal(a, b, [](zwalk::Entry<T> const& x, zwalk::Entry<T> const& y) {
        return x.source == y.source && x.lo2 == y.lo2;
    });
}

}  // namespace test
