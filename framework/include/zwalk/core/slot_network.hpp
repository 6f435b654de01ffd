// Sorting keys in registers: networks (Batcher, "Sorting networks and their applications", 1968). Indices are
// constants once loops are unrolled, so that nothing of it is in memory.
#pragma once
#include <cstdint>

#include "zwalk/core/key_slot.hpp"
#include "zwalk/core/vec.hpp"

namespace zwalk { inline namespace v0 {

/// a, b = the smaller one, the larger one.
template <class S>
ZWALK_INLINE void put_in_order(S& a, S& b) {
    S const x = a, y = b;
    bool const swap = y < x;
    a = choose_slot(swap, y, x);
    b = choose_slot(swap, x, y);
}

ZWALK_INLINE void put_in_order(std::int32_t& a, std::int32_t& b) {
    std::int32_t const x = a, y = b;
    a = min_of(x, y);
    b = max_of(x, y);
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

/// Sorts N slots by odd-even merges, which compare less often than bitonic ones. N is a power of two; sorted runs of `size` become runs
/// of twice as many.
template <int N, int size = 1, int stride = size, class S>
ZWALK_INLINE void sort_slots(S* slot) {
    if constexpr (size < N) {
        constexpr int first = stride % size;
        ZWALK_UNROLL
        for (int i = 0; i < N - stride; ++i)
            if (i >= first && (i - first) / stride % 2 == 0 &&
                i / (2 * size) == (i + stride) / (2 * size))
                put_in_order(slot[i], slot[i + stride]);
        if constexpr (stride > 1) sort_slots<N, size, stride / 2>(slot);
        else sort_slots<N, 2 * size>(slot);
    }
}

}}  // namespace zwalk::v0
