// Stands in for nvcc: with it in front of all other code (-include) g++ compiles the device code of a translation
// unit, for the threads of a warp::Machine.
//
// Lanes then run zwalk/exec/detail/group_cuda.cuh itself: its masks, votes, shuffles and shared memory. What isn't here
// doesn't compile: add it. Operations of several lanes are as strict as in CUDA's documents: who is named must
// come, to the same operation, and is what a shuffle may read from. A GPU is not: it gives some value.
//
// Here __CUDA_ARCH__ is defined, so branches for devices are taken, in host code of this unit, too. Functions
// of zwalk's headers then differ from those of the same name in the library, and a linker would keep either. So
// units with the shim are compiled with v0, the inline namespace, renamed (CMakeLists.txt), together with the few
// sources of the library that they call.
#pragma once
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

#include "warp/machine.hpp"

#define __CUDA_ARCH__ 800
#define __host__
#define __device__
#define __global__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __shared__ static
#define threadIdx warp::Machine::current().thread()
#define blockIdx warp::Machine::current().block()
#define blockDim warp::Machine::current().block_size()
#define gridDim warp::Machine::current().grid_size()
// A constructor tells the machine of the array, see SharedBytes.
#define ZWALK_SHARED_BYTES(name, size)                \
    static warp::SharedBytes<(size)> name##_of_block; \
    unsigned char* const name = name##_of_block.bytes

namespace warp {

template <class T>
std::uint64_t to_word(T v) {
    static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8), "as CUDA's overloads");
    std::uint64_t word = 0;
    std::memcpy(&word, &v, sizeof v);
    return word;
}
template <class T>
T from_word(std::uint64_t word) {
    T v;
    std::memcpy(&v, &word, sizeof v);
    return v;
}

/// Each lane's value, from the lane that source(lane, first, last of the lane's section) says. One outside of the
/// section means the lane itself.
template <class T, class Source>
T shuffle(char const* name, unsigned mask, T v, int width, Source const& source) {
    Machine& m = Machine::current();
    if (width < 1 || width > 32 || (width & (width - 1)) != 0) m.fail(std::string(name) + ": bad width");
    auto const& values = m.meet_warp({mask, sizeof(T), unsigned(width), name}, to_word(v));
    int const lane = int(m.lane()), first = lane / width * width, last = first + width - 1;
    int const from = source(lane, first, last);
    if ((mask >> from & 1U) == 0)
        m.fail(std::string(name) + ": reads from lane " + std::to_string(from) +
               ", which takes no part");
    return from_word<T>(values[unsigned(from)]);
}

/// join() over the values of the lanes of a mask.
template <class T, class Join>
T reduce(char const* name, unsigned mask, T v, Join const& join) {
    auto const& values = Machine::current().meet_warp({mask, sizeof(T), 32, name}, to_word(v));
    unsigned left = mask;
    T sum = from_word<T>(values[unsigned(std::countr_zero(left))]);
    while ((left &= left - 1) != 0)
        sum = join(sum, from_word<T>(values[unsigned(std::countr_zero(left))]));
    return sum;
}

/// The lanes of a mask whose value is that of the caller.
template <class T>
unsigned matching(char const* name, unsigned mask, T v) {
    auto const& values = Machine::current().meet_warp({mask, sizeof(T), 32, name}, to_word(v));
    unsigned same = 0;
    for (unsigned l = 0; l < 32; ++l)
        if ((mask >> l & 1U) != 0 && values[l] == to_word(v)) same |= 1U << l;
    return same;
}

}  // namespace warp

