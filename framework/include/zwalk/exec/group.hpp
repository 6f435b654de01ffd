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
//   thread()          which of the threads that share the group this is: its lane on the GPU, 0 on the
//                     CPU, for memory that threads write to
//
// Rules: arrays of var are indexed by constants only; no return or break inside lanes; every lane
// of the group reaches every sync(); data passes between lanes through tiles only.
// CheckedGroup (group_checked.hpp) finds missing sync() calls; CudaGroup is in group_cuda.cuh.
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

#include "zwalk/core/config.hpp"
#include "zwalk/exec/simd.hpp"

namespace zwalk::inline v0 {

/// One value per lane on the CPU.
template <class T, int W>
struct LaneArray {
    alignas(64) T v[W];
    ZWALK_INLINE T& operator[](int l) { return v[l]; }
    ZWALK_INLINE T const& operator[](int l) const { return v[l]; }
};

/// W lanes as a SIMD loop on one CPU thread. Each lanes() ends before the next begins, so sync()
/// has nothing to do: this group can't show a missing one, CheckedGroup can.
template <int W>
struct CpuGroup {
    static constexpr int width = W;
    template <class T>
    using var = LaneArray<T, W>;

    static constexpr int thread() { return 0; }

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
        for (int l = 0; l < W; ++l)
            if (pred(l)) f(l);
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
