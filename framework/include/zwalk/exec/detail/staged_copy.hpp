// Large copies from a device to memory of the host that it can't write to by itself: in chunks, through two buffers that it can.
#pragma once
#include <algorithm>
#include <cstddef>

namespace zwalk { inline namespace v0 { namespace detail {

/// Bytes of a chunk: enough for the whole rate of the bus, little to wait for at both ends.
inline constexpr std::size_t staged_chunk = std::size_t(8) << 20;
/// Smaller copies aren't worth two buffers.
inline constexpr std::size_t staged_from = 8 * staged_chunk;

/// Copies `bytes` in chunks: the device fills one buffer while the host empties the other one.
///
/// stage.fill(half, at, n)   begins to copy the n bytes from offset `at` on into buffer half = 0 or 1; returns at once
/// stage.empty(half, at, n)  waits for that, and copies them on to where they belong
template <class Stage>
void copy_staged(Stage& stage, std::size_t bytes, std::size_t chunk = staged_chunk) {
    if (bytes == 0) return;
    stage.fill(0, 0, std::min(bytes, chunk));
    for (std::size_t at = 0, half = 0; at < bytes; at += chunk, half = 1 - half) {
        std::size_t const next = at + chunk;
        if (next < bytes) stage.fill(1 - half, next, std::min(bytes - next, chunk));
        stage.empty(half, at, std::min(bytes - at, chunk));
    }
}

}}}  // namespace zwalk::v0::detail
