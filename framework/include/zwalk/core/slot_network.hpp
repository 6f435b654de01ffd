// Sorting keys in registers: bitonic networks (Batcher, "Sorting networks and their applications", 1968). Indices are
// constants once loops are unrolled, so that nothing of it is in memory.
#pragma once
#include "zwalk/core/key_slot.hpp"

namespace zwalk { inline namespace v0 {

/// a, b = the smaller one, the larger one.
template <class S>
ZWALK_INLINE void put_in_order(S& a, S& b) {
    S const x = a, y = b;
    bool const swap = y < x;
    a = choose_slot(swap, y, x);
    b = choose_slot(swap, x, y);
}

/// Sorts each 2 * stride of N slots that are a bitonic sequence: ascending and then descending, or what becomes of that
/// when the end is put in front. All are powers of two.
template <int N, class S>
ZWALK_INLINE void merge_slots(S* slot, int stride = N / 2) {
    ZWALK_UNROLL
    for (; stride > 0; stride /= 2) ZWALK_UNROLL
    for (int i = 0; i < N; ++i)
        if ((i & stride) == 0) put_in_order(slot[i], slot[i + stride]);
}

/// Sorts N slots. N is a power of two.
template <int N, class S>
ZWALK_INLINE void sort_slots(S* slot) {
    ZWALK_UNROLL
    for (int size = 2; size <= N;
         size *= 2) {  // two sorted runs become one; the second is taken backwards
        ZWALK_UNROLL
        for (int i = 0; i < N; ++i)
            if ((i ^ (size - 1)) > i) put_in_order(slot[i], slot[i ^ (size - 1)]);
        merge_slots<N>(slot, size / 4);
    }
}

}}  // namespace zwalk::v0
