// The lane group on a GPU: one thread per lane, one block per group.
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

/// W threads of a block with blockDim.x == W.
template <int W>
struct CudaGroup {
    static constexpr int width = W;
    template <class T>
    using var = LaneRegister<T>;

    template <class F>
    __device__ __forceinline__ void lanes(F const& f) const {
        f(int(threadIdx.x));
    }
    __device__ __forceinline__ void sync() const {
        if constexpr (W == 32) {
            __syncwarp();
        } else {
            __syncthreads();
        }
    }
    template <class F>
    __device__ __forceinline__ bool any(F const& pred) const {
        if constexpr (W == 32) {
            return __any_sync(0xffffffffU, pred(int(threadIdx.x))) != 0;
        } else {
            return __syncthreads_or(pred(int(threadIdx.x))) != 0;
        }
    }
    template <class P, class F>
    __device__ __forceinline__ void where(P const& pred, F const& f) const {
        if (pred(int(threadIdx.x))) f(int(threadIdx.x));
    }

    template <class T, int N>
    struct Tile {
        static constexpr unsigned capacity = N;
        T value[N];
        __device__ __forceinline__ void load(CudaGroup const&, T const* source, unsigned n) {
            for (unsigned i = threadIdx.x; i < n; i += W) value[i] = source[i];
        }
        __device__ __forceinline__ T operator[](unsigned i) const { return value[i]; }
    };

    /// The struct lives in the block's shared memory: one instance per type and kernel.
    template <class S>
    struct Local {
        __device__ __forceinline__ S& get(CudaGroup const&) {
            __shared__ alignas(16) unsigned char storage[sizeof(S)];
            return *reinterpret_cast<S*>(storage);
        }
    };
};

}  // namespace zwalk::inline v0
