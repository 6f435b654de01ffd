// The lane group on a GPU: one thread per lane.
#pragma once
#include <type_traits>

#include "zwalk/core/config.hpp"

namespace zwalk { inline namespace v0 {

/// One value per lane on the GPU: a register of the thread.
template <class T>
struct LaneRegister {
    T v;
    ZWALK_INLINE T& operator[](int) { return v; }
    ZWALK_INLINE T const& operator[](int) const { return v; }
};

/// Threads of a block: one group of W, or as many groups of at most a warp as fill two warps.
template <int W>
inline constexpr int block_threads = W > 32 ? W : 64;

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

    template <class F>
    __device__ __forceinline__ unsigned ballot(F const& pred) const {
        static_assert(W <= 32);
        unsigned const bits = __ballot_sync(mask(), pred(thread()));
        if constexpr (W == 32) return bits;
        else return (bits & mask()) >> (threadIdx.x % 32 / W * W);
    }
    template <class T>
    __device__ __forceinline__ T broadcast(LaneRegister<T> const& x, int lane) const {
        return by_words(x.v, [&](auto v) { return __shfl_sync(mask(), v, lane, W); });
    }
    template <class T, class F>
    __device__ __forceinline__ void exchange(LaneRegister<T> const& x, int lanes_mask,
                                             F const& f) const {
        f(thread(), by_words(x.v, [&](auto v) { return __shfl_xor_sync(mask(), v, lanes_mask, W); }));
    }

    template <class T, int N>
    struct Slots {
        T value[N];
        __device__ __forceinline__ void write(CudaGroup const&, unsigned i, T const& x) { value[i] = x; }
        __device__ __forceinline__ T operator[](unsigned i) const { return value[i]; }
    };

    /// A lane's values, every W-th of those of all: so lanes meet in no bank.
    template <class T>
    struct Column {
        T* first;
        __device__ __forceinline__ void write(CudaGroup const&, int i, T const& x) const {
            first[i * W] = x;
        }
        __device__ __forceinline__ T operator[](int i) const { return first[i * W]; }
    };
    template <class T, int N>
    struct Columns {
        alignas(16) T value[N * W];
        __device__ __forceinline__ LaneRegister<Column<T>> hold(CudaGroup const&) {
            return {held(value + thread(), thread())};
        }
    };

    template <class T, int N>
    struct CopiedTile {
        static constexpr unsigned capacity = N;
        static constexpr bool fills = true;
        alignas(16) T value[N];  // four floats are one load
        __device__ __forceinline__ void load(CudaGroup const&, T const* source, unsigned n) {
            each([&](unsigned i) {
                if (i < n) value[i] = source[i];
            });
        }
        __device__ __forceinline__ void load_and_fill(CudaGroup const&, T const* source, unsigned n,
                                                      T fill) {
            each([&](unsigned i) {
                T x = fill;
                if (i < n) x = source[i];
                value[i] = x;
            });
        }
        __device__ __forceinline__ T operator[](unsigned i) const { return value[i]; }

      private:
        static_assert(N % W == 0 || N < W);
        /// f(i) for the elements of this thread: no loop, so that loads of several tiles are under way at a time.
        template <class F>
        static __device__ __forceinline__ void each(F const& f) {
            if constexpr (N < W) {
                if (thread() < N) f(unsigned(thread()));
            } else {
                ZWALK_UNROLL
                for (int i = 0; i < N; i += W) f(unsigned(i + thread()));
            }
        }
    };
    /// A view of values where they are, for those that are too large to copy: that many of them would leave no room in shared
    /// memory for a second block, or for this one. Lanes that read the same one share a transaction, and a cache.
    template <class T, int N>
    struct TileInPlace {
        static constexpr unsigned capacity = N;
        static constexpr bool fills = false;
        T const* data;
        __device__ __forceinline__ void load(CudaGroup const&, T const* source, unsigned) {
            if (thread() == 0) data = source;
        }
        __device__ __forceinline__ T const& operator[](unsigned i) const { return data[i]; }
    };
    template <class T, int N>
    using Tile = std::conditional_t<(sizeof(T) > 128), TileInPlace<T, N>, CopiedTile<T, N>>;

    /// The struct lives in the block's shared memory: one instance per type, kernel and group.
    template <class S>
    struct Local {
        __device__ __forceinline__ S& get(CudaGroup const&) {
            __shared__ alignas(16) unsigned char storage[per_block * sizeof(S)];
            return reinterpret_cast<S*>(storage)[threadIdx.x / W];
        }
        __device__ __forceinline__ S& hold(CudaGroup const& g) { return *held(&get(g), 0); }
    };

  private:
    /// What `pointer` is on a lane, in a register from now on. ptxas would compute the address anew at every use, and read the number of
    /// the block in its cluster for that; what a shuffle gave it can't.
    template <class T>
    static __device__ __forceinline__ T* held(T* pointer, int lane) {
        static_assert(W <= 32);
        constexpr unsigned align = alignof(T) < 8 && sizeof(T) % 8 == 0 ? 8 : alignof(T);
        auto const address = unsigned(__cvta_generic_to_shared(pointer));
        unsigned const there = __shfl_sync(mask(), address, lane, W);
        __builtin_assume(there % align == 0);
        return static_cast<T*>(__cvta_shared_to_generic(there));
    }
    /// shuffle(number) for a number; for other values number by number of four bytes.
    template <class T, class F>
    static __device__ __forceinline__ T by_words(T const& x, F const& shuffle) {
        static_assert(W <= 32 && sizeof(T) % 4 == 0);
        if constexpr (std::is_arithmetic_v<T>) {
            return shuffle(x);
        } else {
            struct Words {
                unsigned word[sizeof(T) / 4];
            };
            Words words = __builtin_bit_cast(Words, x);
            ZWALK_UNROLL
            for (unsigned i = 0; i < sizeof(T) / 4; ++i) words.word[i] = shuffle(words.word[i]);
            return __builtin_bit_cast(T, words);
        }
    }
};

}}  // namespace zwalk::v0
