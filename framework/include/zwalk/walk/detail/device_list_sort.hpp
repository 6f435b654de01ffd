// Interaction lists in order on a device: nearest first, ties by z-order.
//
// A group of lanes sorts a list in its registers, by a bitonic network (Batcher 1968) over shuffles. Longer lists
// are sorted by the device's library, which takes some 50 times as many instructions for lists of usual length:
// it sorts each by a block of threads, digit by digit.
#pragma once
#include <cstdint>

#include "zwalk/core/slot_network.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/walk/detail/device_kernels.hpp"

namespace zwalk::inline v0::detail {

/// Sorts R keys per lane of a group: afterwards element l R + i of all is in register i of lane l.
template <class G, class S, int R>
ZWALK_INLINE void sort_across_lanes(G const& g, typename G::template var<S> (&key)[R]) {
    constexpr int W = G::width;
    auto const meet = [&](auto const& other, auto& own, int lane_mask, int upper) {
        g.exchange(other, lane_mask, [&](int l, S const& y) {
            bool const smaller = (l & upper) == 0;
            own[l] = choose_slot((y < own[l]) == smaller, y, own[l]);
        });
    };
    ZWALK_UNROLL
    for (int size = 2; size <= W * R; size *= 2) {  // size of sorted runs; two make one
        if (size <= R) {
            ZWALK_UNROLL
            for (int i = 0; i < R; ++i)
                if ((i ^ (size - 1)) > i)
                    g.lanes([&](int l) { put_in_order(key[i][l], key[i ^ (size - 1)][l]); });
        } else {  // the second run backwards: element e meets e ^ (size - 1)
            ZWALK_UNROLL
            for (int i = 0; i < (R + 1) / 2; ++i) {
                auto const low = key[i];
                meet(key[R - 1 - i], key[i], size / R - 1, size / R / 2);
                if (i != R - 1 - i) meet(low, key[R - 1 - i], size / R - 1, size / R / 2);
            }
        }
        ZWALK_UNROLL
        for (int stride = size / 4; stride > 0; stride /= 2) ZWALK_UNROLL
        for (int i = 0; i < R; ++i)
            if (stride >= R) meet(key[i], key[i], stride / R, stride / R);
            else if ((i & stride) == 0)
                g.lanes([&](int l) { put_in_order(key[i][l], key[i + stride][l]); });
    }
}

/// Puts the lists of consecutive target nodes in order, but those of more than `longest` entries: list i is the
/// count[i] entries from offset[i] on.
template <class T>
struct SortLists {
    static constexpr int width = 32;
    static constexpr int min_blocks = 1;
    static constexpr bool persistent = false;
    static constexpr pos_t longest = 16 * width;

    Entry<T>* entries;
    size_type const* offset;
    pos_t const* count;

    template <class G>
    ZWALK_INLINE void operator()(G const& g, pos_t i, pos_t) const {
        pos_t const n = count[i];
        if (n < 2 || n > longest) return;  // all lanes of the group
        Entry<T>* const list = entries + offset[i];
        if (n <= width) sort<1>(g, list, n);
        else if (n <= 2 * width) sort<2>(g, list, n);
        else if (n <= 4 * width) sort<4>(g, list, n);
        else if (n <= 8 * width) sort<8>(g, list, n);
        else sort<16>(g, list, n);
    }

