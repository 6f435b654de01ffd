// How much memory a search needs, and how it keeps to a budget.
#pragma once
#include <cstdint>
#include <optional>

#include "zwalk/core/need.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

/// The shape of a search: all that its memory depends on, but for the tree options, which are taken
/// to be the default ones, and the data: points that come in many small clumps have more nodes.
struct KnnTask {
    std::uint64_t points = 0;
    std::optional<std::uint64_t> queries{};  ///< none: the points are their own queries
    int dim = 3;
    index_t k = 16;              ///< 0: the points are only brought into a tree
    std::size_t item_bytes = 4;  ///< of a coordinate
    Order order = Order::input;
    int threads = 0;                  ///< as in Cpu
    std::uint64_t memory_budget = 0;  ///< as in Cpu
    bool indexed = false;             ///< the points are an Index instead of rows
    bool visited = false;             ///< neighbours are shown to a visitor, not kept
};

/// What a search does within its budget, and the bytes that it needs: `walk` has trees, a batch of queries, and what threads
/// collect; the budget is the task's, or the default (16 MB if they do).
struct KnnMemory : Need {
    bool descents = false;         ///< queries of an index go down one by one, without a tree
    std::uint64_t batches = 1;     ///< in which the queries are answered
    std::uint64_t batch_size = 0;  ///< queries in each of them but the last
};

/// The plan that knn() follows, and its prediction: queries in as few batches as the budget allows, in
/// small ones if it allows none. O(1).
///
/// The prediction is within 20 % of the measured peak from about 1e6 points on
/// (docs/performance/memory.md).
/// @throws InputError  more columns than this build has kernels for
KnnMemory knn_memory(KnnTask const& task);

}}  // namespace zwalk::v0
