// The lane group on a GPU: one thread per lane.
#pragma once
#include "zwalk/core/config.hpp"

namespace zwalk::inline v0 {

/// One value per lane on the GPU: a register of the thread.
template <class T>
struct LaneRegister {
    T v;
    ZWALK_INLINE T& operator[](int) { return v; }
    ZWALK_INLINE T const& operator[](int) const { return v; }
};

/// Threads of a block: one group of W, or as many narrower ones as fill two warps.
template <int W>
inline constexpr int block_threads = W >= 32 ? W : 64;

/// W neighbouring threads of a block: a whole block of at least a warp, or a power of two below, of which
/// a block has several, each with tiles of its own.
template <int W>
struct CudaGroup {
    static_assert(W % 32 == 0 || 32 % W == 0);
    static constexpr int width = W;
    static constexpr int per_block = block_threads<W> / W;
    template <class T>
    using var = LaneRegister<T>;

    /// The lane of this thread.
    static __device__ __forceinline__ int thread() { return int(threadIdx.x) % W; }
    /// Bits of this group's threads in their warp.
    static __device__ __forceinline__ unsigned mask() {
        if constexpr (W >= 32) return 0xffffffffU;
        else return ((1U << W) - 1) << (threadIdx.x % 32 / W * W);
    }

    template <class F>
    __device__ __forceinline__ void lanes(F const& f) const {
        f(thread());
    }
    __device__ __forceinline__ void sync() const {
        if constexpr (W <= 32) {
            __syncwarp(mask());
        } else {
            __syncthreads();
        }
    }
    template <class F>
    __device__ __forceinline__ bool any(F const& pred) const {
        if constexpr (W <= 32) {
            return __any_sync(mask(), pred(thread())) != 0;
        } else {
            return __syncthreads_or(pred(thread())) != 0;
        }
    }
    template <class P, class F>
    __device__ __forceinline__ void where(P const& pred, F const& f) const {
        if (pred(thread())) f(thread());
    }

    template <class T, int N>
    struct Tile {
        static constexpr unsigned capacity = N;
        T value[N];
        __device__ __forceinline__ void load(CudaGroup const&, T const* source, unsigned n) {
            for (unsigned i = unsigned(thread()); i < n; i += W) value[i] = source[i];
        }
        __device__ __forceinline__ T operator[](unsigned i) const { return value[i]; }
    };

    /// The struct lives in the block's shared memory: one instance per type, kernel and group.
    template <class S>
    struct Local {
        __device__ __forceinline__ S& get(CudaGroup const&) {
            __shared__ alignas(16) unsigned char storage[per_block * sizeof(S)];
            return reinterpret_cast<S*>(storage)[threadIdx.x / W];
        }
    };
};

}  // namespace zwalk::inline v0