  private:
    template <int R, class G>
    ZWALK_INLINE void sort(G const& g, Entry<T>* list, pos_t n) const {
        using Slot = KeySlot<T>;
        using S = typename Slot::type;
        typename G::template var<S> key[R];
        ZWALK_UNROLL
        for (int i = 0; i < R; ++i)
            g.lanes([&](int l) {
                auto const at = pos_t(i * width + l);
                key[i][l] = Slot::pack(Key<T>{});
                if (at < n) key[i][l] = Slot::pack({list[at].lo2, list[at].source});
            });
        g.sync();  // all of the list has been read
        sort_across_lanes<G, S, R>(g, key);
        ZWALK_UNROLL
        for (int i = 0; i < R; ++i)
            g.lanes([&](int l) {
                auto const at = pos_t(l * R + i);
                Key<T> const own = Slot::unpack(key[i][l]);
                if (at < n) list[at] = {own.pos, own.d2};
            });
    }
};

/// Counts the lists that SortLists leaves.
struct CountLongLists {
    pos_t const* count;
    pos_t longest;
    pos_t* found;
    ZWALK_HD void operator()(std::size_t i) const {
        if (count[i] > longest) atomic_add(found, 1);
    }
};
struct FlagLongLists {
    pos_t const* count;
    pos_t longest;
    std::uint8_t* flag;
    ZWALK_HD void operator()(std::size_t i) const { flag[i] = count[i] > longest; }
};
/// Copies lists of the targets node[0], node[1], ... side by side, list i to first[i], or back.
template <class T, bool back>
struct CopyLongLists {
    static constexpr int width = 32;
    static constexpr bool persistent = false;
    Entry<T>* entries;
    size_type const* offset;
    pos_t const *node, *count;  // count[i] of list i
    size_type const* first;
    Entry<T>* copy;

    template <class G>
    ZWALK_INLINE void operator()(G const& g, pos_t i, pos_t) const {
        Entry<T>*const list = entries + offset[node[i]], *const own = copy + first[i];
        g.lanes([&](int l) {
            for (auto at = pos_t(l); at < count[i]; at += width) {
                if constexpr (back) list[at] = own[at];
                else own[at] = list[at];
            }
        });
    }
};
/// Zeros between the position and the distance of an entry, so that its bits are ordered as it is.
template <class T>
struct ClearPadding {
    Entry<T>* entries;
    ZWALK_HD void operator()(std::size_t i) const {
        auto* const bytes = reinterpret_cast<unsigned char*>(entries + i);
        for (std::size_t b = sizeof(pos_t); b < sizeof(Entry<T>) - sizeof(T); ++b) bytes[b] = 0;
    }
};

/// Sorts the lists that SortLists leaves, in a copy: the library needs memory for all that lies between them.
template <class T, class Device>
void sort_long_lists(Device& device, Entry<T>* entries, size_type const* offset, pos_t const* count,
                     pos_t n) {
    auto flag = device.template buffer<std::uint8_t>(n);
    device.for_each(n, FlagLongLists{count, SortLists<T>::longest, flag.data()});
    pos_t const found = device.count(flag.data(), n);
    if (found == 0) return;
    auto node = device.template buffer<pos_t>(found), size = device.template buffer<pos_t>(found + 1);
    device.positions(flag.data(), n, node.data());
    device.for_each(found, Gather<pos_t>{count, node.data(), size.data()});
    device.zero(size.data() + found, 1);
    auto first = device.template buffer<size_type>(found + 1);
    device.exclusive_scan(size.data(), first.data(), found + 1);
    size_type total = 0;
    device.download(&total, first.data() + found, 1);
    auto copy = device.template buffer<Entry<T>>(total);
    device.launch(found, CopyLongLists<T, false>{entries, offset, node.data(), size.data(), first.data(),
                                                 copy.data()});
    if constexpr (sizeof(Entry<T>) > sizeof(pos_t) + sizeof(T))
        device.for_each(total, ClearPadding<T>{copy.data()});
    device.sort_segments(copy.data(), total, first.data(), first.data() + 1, found);
    device.launch(found, CopyLongLists<T, true>{entries, offset, node.data(), size.data(), first.data(),
                                                copy.data()});
}

/// Puts n lists in order. `may_be_long`: some may have more than SortLists<T>::longest entries, which takes two waits.
template <class T, class Device>
void sort_lists(Device& device, Entry<T>* entries, size_type size, size_type const* offset,
                pos_t const* count, pos_t n, bool may_be_long) {
    if (size == 0) return;
    device.launch(n, SortLists<T>{entries, offset, count});
    if (may_be_long) sort_long_lists(device, entries, offset, count, n);
}

}  // namespace zwalk::inline v0::detail
