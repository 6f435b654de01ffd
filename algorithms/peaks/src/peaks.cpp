#include "zwalk/peaks/peaks.hpp"

#include <algorithm>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "zwalk/knn/memory.hpp"
#include "zwalk/knn/search.hpp"
#include "zwalk/run/calls.hpp"

namespace zwalk { inline namespace v0 {

using namespace detail;

template <class T>
void PeaksAlgorithm::check(PeaksOptions const& o, CallSets const& sets) {
    check_options(KnnOptions{.k = o.k}, sets);
}

Need peaks_memory(std::uint64_t points, int dim, std::size_t item_bytes) {
    // The neighbours are shown, not kept: the search needs the tree and little more.
    KnnMemory const search = knn_memory(
        {.points = points, .dim = dim, .item_bytes = item_bytes, .order = Order::z, .visited = true});
    std::uint64_t const length = item_bytes, row = sizeof(index_t), position = sizeof(pos_t);
    std::uint64_t const found = 2 * length + row + position;  // also while it is found
    return {.sort = search.sort,
            .build = std::max(search.build, search.walk + found * points),
            .walk = search.walk + row * points,  // one array at a time comes into the order of the input
            .result = found * points};
}

namespace detail {
ZWALK_CALLS(PeaksCall, float)
ZWALK_CALLS(PeaksCall, double)
}  // namespace detail

}}  // namespace zwalk::v0
