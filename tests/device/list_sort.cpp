// Lists in order, by lanes and by the device's library: interaction lists, and those that are results.
#include "device/list_sort.hpp"

#include "device/entry_lists.hpp"
#include "device/sorted_pairs.hpp"
#include "zwalk/exec/host_device.hpp"

using namespace test;
using namespace zwalk;

namespace {

template <class T>
using Sort = detail::SortLists<detail::EntriesInOrder<T>>;

template <class T, class Device>
void check_sorted(Device& device, EntryLists<T> lists, bool may_be_long) {
    auto const expected = in_order(lists);
    detail::sort_lists<detail::EntriesInOrder<T>>(device, lists.entries.data(), lists.entries.size(),
                                                  lists.offset.data(), lists.count.data(),
                                                  pos_t(lists.count.size()), may_be_long);
    CHECK(same_entries(lists.entries, expected));
}

}  // namespace

TEST_CASE_TEMPLATE("interaction lists on a device: every length up to what lanes sort", T, float,
                   double) {
    std::uint64_t const seed = 7;
    CAPTURE(seed);
    Random r(seed);
    std::vector<pos_t> sizes(Sort<T>::longest + 1);
    for (pos_t i = 0; i < sizes.size(); ++i) sizes[i] = i;
    HostDevice<true> device;
    check_sorted(device, random_lists<T>(r, sizes), false);
    CHECK(device.run.races == 0);
}

TEST_CASE_TEMPLATE("interaction lists on a device: long ones among short ones", T, float, double) {
    std::uint64_t const seed = 8;
    CAPTURE(seed);
    Random r(seed);
    constexpr pos_t longest = Sort<T>::longest;
    HostDevice<true> device;
    check_sorted(device,
                 random_lists<T>(r, {3, longest + 1, 0, longest, 2 * longest, 31, 64, 5 * longest}),
                 true);
    check_sorted(device, random_lists<T>(r, {longest, 7}), true);
    CHECK(device.stats().waits == 3);
}

TEST_CASE_TEMPLATE("lists on a device: slots, every length about those of networks", Slot, Slot8,
                   Slot16) {
    HostDevice<> device;
    check_lengths<Slot>(device);
    HostDevice<true> on_checked;
    check_lengths<Slot>(on_checked);
    CHECK(on_checked.run.races == 0);
}

TEST_CASE_TEMPLATE("lists on a device: long ones take no more than as much again", Slot, Slot8, Slot16) {
    std::uint64_t const seed = 9;
    CAPTURE(seed);
    Random r(seed);
    // What is long is copied, unless that and the library's own copy were more than all: it sorts all then.
    for (pos_t const short_lists : {0, 9, 10, 11, 12, 40}) {
        CAPTURE(short_lists);
        std::vector<pos_t> sizes(short_lists, 100);
        sizes.insert(sizes.begin() + short_lists / 2, 1000);
        auto const lists = random_slots<Slot>(r, sizes);
        HostDevice<> device;
        check_slots(device, lists);
        CHECK(device.stats().peak_bytes <= lists.slots.size() * sizeof(Slot) + 40 * sizes.size());
    }
}

TEST_CASE("pairs on a device: in the order of keys of every number of bits") {
    HostDevice<> device;
    check_sorted_pairs(device);
}
