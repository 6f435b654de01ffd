// What a device is to the code that directs it.
//
// Sorting, cutting planes and walking are directed by host code that looks at no element but a tree's top: it
// allocates, launches kernels and calls the primitives below. That code is written once, over a Device,
// and there are two: CudaDevice (cuda_device.cuh) launches on a GPU and calls CUB; HostDevice
// (host_device.hpp) runs the same kernels on lane groups of the CPU, in buffers of exactly the size that
// was asked for. So tests execute all of it without a GPU, and find missing barriers and wrong sizes.
//
// It has the verbs of every place (place.hpp), and
//
//   launch(groups, kernel)        kernel(g, i, slot) for i < groups, in any order
//   slots<Kernel>()               of a persistent kernel: every `slot` is below this; groups that run at
//                                 the same time have different ones
//   launch(groups, kernel, slots) a persistent kernel on at most so many slots, for less memory
//   count(flags, n, found), positions(flags, n, out, found)
//                                 as places do, without a wait: *found, in the device's memory, becomes how many there are
//   sort_pairs(keys, values, n, bits)  stable, by 64-bit keys, of which only so many of the lower bits aren't 0 (without: any)
//   sort_segments(x, n, begin, end, segments)  each of [begin[s], end[s]) of x, by the bits of its
//                                 elements as unsigned numbers of 8 or 16 bytes; the segments cover x
//   stats()                       DeviceStats
// and a function beside it, in a header of its own, because it is dear to compile:
//   merge_sort(device, values, n, less)  stable
//
// A kernel is a trivially copyable struct with `static constexpr int width` (lanes of its group),
// `static constexpr bool persistent` (true: few slots, each takes groups in turn; for kernels with memory
// of their own per slot) and `template <class G> void operator()(G const&, pos_t i, pos_t slot) const`.
#pragma once
#include <atomic>
#include <cstdint>
#include <type_traits>

#include "zwalk/core/config.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/core/relaxed.hpp"
#include "zwalk/exec/device_memory.hpp"
#include "zwalk/exec/place.hpp"

namespace zwalk { inline namespace v0 {

/// The work that a device was given, for statistics and tests.
struct DeviceStats {
    std::uint64_t launches = 0;    ///< kernels of our own, without those of the primitives
    std::uint64_t waits = 0;       ///< times that the host waited for the device
    std::uint64_t peak_bytes = 0;  ///< most memory in buffers at a time
};

/// The bits of 8 or 16 bytes as a number.
__extension__ typedef unsigned __int128 Bits128;
template <class V>
using BitsOf = std::conditional_t<sizeof(V) == 8, std::uint64_t, Bits128>;

/// *to += n, also if others do so at once.
ZWALK_INLINE void atomic_add(pos_t* to, pos_t n) {
#if defined(__CUDA_ARCH__)
    atomicAdd(to, n);
#else
    std::atomic_ref<pos_t>(*to).fetch_add(n, std::memory_order_relaxed);
#endif
}

/// *to = min(*to, n), also if others do so at once. A call that changes nothing only reads.
ZWALK_INLINE void atomic_min(pos_t* to, pos_t n) {
#if defined(__CUDA_ARCH__)
    if (n < detail::load_relaxed(to)) atomicMin(to, n);
#else
    std::atomic_ref<pos_t> const least(*to);
    pos_t known = least.load(std::memory_order_relaxed);
    while (n < known && !least.compare_exchange_weak(known, n, std::memory_order_relaxed)) {
    }
#endif
}

/// *to = max(*to, n), also if others do so at once. A call that changes nothing only reads.
ZWALK_INLINE void atomic_max(std::uint64_t* to, std::uint64_t n) {
#if defined(__CUDA_ARCH__)
    static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
    auto* const most = reinterpret_cast<unsigned long long*>(to);
    if (n > detail::load_relaxed(to)) atomicMax(most, n);
#else
    std::atomic_ref<std::uint64_t> const most(*to);
    std::uint64_t known = most.load(std::memory_order_relaxed);
    while (n > known && !most.compare_exchange_weak(known, n, std::memory_order_relaxed)) {
    }
#endif
}

/// A value that others may change meanwhile, as they published it.
///
/// On the host data written before it was published can be read as usual then. On a GPU they are to be read
/// by read_published() at an address that depends on the value: such loads stay in order and see what is in the
/// cache that all multiprocessors share. The PTX memory model doesn't promise that order, all GPUs so far have it;
/// an acquiring load, which would be the model's way, throws away the other cache each time.
ZWALK_INLINE pos_t atomic_read(pos_t const* from) {
#if defined(__CUDA_ARCH__)
    return detail::load_relaxed(from);
#else
    return std::atomic_ref<pos_t>(*const_cast<pos_t*>(from)).load(std::memory_order_acquire);
#endif
}
template <class V>
ZWALK_INLINE V read_published(V const* from) {
#if defined(__CUDA_ARCH__)
    return detail::load_relaxed(from);
#else
    return *from;
#endif
}
/// *to = value, and true, if *to == known; else known = *to, and false. May fail without a reason. Publishes
/// all that the caller has written before.
ZWALK_INLINE bool atomic_publish(pos_t* to, pos_t& known, pos_t value) {
#if defined(__CUDA_ARCH__)
    __threadfence();
    pos_t const found = atomicCAS(to, known, value);
    bool const done = found == known;
    known = found;
    return done;
#else
    return std::atomic_ref<pos_t>(*to).compare_exchange_weak(known, value, std::memory_order_acq_rel,
                                                             std::memory_order_acquire);
#endif
}

}}  // namespace zwalk::v0
