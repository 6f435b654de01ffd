// Reads and writes of what other threads may write meanwhile, whole and in no order with others: on a GPU as its threads see each
// other, where `volatile` would mean the host and other GPUs, too.
#pragma once
#include <atomic>
#include <cstdint>
#include <type_traits>

#include "zwalk/core/config.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// An unsigned number of four or eight bytes.
template <class V>
using WordOf = std::conditional_t<sizeof(V) == 4, std::uint32_t, std::uint64_t>;

/// *from, a number in global memory. On the host V is what std::atomic_ref takes.
template <class V>
ZWALK_INLINE V load_relaxed(V const* from) {
    static_assert(sizeof(V) == 4 || sizeof(V) == 8);
#if defined(__CUDA_ARCH__)
    // nvcc's own functions for it read generic addresses, of which it isn't known that they are global.
    WordOf<V> word;
    auto const at = __cvta_generic_to_global(from);
    if constexpr (sizeof(V) == 4)
        asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(at) : "memory");
    else asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(at) : "memory");
    return __builtin_bit_cast(V, word);
#else
    return std::atomic_ref<V>(*const_cast<V*>(from)).load(std::memory_order_relaxed);
#endif
}
/// *to = value, likewise.
template <class V>
ZWALK_INLINE void store_relaxed(V* to, V value) {
    static_assert(std::is_integral_v<V> && sizeof(V) == 4);
#if defined(__CUDA_ARCH__)
    auto const at = __cvta_generic_to_global(to);
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
#else
    std::atomic_ref<V>(*to).store(value, std::memory_order_relaxed);
#endif
}

}}}  // namespace zwalk::v0::detail
