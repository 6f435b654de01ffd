#include "zwalk/dbscan/dbscan.hpp"

#include <cmath>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/run/calls.hpp"

namespace zwalk { inline namespace v0 {

using namespace detail;

template <class T>
void DbscanAlgorithm::check(DbscanOptions const& o, CallSets const&) {
    double const e = o.epsilon;
    if (!(e >= 0) || std::isinf(e))
        throw InputError(detail::text("epsilon must be a finite number >= 0, but is {}", e));
    if (std::isinf(T(e)))
        throw InputError(detail::text("epsilon = {} is too large for the precision of the points", e));
    if (o.min_samples < 1)
        throw InputError(detail::text("min_samples must be at least 1, but is {}", o.min_samples));
}

Need dbscan_memory(std::uint64_t points, int dim, std::size_t item_bytes) {
    std::uint64_t const columns = std::uint64_t(compiled_columns<Cpu>(CpuDims{}, dim));
    // As zorder/sort.cpp and tree/joint.cpp have them. Nodes, cuts included, take about 2 bytes per point.
    std::uint64_t const sort = 16, position = sizeof(pos_t), index = sizeof(index_t), nodes = 2,
                        flag = 1;
    std::uint64_t const row = columns * item_bytes, tree = position + nodes + row;
    // Two trees, of all points and of core points or the others; rows of these; what is sorted, or groups and neighbours.
    std::uint64_t const walk = 2 * tree + row + 2 * flag + 2 * position + std::max(sort, 2 * index);
    return {.sort = sort * points, .build = walk * points, .result = (index + flag + position) * points};
}

namespace detail {
ZWALK_CALLS(DbscanCall, float)
ZWALK_CALLS(DbscanCall, double)
}  // namespace detail

}}  // namespace zwalk::v0
