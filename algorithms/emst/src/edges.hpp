// The order of edges in a result.
#pragma once
#include <span>

#include "zwalk/core/buffer.hpp"
#include "zwalk/emst/fragments.hpp"

namespace zwalk::inline v0::detail {

/// Edges in ascending order; no two are equal. Call inside Cpu::run. O(N) where lengths differ, else
/// O(N log N).
Buffer<Edge<float>> sorted_edges(std::span<Edge<float> const> edges);
Buffer<Edge<double>> sorted_edges(std::span<Edge<double> const> edges);

}  // namespace zwalk::inline v0::detail
