// Entries of a table, for one number or for all lanes of a pack.
#pragma once
#include <concepts>

#include "zwalk/core/config.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/exec/pack.hpp"

namespace zwalk { inline namespace v0 {

/// table[i], where i is the whole part of `at`. Numbers below 0, and NaN, as lanes behind the last source may have, read the
/// first entry; those beyond the end the last one.
/// @param size  entries of the table: at least 1, at most 2^24 for floats, which can't name more
template <std::floating_point T>
ZWALK_INLINE T gather(T const* table, pos_t size, T at) {
    T const some = at > T(0) ? at : T(0), last = T(size - 1);
    return table[pos_t(some < last ? some : last)];
}
template <class T, Isa isa>
ZWALK_INLINE Pack<T, isa> gather(T const* table, pos_t size, Pack<T, isa> const& at) {
    Pack<T, isa> const some = min_of(select(at > T(0), at, T(0)), T(size - 1));
    Pack<T, isa> r;
    for (int l = 0; l < simd_width<T>; ++l) r.lane[l] = table[pos_t(some.lane[l])];
    return r;
}

}}  // namespace zwalk::v0
