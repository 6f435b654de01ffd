// Phased SPMD: a kernel is written once, over a group of lanes, and runs on every backend.
//
//   g.lanes(f)        f(l) for every lane l (CPU: a SIMD loop; GPU: one thread each)
//   g.sync()          separates phases: what lanes wrote to shared memory before is readable after
//   g.any(pred)       true if pred(l) holds on some lane
//   g.where(pred, f)  f(l) on the lanes where pred(l) holds
//   var<T>            one value per lane: a register on the GPU, a small array on the CPU
//   Tile<T, N>        N values that all lanes read: shared memory on the GPU; on the CPU a pointer
//                     to where they are, because the cache already is shared memory.
//                     load_and_fill() puts a value behind them, up to N, if Tile::fills
//   Slots<T, N>       N values that lanes write and others read: shared memory
//   Columns<T, N>     N values of each lane, which it alone writes and reads: shared memory, since registers have no numbers.
//                     hold(g) is a var of columns: c.write(g, i, x), c[i]; not inside lanes()
//   Local<S>          a struct of tiles, slots and columns: get(g), or hold(g) for what is used often; that not inside lanes()
//   ballot(pred)      groups of at most 32 lanes: bit l is set if pred(l) holds, the same for all lanes
//   broadcast(x, l)   the value of x on lane l, for all lanes; not inside lanes()
//   exchange(x, m, f) f(l, y) for every lane l, where y is what x was on lane l ^ m; f may write to x[l].
//                     Both only between the at most 32 lanes of a warp, so no sync() is needed
//   thread()          which of the threads that share the group this is: its lane on the GPU, 0 on the
//                     CPU, for memory that threads write to
//
// Rules: arrays of var are indexed by constants only; no return or break inside lanes; every lane
// of the group reaches every sync(), ballot(), broadcast() and exchange(), and none of them is inside lanes;
// beside these data passes between lanes through tiles and slots only.
// CheckedGroup (group_checked.hpp) finds missing sync() calls; CudaGroup is in group_cuda.cuh.
#pragma once
#include "zwalk/core/config.hpp"
#include "zwalk/exec/simd.hpp"

namespace zwalk { inline namespace v0 {

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

    template <class F>
    ZWALK_INLINE unsigned ballot(F const& pred) const {
        static_assert(W <= 32);
        unsigned bits = 0;
        for (int l = 0; l < W; ++l) bits |= unsigned(bool(pred(l))) << l;
        return bits;
    }
    template <class T>
    ZWALK_INLINE T broadcast(LaneArray<T, W> const& x, int lane) const {
        return x[lane];
    }
    template <class T, class F>
    ZWALK_INLINE void exchange(LaneArray<T, W> const& x, int mask, F const& f) const {
        LaneArray<T, W> const before = x;
        for (int l = 0; l < W; ++l) f(l, before[l ^ mask]);
    }

    /// A view of memory that every lane can read anyway.
    template <class T, int N>
    struct Tile {
        static constexpr unsigned capacity = 0xffffffffU;
        static constexpr bool fills = false;
        T const* data;
        ZWALK_INLINE void load(CpuGroup const&, T const* source, unsigned) { data = source; }
        ZWALK_INLINE void load_and_fill(CpuGroup const&, T const* source, unsigned, T) { data = source; }
        ZWALK_INLINE T operator[](unsigned i) const { return data[i]; }
    };

    template <class T, int N>
    struct Slots {
        T value[N];
        ZWALK_INLINE void write(CpuGroup const&, unsigned i, T const& x) { value[i] = x; }
        ZWALK_INLINE T operator[](unsigned i) const { return value[i]; }
    };

    template <class T>
    struct Column {
        T* first;
        ZWALK_INLINE void write(CpuGroup const&, int i, T const& x) const { first[i * W] = x; }
        ZWALK_INLINE T operator[](int i) const { return first[i * W]; }
    };
    template <class T, int N>
    struct Columns {
        T value[N * W];
        ZWALK_INLINE var<Column<T>> hold(CpuGroup const&) {
            var<Column<T>> columns;
            for (int l = 0; l < W; ++l) columns[l] = {value + l};
            return columns;
        }
    };

    template <class S>
    struct Local {
        S value;
        ZWALK_INLINE S& get(CpuGroup const&) { return value; }
        ZWALK_INLINE S& hold(CpuGroup const&) { return value; }
    };
};

}}  // namespace zwalk::v0
