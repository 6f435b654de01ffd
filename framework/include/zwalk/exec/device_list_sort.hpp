// Lists in order on a device: interaction lists of a walk, and lists that are results.
//
// A warp sorts a list in its registers, by a bitonic network (Batcher 1968) over shuffles, or several short ones at a time. Longer
// lists are sorted by the device's library, which takes some 50 times as many instructions for lists of usual length: it sorts
// each by a block of threads, digit by digit.
//
// What is sorted, and how, is a Rule:
//
//   Element             of a list, whose bits are in order as a number is (Device::sort_segments), but for padding
//   Slot                what an element is in registers: has <, and what choose_slot() wants
//   pack(e), unpack(s)
//   last()              a slot that no element's is behind
//   together            lists that a warp sorts at a time if all of them are short
//   has_padding         between the first four bytes of an element and the last eight
#pragma once
#include <cstdint>

#include "zwalk/core/slot_network.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/exec/place.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Sorts R keys per lane of each W neighbouring lanes of a group: afterwards element l R + i of theirs is in register i
/// of their lane l.
template <int W, class G, class S, int R>
ZWALK_INLINE void sort_across_lanes(G const& g, typename G::template var<S> (&key)[R]) {
    static_assert(W <= G::width);
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

/// Puts lists in order, but those of more than `longest` entries: list i is the count[i] entries from offset[i] on.
template <class Rule>
struct SortLists {
    using Element = typename Rule::Element;
    static constexpr int width = 32;
    static constexpr int min_blocks = 1;
    static constexpr bool persistent = false;
    static constexpr pos_t longest = 16 * width;
    /// A list is short up to so many entries: four on each lane, where several are sorted at a time.
    static constexpr pos_t few = 4 * width / Rule::together;
    static_assert(width % Rule::together == 0);

    Element* entries;
    size_type const* offset;
    pos_t const* count;
    pos_t lists;

    /// Warps that it is launched with.
    [[nodiscard]] pos_t groups() const { return lists / Rule::together + (lists % Rule::together > 0); }

    template <class G>
    ZWALK_INLINE void operator()(G const& g, pos_t i, pos_t) const {
        if constexpr (Rule::together == 1) {
            one(g, i);
        } else {
            pos_t const begin = i * Rule::together;
            typename G::template var<pos_t> n;
            g.lanes([&](int l) {
                pos_t const own = begin + pos_t(l) % Rule::together;
                n[l] = own < lists ? count[own] : 0;
            });
            if (!g.any([&](int l) { return n[l] > 1; })) return;
            if (!g.any([&](int l) { return n[l] > few; })) {
                sort<4, width / int(Rule::together)>(g, begin);
                return;
            }
#if defined(__CUDA_ARCH__)
#pragma unroll 1  // so that the keys of one list at a time are in registers
#endif
            for (pos_t own = 0; own < Rule::together; ++own) one(g, begin + own);
        }
    }

  private:
    template <class G>
    ZWALK_INLINE void one(G const& g, pos_t i) const {
        pos_t const n = i < lists ? count[i] : 0;
        // The same on all lanes. Of a vote nvcc knows it, and then it has no more doubts that lanes are together.
        auto const more_than = [&](pos_t most) { return g.any([&](int) { return n > most; }); };
        if (!more_than(1) || more_than(longest)) return;
        if (!more_than(width)) sort<1, width>(g, i);
        else if (!more_than(2 * width)) sort<2, width>(g, i);
        else if (!more_than(4 * width)) sort<4, width>(g, i);
        else if (!more_than(8 * width)) sort<8, width>(g, i);
        else sort<16, width>(g, i);
    }
    /// Lists `first`, first + 1, ..., each by W lanes.
    template <int R, int W, class G>
    ZWALK_INLINE void sort(G const& g, pos_t first) const {
        using S = typename Rule::Slot;
        typename G::template var<Element*> list;
        typename G::template var<int> n;
        g.lanes([&](int l) {
            pos_t const own = first + pos_t(l / W);
            bool const is_there = W == G::width || own < lists;
            list[l] = entries + (is_there ? offset[own] : 0);
            n[l] = is_there ? int(count[own]) : 0;
        });
        // Of lane and step one is in a pointer and in a number: their sums would take many registers.
        typename G::template var<S> key[R];
        ZWALK_UNROLL
        for (int i = 0; i < R; ++i)
            g.lanes([&](int l) {
                Element const* const from = list[l] + l % W;
                key[i][l] = Rule::last();
                if (i * W < n[l] - l % W) key[i][l] = Rule::pack(from[i * W]);
            });
        g.sync();  // all of the lists has been read
        sort_across_lanes<W, G, S, R>(g, key);
        ZWALK_UNROLL
        for (int i = 0; i < R; ++i)
            g.lanes([&](int l) {
                Element* const to = list[l] + l % W * R;
                if (i < n[l] - l % W * R) to[i] = Rule::unpack(key[i][l]);
            });
    }
};

/// count[i] of lists without gaps.
struct CountsOf {
    size_type const* offset;
    pos_t* count;
    ZWALK_HD void operator()(std::size_t i) const { count[i] = pos_t(offset[i + 1] - offset[i]); }
};
struct FlagLongLists {
    pos_t const* count;
    pos_t longest;
    std::uint8_t* flag;
    ZWALK_HD void operator()(std::size_t i) const { flag[i] = count[i] > longest; }
};
/// Copies lists number which[0], which[1], ... side by side, to first[0], first[1], ..., or back.
template <class Element, bool back>
struct CopyLongLists {
    static constexpr int width = 32;
    static constexpr bool persistent = false;
    Element* entries;
    size_type const* offset;
    pos_t const *which, *count;  // count[i] of list which[i]
    size_type const* first;
    Element* copy;

    template <class G>
    ZWALK_INLINE void operator()(G const& g, pos_t i, pos_t) const {
        Element *const list = entries + offset[which[i]], *const own = copy + first[i];
        g.lanes([&](int l) {
            for (auto at = pos_t(l); at < count[i]; at += width) {
                if constexpr (back) list[at] = own[at];
                else own[at] = list[at];
            }
        });
    }
};
/// Zeros in the padding of elements, so that their bits are ordered as they are.
template <class Element>
struct ClearPadding {
    Element* entries;
    ZWALK_HD void operator()(std::size_t i) const {
        auto* const bytes = reinterpret_cast<unsigned char*>(entries + i);
        for (std::size_t b = 4; b < sizeof(Element) - 8; ++b) bytes[b] = 0;
    }
};

/// The lists that SortLists leaves, one after another.
struct LongLists {
    DeviceBuffer<pos_t> which, count;
    DeviceBuffer<size_type> first;  ///< one more than there are lists
    size_type entries = 0;

    [[nodiscard]] pos_t size() const { return pos_t(which.size()); }
};

/// Those of n lists with more than `longest` entries. Takes a wait, and another one if there are any.
template <class Device>
LongLists find_long_lists(Device& device, pos_t const* count, pos_t n, pos_t longest) {
    LongLists found;
    auto flag = device.template buffer<std::uint8_t>(n);
    device.for_each(n, FlagLongLists{count, longest, flag.data()});
    pos_t const size = device.count(flag.data(), n);
    if (size == 0) return found;
    found.which = device.template buffer<pos_t>(size);
    device.positions(flag.data(), n, found.which.data());
    found.count = device.template buffer<pos_t>(std::size_t(size) + 1);
    device.for_each(size, Gather<pos_t>{count, found.which.data(), found.count.data()});
    device.zero(found.count.data() + size, 1);
    found.first = device.template buffer<size_type>(std::size_t(size) + 1);
    device.exclusive_scan(found.count.data(), found.first.data(), std::size_t(size) + 1);
    device.download(&found.entries, found.first.data() + size, 1);
    return found;
}

/// Sorts long lists in a copy: the library needs memory for all that lies between them.
template <class Rule, class Device>
void sort_long_lists(Device& device, typename Rule::Element* entries, size_type const* offset,
                     LongLists const& lists) {
    using Element = typename Rule::Element;
    if (lists.size() == 0) return;
    auto copy = device.template buffer<Element>(lists.entries);
    device.launch(lists.size(),
                  CopyLongLists<Element, false>{entries, offset, lists.which.data(), lists.count.data(),
                                                lists.first.data(), copy.data()});
    if constexpr (Rule::has_padding) device.for_each(lists.entries, ClearPadding<Element>{copy.data()});
    device.sort_segments(copy.data(), lists.entries, lists.first.data(), lists.first.data() + 1,
                         lists.size());
    device.launch(lists.size(),
                  CopyLongLists<Element, true>{entries, offset, lists.which.data(), lists.count.data(),
                                               lists.first.data(), copy.data()});
}

/// Puts n lists in order. `may_be_long`: some may have more than SortLists<Rule>::longest entries, which takes two waits.
template <class Rule, class Device>
void sort_lists(Device& device, typename Rule::Element* entries, size_type size, size_type const* offset,
                pos_t const* count, pos_t n, bool may_be_long) {
    if (size == 0) return;
    SortLists<Rule> const short_ones{entries, offset, count, n};
    device.launch(short_ones.groups(), short_ones);
    if (may_be_long)
        sort_long_lists<Rule>(device, entries, offset,
                              find_long_lists(device, count, n, short_ones.longest));
}

/// Puts in order n lists that follow one another without gaps, list i from offset[i] up to offset[i + 1]. Takes as much memory
/// again as there are entries, or less, beside some bytes for each list.
template <class Rule, class Device>
void sort_dense_lists(Device& device, typename Rule::Element* entries, size_type size,
                      size_type const* offset, pos_t n) {
    static_assert(!Rule::has_padding);
    if (size == 0) return;
    auto count = device.template buffer<pos_t>(n);
    device.for_each(n, CountsOf{offset, count.data()});
    SortLists<Rule> const short_ones{entries, offset, count.data(), n};
    auto const long_lists = find_long_lists(device, count.data(), n, short_ones.longest);
    if (2 * long_lists.entries > size) {  // a copy, and as much for the library, would be more
        device.sort_segments(entries, size, offset, offset + 1, n);
        return;
    }
    device.launch(short_ones.groups(), short_ones);
    sort_long_lists<Rule>(device, entries, offset, long_lists);
}

}}}  // namespace zwalk::v0::detail
