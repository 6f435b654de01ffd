// Interaction lists in order, by lanes and by the device's library.
#include "zwalk/walk/detail/device_list_sort.hpp"

#include <doctest/doctest.h>

#include "support/points.hpp"
#include "zwalk/exec/host_device.hpp"

using namespace test;
using namespace zwalk;

namespace {

template <class T>
struct Lists {
    std::vector<Entry<T>> entries;
    std::vector<size_type> offset{0};
    std::vector<pos_t> count;
};

/// Lists of `sizes` entries with equal distances among them; behind each some entries that belong to none.
template <class T>
Lists<T> random_lists(Random& r, std::vector<pos_t> const& sizes) {
    Lists<T> lists;
    for (pos_t const n : sizes) {
        for (pos_t i = 0; i < n + n % 3; ++i) {
            T const d2 = r.below(8) == 0 ? infinity<T> : T(r.below(2 * n)) / 7;
            lists.entries.push_back({pos_t(i * 2654435761U) >> 1, r.below(9) == 0 ? T(0) : d2});
        }
        lists.count.push_back(n);
        lists.offset.push_back(lists.entries.size());
    }
    return lists;
}

template <class T, class Device>
void check_sorted(Device& device, Lists<T> lists, bool may_be_long) {
    auto expected = lists.entries;
    for (std::size_t i = 0; i < lists.count.size(); ++i) {
        auto const begin = expected.begin() + std::ptrdiff_t(lists.offset[i]);
        std::sort(begin, begin + lists.count[i], [](Entry<T> const& a, Entry<T> const& b) {
            return Key<T>{a.lo2, a.source} < Key<T>{b.lo2, b.source};
        });
    }
    detail::sort_lists(device, lists.entries.data(), lists.entries.size(), lists.offset.data(),
                       lists.count.data(), pos_t(lists.count.size()), may_be_long);
    CHECK(std::equal(
        lists.entries.begin(), lists.entries.end(), expected.begin(),
        [](Entry<T> const& a, Entry<T> const& b) { return a.source == b.source && a.lo2 == b.lo2; }));
}

}  // namespace

TEST_CASE_TEMPLATE("lists on a device: every length up to what lanes sort", T, float, double) {
    std::uint64_t const seed = 7;
    CAPTURE(seed);
    Random r(seed);
    std::vector<pos_t> sizes(detail::SortLists<T>::longest + 1);
    for (pos_t i = 0; i < sizes.size(); ++i) sizes[i] = i;
    HostDevice<true> device;
    check_sorted(device, random_lists<T>(r, sizes), false);
    CHECK(device.run.races == 0);
}

TEST_CASE_TEMPLATE("lists on a device: long ones among short ones", T, float, double) {
    std::uint64_t const seed = 8;
    CAPTURE(seed);
    Random r(seed);
    constexpr pos_t longest = detail::SortLists<T>::longest;
    HostDevice<true> device;
    check_sorted(device,
                 random_lists<T>(r, {3, longest + 1, 0, longest, 2 * longest, 31, 64, 5 * longest}),
                 true);
    check_sorted(device, random_lists<T>(r, {longest, 7}), true);
    CHECK(device.stats().waits == 3);
}
