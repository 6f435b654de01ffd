// Lists of slots sorted by a device, against std::sort.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "support/points.hpp"
#include "zwalk/lists/lists.hpp"

namespace test {

using Slot8 = zwalk::detail::ListSlot<float, true>::type;
using Slot16 = zwalk::detail::ListSlot<double, true>::type;

template <class Slot>
struct SlotLists {
    std::vector<Slot> slots;
    std::vector<zwalk::size_type> offset{0};
};

/// The upper halves of slots are equal for many, and the lower ones for none of a list.
inline void make_slot(Random& r, zwalk::pos_t row, Slot8& slot) {
    std::uint32_t const upper[] = {0, 1, 0x7f800000U, std::uint32_t(r.below(0x7f800000U)), 0x7fffffffU};
    slot = std::int64_t(std::uint64_t(upper[r.below(5)]) << 32 | row);
}
inline void make_slot(Random& r, zwalk::pos_t row, Slot16& slot) {
    double const d2[] = {0, 5e-324, zwalk::infinity<double>, r.uniform(), 1e-3};
    slot = {zwalk::index_t(row), d2[r.below(5)]};
}
template <class Slot>
SlotLists<Slot> random_slots(Random& r, std::vector<zwalk::pos_t> const& sizes) {
    SlotLists<Slot> lists;
    for (zwalk::pos_t const n : sizes) {
        auto const factor = zwalk::pos_t(2 * r.below(1U << 31) + 1);  // odd: rows differ
        for (zwalk::pos_t i = 0; i < n; ++i) {
            lists.slots.emplace_back();
            make_slot(r, i * factor - 1, lists.slots.back());  // from 0xffffffff on
        }
        lists.offset.push_back(lists.slots.size());
    }
    return lists;
}

template <class Slot, class Device>
void check_slots(Device& device, SlotLists<Slot> lists) {
    using Bits = zwalk::BitsOf<Slot>;
    auto const bits = [](std::vector<Slot> const& slots) {
        std::vector<Bits> result(slots.size());
        for (std::size_t i = 0; i < slots.size(); ++i) std::memcpy(&result[i], &slots[i], sizeof(Bits));
        return result;
    };
    auto expected = bits(lists.slots);
    for (std::size_t i = 1; i < lists.offset.size(); ++i)
        std::sort(expected.data() + lists.offset[i - 1], expected.data() + lists.offset[i]);
    zwalk::detail::sort_dense_lists<zwalk::detail::SlotsInOrder<Slot>>(
        device, lists.slots.data(), lists.slots.size(), lists.offset.data(),
        zwalk::pos_t(lists.offset.size() - 1));
    CHECK(std::ranges::equal(bits(lists.slots), expected));
}

/// Lists of every length about those of networks: several of one length, and beside others.
template <class Slot, class Device>
void check_lengths(Device& device) {
    std::uint64_t const seed = 10;
    CAPTURE(seed);
    Random r(seed);
    std::vector<zwalk::pos_t> const lengths{0,  1,  2,   7,   8,   9,   15,  16,  17,  31,  32,  33,  63,
                                            64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 2000};
    for (zwalk::pos_t const n : lengths)
        for (std::size_t const times : {1, 3, 4, 5}) {
            CAPTURE(n);
            CAPTURE(times);
            check_slots(device, random_slots<Slot>(r, std::vector<zwalk::pos_t>(times, n)));
        }
    check_slots(device, random_slots<Slot>(r, lengths));
    for (zwalk::pos_t const most : {33, 66, 514, 600}) {  // also long ones among short ones
        CAPTURE(most);
        std::vector<zwalk::pos_t> sizes(101);
        for (auto& n : sizes) n = zwalk::pos_t(r.below(r.below(8) == 0 ? most : 33));
        check_slots(device, random_slots<Slot>(r, sizes));
        if (most == 600) sizes.insert(sizes.begin() + 50, {513, 0, 700, 512});
        check_slots(device, random_slots<Slot>(r, sizes));
    }
}

}  // namespace test
