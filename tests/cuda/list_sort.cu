// Lists in order on a GPU: interaction lists of more entries than the tests' walks have, by lanes and by the device's library.
#include <algorithm>
#include <vector>

#include "cuda/context.hpp"
#include "device/entry_lists.hpp"
#include "device/sorted_pairs.hpp"
#include "zwalk/exec/cuda_device.cuh"
#include "zwalk/exec/device_list_sort.hpp"

using namespace test;
using namespace zwalk;

namespace {

/// Lists on the device, sorted there.
template <class T>
void check_sorted_there(EntryLists<T> const& lists, bool may_be_long) {
    CudaDevice device(on_gpu());
    auto const there = [&](auto const& from) {
        auto to = device.buffer<typename std::decay_t<decltype(from)>::value_type>(from.size());
        device.upload(to.data(), from.data(), from.size());
        return to;
    };
    auto entries = there(lists.entries);
    auto const offset = there(lists.offset);
    auto const count = there(lists.count);
    zwalk::detail::sort_lists<zwalk::detail::EntriesInOrder<T>>(device, entries.data(), entries.size(),
                                                                offset.data(), count.data(),
                                                                pos_t(lists.count.size()), may_be_long);
    std::vector<Entry<T>> sorted(lists.entries.size());
    device.download(sorted.data(), entries.data(), sorted.size());
    CHECK(same_entries(sorted, in_order(lists)));
}

}  // namespace

TEST_CASE_TEMPLATE("GPU lists: interaction lists of every length, long ones among short ones", T, float,
                   double) {
    Random r(7);
    constexpr pos_t longest = zwalk::detail::SortLists<zwalk::detail::EntriesInOrder<T>>::longest;
    std::vector<pos_t> sizes;
    for (pos_t n = 0; n <= longest; n += n < 40 ? 1 : 31) sizes.push_back(n);
    check_sorted_there(random_lists<T>(r, sizes), false);
    check_sorted_there(
        random_lists<T>(r, {3, longest + 1, 0, longest, 2 * longest, 31, 64, 5 * longest}), true);
    check_sorted_there(random_lists<T>(r, {longest, 7}), true);
}

TEST_CASE("GPU lists: pairs in the order of keys of every number of bits") {
    CudaDevice device(on_gpu());
    check_sorted_pairs(device);
}
