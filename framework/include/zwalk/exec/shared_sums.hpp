// Sums, and sets of bits, in a place's memory that any number of its threads add to at once.
#pragma once
#include <atomic>
#include <cstdint>

#include "zwalk/core/config.hpp"
#include "zwalk/core/fixed_sum.hpp"
#include "zwalk/exec/device.hpp"

namespace zwalk { inline namespace v0 {

/// A FixedSum in two words, for devices have no atomic addition of 128 bits.
struct SharedSum {
    std::uint64_t low = 0, high = 0;

    /// The sum, once all have added to it.
    [[nodiscard]] ZWALK_HD FixedSum value() const { return FixedSum(Bits128(high) << 64 | low); }
};

/// *to += n, also if others do so at once; returns what it was before.
ZWALK_INLINE std::uint64_t shared_add(std::uint64_t* to, std::uint64_t n) {
#if defined(__CUDA_ARCH__)
    static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
    return atomicAdd(reinterpret_cast<unsigned long long*>(to), n);
#else
    return std::atomic_ref<std::uint64_t>(*to).fetch_add(n, std::memory_order_relaxed);
#endif
}
/// *to += n for a sum, also if others do so at once. Each overflow of the low word is seen by the one addition that makes it, so
/// in the end all are carried, whatever the order is.
ZWALK_INLINE void shared_add(SharedSum* to, FixedSum n) {
    auto const low = std::uint64_t(n), before = shared_add(&to->low, low);
    std::uint64_t const carry = before + low < low ? 1 : 0;
    shared_add(&to->high, std::uint64_t(Bits128(n) >> 64) + carry);
}

/// *to |= bits, also if others do so at once. A call that changes nothing only reads.
ZWALK_INLINE void shared_or(std::uint64_t* to, std::uint64_t bits) {
#if defined(__CUDA_ARCH__)
    if (bits & ~detail::load_relaxed(to)) atomicOr(reinterpret_cast<unsigned long long*>(to), bits);
#else
    std::atomic_ref<std::uint64_t> const known(*to);
    if (bits & ~known.load(std::memory_order_relaxed)) known.fetch_or(bits, std::memory_order_relaxed);
#endif
}

}}  // namespace zwalk::v0
