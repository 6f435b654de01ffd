// Where the neighbours that knn() finds go.
#pragma once
#include <algorithm>
#include <cmath>

#include "zwalk/core/index.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/core/vec.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/knn/neighbours.hpp"

namespace zwalk::inline v0 {

/// An output that keeps everything: one row per target, as KnnResult describes it. Or nothing: with a
/// visitor, that is called for each target instead.
template <class T>
struct KnnRows {
    std::size_t columns = 1;  ///< row length, >= k
    index_t* indices = nullptr;
    T* distances = nullptr;
    pos_t const* row_of = nullptr;     ///< output row of a target position; null: the position
    pos_t const* source_of = nullptr;  ///< output index of a source position; null: the position
    KnnVisitor<T> visitor{};
    bool squared = false;  ///< squared distances
    pos_t ring = 0;        ///< not 0: row i is that of the target position i modulo this

    /// Rows lie anywhere in memory: fetches the first cache lines of a target's row early.
    template <class Point>
    ZWALK_INLINE void prepare([[maybe_unused]] Point const& target) const {
#if !defined(__CUDA_ARCH__)
        if (visitor) return;
        std::size_t const row = row_start(target);
        std::size_t const bytes = min_of(columns * sizeof(T), std::size_t(256));
        for (std::size_t at = 0; at < bytes; at += 64) {
            __builtin_prefetch(reinterpret_cast<char*>(distances + row) + at, 1);
            __builtin_prefetch(reinterpret_cast<char*>(indices + row) + 2 * at, 1);
            __builtin_prefetch(reinterpret_cast<char*>(indices + row) + 2 * at + 64, 1);
        }
#endif
    }
    template <class Point, class Neighbours>
    ZWALK_INLINE void operator()(Point const& target, Neighbours const& found) const {
        if constexpr (requires { found.d2(); })  // side by side: a fold of CPUs
            if (visitor)
                return visitor.call(visitor.object, row_of ? row_of[target.index] : target.index,
                                    {found.d2(), found.position(), found.size(), source_of});
        T* const distance = distances + row_start(target);
        index_t* const index = indices + row_start(target);
        int const n = int(found.size());
        if constexpr (requires { Neighbours::in_registers; }) {
            found.each([&](int j, Key<T> key) {
                distance[j] = squared ? key.d2 : std::sqrt(key.d2);
                index[j] = source_of ? source_of[key.pos] : key.pos;
            });
            return fill(distance, index, n);
        } else {
            write(distance, index, n, found);
        }
    }

    /// Neighbour i of the target; i < columns. Where there is none, the key's position is no_pos.
    template <class Point>
    ZWALK_INLINE void place(Point const& target, std::size_t i, Key<T> key) const {
        std::size_t const at = row_start(target) + i;
        if (key.pos == no_pos) {
            distances[at] = infinity<T>;
            indices[at] = -1;
        } else {
            distances[at] = squared ? key.d2 : std::sqrt(key.d2);
            indices[at] = source_of ? source_of[key.pos] : key.pos;
        }
    }

  private:
    template <class Neighbours>
    ZWALK_INLINE void write(T* distance, index_t* index, int n, Neighbours const& found) const {
        if (squared) {
            ZWALK_SIMD_LOOP
            for (int j = 0; j < n; ++j) distance[j] = found.d2(j);
        } else {
            ZWALK_SIMD_LOOP
            for (int j = 0; j < n; ++j) distance[j] = std::sqrt(found.d2(j));
        }
        if (source_of) {
            ZWALK_SIMD_LOOP
            for (int j = 0; j < n; ++j) index[j] = source_of[found.position(j)];
        } else {
            ZWALK_SIMD_LOOP
            for (int j = 0; j < n; ++j) index[j] = found.position(j);
        }
        fill(distance, index, n);
    }
    ZWALK_INLINE void fill(T* distance, index_t* index, int n) const {
        for (std::size_t j = std::size_t(n); j < columns; ++j) {
            distance[j] = infinity<T>;
            index[j] = -1;
        }
    }
    template <class Point>
    ZWALK_INLINE std::size_t row_start(Point const& target) const {
        if (ring) return target.index % ring * columns;
        return (row_of ? row_of[target.index] : target.index) * columns;
    }
};

}  // namespace zwalk::inline v0