// Barriers and votes.
inline void __syncwarp(unsigned mask = 0xffffffffU) {
    (void)warp::Machine::current().meet_warp({mask, 0, 32, "__syncwarp"}, 0);
}
inline unsigned __ballot_sync(unsigned mask, int pred) {
    auto const& values = warp::Machine::current().meet_warp({mask, 0, 32, "__ballot_sync"}, pred != 0);
    unsigned bits = 0;
    for (unsigned l = 0; l < 32; ++l) bits |= unsigned(values[l]) << l;
    return bits;
}
inline int __any_sync(unsigned mask, int pred) { return __ballot_sync(mask, pred) != 0; }
inline int __all_sync(unsigned mask, int pred) { return __ballot_sync(mask, pred) == mask; }
inline void __syncthreads() { (void)warp::Machine::current().meet_block("__syncthreads", false); }
inline int __syncthreads_count(int pred) {
    return int(warp::Machine::current().meet_block("__syncthreads with a vote", pred != 0));
}
inline int __syncthreads_or(int pred) { return __syncthreads_count(pred) != 0; }
inline int __syncthreads_and(int pred) { return __syncthreads_count(pred) == int(blockDim.x); }

// Shuffles: where they read from outside of a section is that of PTX (shfl.sync).
template <class T>
T __shfl_sync(unsigned mask, T v, int lane, int width = 32) {
    return warp::shuffle("__shfl_sync", mask, v, width,
                         [=](int, int first, int) { return first + (lane & (width - 1)); });
}
template <class T>
T __shfl_xor_sync(unsigned mask, T v, int bits, int width = 32) {
    return warp::shuffle("__shfl_xor_sync", mask, v, width, [=](int own, int, int last) {
        return ((own ^ bits) & 31) <= last ? (own ^ bits) & 31 : own;
    });
}
template <class T>
T __shfl_up_sync(unsigned mask, T v, unsigned by, int width = 32) {
    return warp::shuffle("__shfl_up_sync", mask, v, width, [=](int own, int first, int) {
        return own - int(by) >= first ? own - int(by) : own;
    });
}
template <class T>
T __shfl_down_sync(unsigned mask, T v, unsigned by, int width = 32) {
    return warp::shuffle("__shfl_down_sync", mask, v, width, [=](int own, int, int last) {
        return own + int(by) <= last ? own + int(by) : own;
    });
}

// Reductions of 32-bit integers, and matches.
template <class T>
T __reduce_add_sync(unsigned mask, T v) {
    return warp::reduce("__reduce_add_sync", mask, v, [](T a, T b) { return a + b; });
}
template <class T>
T __reduce_min_sync(unsigned mask, T v) {
    return warp::reduce("__reduce_min_sync", mask, v, [](T a, T b) { return std::min(a, b); });
}
template <class T>
T __reduce_max_sync(unsigned mask, T v) {
    return warp::reduce("__reduce_max_sync", mask, v, [](T a, T b) { return std::max(a, b); });
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned v) {
    return warp::reduce("__reduce_or_sync", mask, v, [](unsigned a, unsigned b) { return a | b; });
}
inline unsigned __reduce_and_sync(unsigned mask, unsigned v) {
    return warp::reduce("__reduce_and_sync", mask, v, [](unsigned a, unsigned b) { return a & b; });
}
template <class T>
unsigned __match_any_sync(unsigned mask, T v) {
    return warp::matching("__match_any_sync", mask, v);
}
template <class T>
unsigned __match_all_sync(unsigned mask, T v, int* all) {
    *all = warp::matching("__match_all_sync", mask, v) == mask;
    return *all ? mask : 0;
}

// Bits.
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline int __clz(int x) { return std::countl_zero(unsigned(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
inline int __popc(unsigned x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }

// Atomics: fibers of one thread of the CPU are never interrupted.
inline void __threadfence() {}
inline void __threadfence_block() {}
template <class T>
T atomicAdd(T* to, std::type_identity_t<T> n) {
    return std::exchange(*to, *to + n);
}
template <class T>
T atomicMin(T* to, std::type_identity_t<T> n) {
    return std::exchange(*to, std::min(*to, n));
}
template <class T>
T atomicMax(T* to, std::type_identity_t<T> n) {
    return std::exchange(*to, std::max(*to, n));
}
template <class T>
T atomicCAS(T* to, std::type_identity_t<T> known, std::type_identity_t<T> value) {
    return std::exchange(*to, *to == known ? value : *to);
}
