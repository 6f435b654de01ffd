// How much memory of a device a search needs.
#pragma once
#include <cstdint>

#include "zwalk/knn/memory.hpp"

namespace zwalk { inline namespace v0 {

/// Bytes on the device, beside the input (points and queries, or the index); saturating.
struct DeviceKnnMemory {
    std::uint64_t result = 0;  ///< filled while walking; of a visit: the neighbours of one chunk
    std::uint64_t build = 0;   ///< the most while trees are made
    std::uint64_t walk = 0;    ///< trees, and what a walk has per node
    std::uint64_t lists = 0;   ///< interaction lists, sorted; fewer at a time where memory is short

    /// Without it there is no search: lists of a sixteenth of what they may be.
    [[nodiscard]] std::uint64_t needed() const;
    /// The most in use at a time.
    [[nodiscard]] std::uint64_t peak() const;
};

/// The prediction for knn() on a device with kernels for `columns` >= task.dim columns, O(1). The task's
/// `threads` isn't read; k = 0: the points are only brought into a tree. For uniform and clustered points,
/// from 1e4 on, the peak is at most half as much again as that measured, with Order::z six tenths. k > 256 needs memory for its
/// heaps beside it: up to a quarter of the budget.
DeviceKnnMemory device_knn_memory(KnnTask const& task, int columns, TreeOptions const& options = {});

}}  // namespace zwalk::v0
