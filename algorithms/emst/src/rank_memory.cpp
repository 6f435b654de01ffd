#include <algorithm>

#include "rank_edge.hpp"
#include "zwalk/emst/emst.hpp"

namespace zwalk { inline namespace v0 {

Need emst_rank_memory(std::uint64_t points, int dim, std::size_t item_bytes, int min_samples) {
    Need m = emst_memory(points + points / 2, dim, item_bytes, min_samples);
    std::uint64_t const in_z_order = points * std::uint64_t(dim) * item_bytes;
    m.sort += in_z_order;
    // What was imported stays for later searches, with rows and positions.
    std::uint64_t const kept =
        points / 2 * (std::uint64_t(dim) * item_bytes + sizeof(index_t) + sizeof(pos_t));
    m.build += in_z_order + kept;
    // Edges on their way into ascending order: as they were found, and as they arrive.
    m.result = std::max(m.result, 2 * sizeof(detail::RankEdge<double>) * points);
    return m;
}

}}  // namespace zwalk::v0
