// Bits of integers and of numbers, on every backend.
//
// Why not <bit>: in device code its functions call builtins of the host's compiler. nvcc has no device version of
// most of these, and with the option that lets constexpr functions of the host pass (--expt-relaxed-constexpr) it
// turns such a call into a constant without a word: countr_zero(u32) into 32, bit_width(u64) into 0.
// tests/cuda/machine_code.py looks for these functions' instructions in kernels that need them.
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

#include "zwalk/core/config.hpp"

namespace zwalk { inline namespace v0 {

/// The bits of x as a To of the same size.
template <class To, class From>
ZWALK_INLINE To bit_cast_to(From const& x) {
    static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> &&
                  std::is_trivially_copyable_v<From>);
    return __builtin_bit_cast(To, x);
}

/// The bits of `low` where `mask` has ones, those of `high` elsewhere. One instruction, where nvcc makes two.
ZWALK_INLINE std::uint32_t merge_bits(std::uint32_t high, std::uint32_t low, std::uint32_t mask) {
#if defined(__CUDA_ARCH__)
    std::uint32_t merged;
    asm("lop3.b32 %0, %1, %2, %3, 0xd8;" : "=r"(merged) : "r"(high), "r"(low), "r"(mask));
    return merged;
#else
    return (high & ~mask) | (low & mask);
#endif
}

/// The number of zeros below the lowest bit that is set; x must not be 0.
ZWALK_INLINE int trailing_zeros(std::uint32_t x) {
#if defined(__CUDA_ARCH__)
    return __ffs(int(x)) - 1;
#else
    return std::countr_zero(x);
#endif
}

/// One more than the number of the highest bit that is set; 0 for 0.
ZWALK_INLINE int width_of_bits(std::uint32_t x) {
#if defined(__CUDA_ARCH__)
    return 32 - __clz(int(x));
#else
    return int(std::bit_width(x));
#endif
}
ZWALK_INLINE int width_of_bits(std::uint64_t x) {
#if defined(__CUDA_ARCH__)
    return 64 - __clzll(static_cast<long long>(x));
#else
    return int(std::bit_width(x));
#endif
}

/// The number of bits that are set.
ZWALK_INLINE int count_bits(std::uint32_t x) {
#if defined(__CUDA_ARCH__)
    return __popc(x);
#else
    return std::popcount(x);
#endif
}

/// The exponent of a normal number: that of the largest power of two that isn't above it.
ZWALK_INLINE int exponent_of(double x) {
    return int(bit_cast_to<std::uint64_t>(x) >> 52 & 0x7ff) - 1023;
}
/// 2^exponent, from -1022 to 1023.
ZWALK_INLINE double power_of_two(int exponent) {
    return bit_cast_to<double>(std::uint64_t(exponent + 1023) << 52);
}

}}  // namespace zwalk::v0
