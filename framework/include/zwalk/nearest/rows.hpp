// Where nearest neighbours go: into rows, or to an object that is shown them.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "zwalk/core/index.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/core/vec.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/nearest/neighbours.hpp"
#if defined(__SSE2__) && !defined(__CUDACC__)
#include <emmintrin.h>
#define ZWALK_STREAMS
#endif

namespace zwalk { inline namespace v0 {

/// An output that keeps everything: one row per target, nearest first, -1 at distance infinity behind the last. Or nothing: with
/// a visitor, that is called for each target instead.
template <class T>
struct NearestRows {
    std::size_t columns = 1;  ///< row length, >= k
    index_t* indices = nullptr;
    T* distances = nullptr;
    pos_t const* row_of = nullptr;     ///< output row of a target position; null: the position
    pos_t const* source_of = nullptr;  ///< output index of a source position; null: the position
    NeighbourVisitor<T> visitor{};
    pos_t first_row = 0;   ///< without row_of: that of target position 0
    bool squared = false;  ///< squared distances, on devices
    /// Full rows go past the caches, of distances or of indices, on CPUs: see stream_large().
    bool stream_distances = false, stream_indices = false;
    pos_t ring = 0;  ///< not 0: row i is that of the target position i modulo this

    /// Rows that are whole cache lines, of results of 32 MB and more, are written without being read. Other threads see them once
    /// end_streams() was called, or a parallel_for() ended that wrote them.
    void stream_large([[maybe_unused]] std::size_t rows) {
#if defined(ZWALK_STREAMS)
        constexpr std::size_t line = 64, large = 32 << 20;
        auto const streams = [&](auto const* to) {
            std::size_t const bytes = columns * sizeof(*to);
            return bytes % line == 0 && bytes * rows >= large &&
                   reinterpret_cast<std::uintptr_t>(to) % line == 0;
        };
        stream_distances = streams(distances);
        stream_indices = streams(indices);
#endif
    }
    void end_streams() const {
#if defined(ZWALK_STREAMS)
        if (stream_distances || stream_indices) _mm_sfence();
#endif
    }

    /// Rows lie anywhere in memory: fetches the first cache lines of a target's row early.
    template <class Point>
    ZWALK_INLINE void prepare([[maybe_unused]] Point const& target) const {
#if !defined(__CUDA_ARCH__)
        if (visitor) return;
        std::size_t const row = row_start(target);
        std::size_t const bytes = min_of(columns * sizeof(T), std::size_t(256));
        for (std::size_t at = 0; at < bytes; at += 64) {
            if (!stream_distances) __builtin_prefetch(reinterpret_cast<char*>(distances + row) + at, 1);
            if (stream_indices) continue;
            __builtin_prefetch(reinterpret_cast<char*>(indices + row) + 2 * at, 1);
            __builtin_prefetch(reinterpret_cast<char*>(indices + row) + 2 * at + 64, 1);
        }
#endif
    }
    template <class Point, class Found>
    ZWALK_INLINE void operator()(Point const& target, Found const& found) const {
        std::size_t const at = row_start(target), n = found.size();
        if constexpr (requires { found.d2(); }) {  // side by side: a fold of CPUs
            if (visitor)
                return visitor.call(
                    visitor.object, row(target),
                    {found.d2(), found.position(), found.size(), source_of, visitor.unit});
            put_all(at, int(n), found);
        } else {
            if constexpr (requires { found.is_full(); })
                if (found.is_full() && columns == found.in_registers && is_aligned())
                    return put_whole(at, found);
            found.each([&](int j, Key<T> key) { put(at + std::size_t(j), key); });
        }
        for (std::size_t j = n; j < columns; ++j) put_none(at + j);
    }

    /// Neighbour i of the target; i < columns. Where there is none, the key's position is no_pos.
    template <class Point>
    ZWALK_INLINE void place(Point const& target, std::size_t i, Key<T> key) const {
        std::size_t const at = row_start(target) + i;
        if (key.pos == no_pos) put_none(at);
        else put(at, key);
    }

