// Phased SPMD: a kernel is written once, over a group of lanes, and runs on every backend.
//
//   g.lanes(f)        f(l) for every lane l (CPU: a SIMD loop; GPU: one thread each)
//   g.sync()          separates phases: what lanes wrote to shared memory before is readable after
//   g.any(pred)       true if pred(l) holds on some lane
//   g.where(pred, f)  f(l) on the lanes where pred(l) holds
//   var<T>            one value per lane: a register on the GPU, a small array on the CPU
//   Tile<T, N>        N values that all lanes read: shared memory on the GPU; on the CPU a pointer
//                     to where they are, because the cache already is shared memory
//   Local<S>          a struct of tiles
//
// Rules: arrays of var are indexed by constants only; no return or break inside lanes; every lane
// of the group reaches every sync(); data passes between lanes through tiles only.
// CheckedGroup (group_checked.hpp) finds missing sync() calls; CudaGroup is in group_cuda.cuh.
#pragma once
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <bit>
#include <cstdint>
#include <type_traits>

#include "zwalk/core/config.hpp"

// Lanes don't depend on each other. g++ would rather unroll a loop of 16 rounds whole, and then fails
// to turn what it got into SIMD.
#if defined(__clang__)
#define ZWALK_SIMD_LOOP _Pragma("clang loop vectorize(enable)")
#else
#define ZWALK_SIMD_LOOP _Pragma("GCC ivdep") _Pragma("GCC unroll 1")
#endif

namespace zwalk::inline v0 {

/// One value per lane on the CPU.
template <class T, int W>
struct LaneArray {
    alignas(64) T v[W];
    ZWALK_INLINE T& operator[](int l) { return v[l]; }
    ZWALK_INLINE T const& operator[](int l) const { return v[l]; }
};

namespace detail {

/// Bit l is set where flag[l] is -1 (not 0). Compilers turn a loop that fills flags into SIMD, but
/// not the step from flags to bits, so that is spelled out where there is an instruction for it.
template <int W>
ZWALK_INLINE auto lane_bits(int const* flag) {
    static_assert(W <= 64);
    std::conditional_t<(W > 32), std::uint64_t, std::uint32_t> bits = 0;
    int l = 0;
#if defined(__AVX512F__)
    for (; l + 16 <= W; l += 16) {
        auto const v = _mm512_loadu_si512(flag + l);
        bits |= decltype(bits)(_mm512_test_epi32_mask(v, v)) << l;
    }
#endif
#if defined(__AVX2__)
    for (; l + 8 <= W; l += 8) {
        auto const v = _mm256_loadu_ps(reinterpret_cast<float const*>(flag + l));
        bits |= decltype(bits)(unsigned(_mm256_movemask_ps(v))) << l;
    }
#endif
    for (; l < W; ++l) bits |= decltype(bits)(flag[l] & 1) << l;
    return bits;
}

}  // namespace detail

/// W lanes as a SIMD loop on one CPU thread. Each lanes() ends before the next begins, so sync()
/// has nothing to do: this group can't show a missing one, CheckedGroup can.
template <int W>
struct CpuGroup {
    static constexpr int width = W;
    /// A thread may look at any lane's values, so lanes can also run over sources (leaf_step).
    static constexpr bool lanes_share_memory = true;
    template <class T>
    using var = LaneArray<T, W>;

    template <class F>
    ZWALK_INLINE void lanes(F const& f) const {
        ZWALK_SIMD_LOOP
        for (int l = 0; l < W; ++l) f(l);
    }
    ZWALK_INLINE void sync() const {}

    template <class F>
    ZWALK_INLINE bool any(F const& pred) const {
        int some = 0;
        ZWALK_SIMD_LOOP
        for (int l = 0; l < W; ++l) some |= int(pred(l));
        return some != 0;
    }

    template <class P, class F>
    ZWALK_INLINE void where(P const& pred, F const& f) const {
        LaneArray<int, W> flag;
        ZWALK_SIMD_LOOP
        for (int l = 0; l < W; ++l) flag[l] = -int(pred(l));
        for (auto hits = detail::lane_bits<W>(flag.v); hits != 0; hits &= hits - 1)
            f(std::countr_zero(hits));
    }

    /// A view of memory that every lane can read anyway.
    template <class T, int N>
    struct Tile {
        static constexpr unsigned capacity = 0xffffffffU;
        T const* data;
        ZWALK_INLINE void load(CpuGroup const&, T const* source, unsigned) { data = source; }
        ZWALK_INLINE T operator[](unsigned i) const { return data[i]; }
    };

    template <class S>
    struct Local {
        S value;
        ZWALK_INLINE S& get(CpuGroup const&) { return value; }
    };
};

}  // namespace zwalk::inline v0
