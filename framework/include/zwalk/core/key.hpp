// The one order of everything: squared distance first, z-order position second.
#pragma once
#include <limits>

#include "zwalk/core/config.hpp"
#include "zwalk/core/index.hpp"

namespace zwalk { inline namespace v0 {

template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();

/// A place in the lexicographic order (squared distance, z-order position). Every tie between
/// distances is settled by the position, so that results don't depend on the order of evaluation.
/// The default value lies behind every real candidate, also behind those whose d2 overflowed.
template <class T>
struct Key {
    T d2 = infinity<T>;
    pos_t pos = no_pos;

    ZWALK_INLINE friend bool operator<(Key a, Key b) {
        return a.d2 < b.d2 || (a.d2 == b.d2 && a.pos < b.pos);
    }
    ZWALK_INLINE friend bool operator<=(Key a, Key b) { return !(b < a); }
    ZWALK_INLINE friend bool operator>(Key a, Key b) { return b < a; }
    ZWALK_INLINE friend bool operator==(Key a, Key b) { return a.d2 == b.d2 && a.pos == b.pos; }
};

}}  // namespace zwalk::v0