  private:
    ZWALK_INLINE T distance_of(Key<T> key) const { return squared ? key.d2 : std::sqrt(key.d2); }
    ZWALK_INLINE index_t index_of(Key<T> key) const { return source_of ? source_of[key.pos] : key.pos; }
    ZWALK_INLINE void put(std::size_t at, Key<T> key) const {
        distances[at] = distance_of(key);
        indices[at] = index_of(key);
    }
    /// Whether rows that are a multiple of 16 bytes begin at multiples of them.
    ZWALK_INLINE bool is_aligned() const {
        return (reinterpret_cast<std::uintptr_t>(distances) |
                reinterpret_cast<std::uintptr_t>(indices)) %
                   16 ==
               0;
    }
    /// A row of a thread's, by 16 bytes at a time.
    template <class Found>
    ZWALK_INLINE void put_whole(std::size_t at, Found const& found) const {
        auto* const distance = static_cast<T*>(__builtin_assume_aligned(distances + at, 16));
        auto* const index = static_cast<index_t*>(__builtin_assume_aligned(indices + at, 16));
        auto const write = [&](auto* to, auto const& value_of) {
            ZWALK_UNROLL
            for (int j = 0; j < Found::in_registers; j += 4) {
                // Some are read before they are written, since what is written might be what is read.
                decltype(value_of(found.key(j))) value[4];
                ZWALK_UNROLL
                for (int u = 0; u < 4; ++u) value[u] = value_of(found.key(j + u));
                ZWALK_UNROLL
                for (int u = 0; u < 4; ++u) to[j + u] = value[u];
            }
        };
        if (source_of) write(index, [&](Key<T> key) -> index_t { return source_of[key.pos]; });
        else write(index, [](Key<T> key) -> index_t { return key.pos; });
        if (squared) write(distance, [](Key<T> key) { return key.d2; });
        else write(distance, [](Key<T> key) { return std::sqrt(key.d2); });
    }
    ZWALK_INLINE void put_none(std::size_t at) const {
        distances[at] = infinity<T>;
        indices[at] = -1;
    }
    template <class Found>
    ZWALK_INLINE void put_all(std::size_t at, int n, Found const& found) const {
        bool const is_full = std::size_t(n) == columns;
        put_row<T>(distances + at, n, stream_distances && is_full,
                   [&](int j) { return std::sqrt(found.d2(j)); });
        if (source_of)
            put_row<index_t>(indices + at, n, stream_indices && is_full,
                             [&](int j) { return index_t(source_of[found.position(j)]); });
        else
            put_row<index_t>(indices + at, n, stream_indices && is_full,
                             [&](int j) { return index_t(found.position(j)); });
    }
    template <class V, class F>
    ZWALK_INLINE void put_row(V* to, int n, [[maybe_unused]] bool streams, F const& value) const {
#if defined(ZWALK_STREAMS)
        if (streams) {  // a whole line at a time: a write that ends within one would be a read
            constexpr int in_line = 64 / int(sizeof(V)), in_store = 16 / int(sizeof(V));
            for (int j = 0; j < n; j += in_line) {
                alignas(64) V line[in_line];
                ZWALK_SIMD_LOOP
                for (int l = 0; l < in_line; ++l) line[l] = value(j + l);
                for (int l = 0; l < in_line; l += in_store)
                    _mm_stream_si128(reinterpret_cast<__m128i*>(to + j + l),
                                     _mm_load_si128(reinterpret_cast<__m128i const*>(line + l)));
            }
            return;
        }
#endif
        ZWALK_SIMD_LOOP
        for (int j = 0; j < n; ++j) to[j] = value(j);
    }
    template <class Point>
    ZWALK_INLINE pos_t row(Point const& target) const {
        return row_of ? row_of[target.index] : first_row + target.index;
    }
    template <class Point>
    ZWALK_INLINE std::size_t row_start(Point const& target) const {
        return std::size_t(ring ? target.index % ring : row(target)) * columns;
    }
};

}}  // namespace zwalk::v0

#undef ZWALK_STREAMS
