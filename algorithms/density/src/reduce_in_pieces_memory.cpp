// What knn_reduce_in_pieces() takes of memory and disk.

#include <algorithm>
#include <limits>

#include "piece_boxes.hpp"
#include "piece_group_size.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/density/reduce_in_pieces.hpp"
#include "zwalk/knn/memory.hpp"
#include "zwalk/run/piece_file.hpp"
#include "zwalk/run/piece_values.hpp"

namespace zwalk { inline namespace v0 {

Need reduce_in_pieces_memory(ReducePiecesShape const& shape, std::size_t pieces,
                             std::uint64_t part_rows) {
    std::uint64_t const points = most_of_piece(shape.points, pieces),
                        row = std::uint64_t(shape.dim) * shape.item_bytes;
    KnnTask task{.points = points,
                 .dim = shape.dim,
                 .k = shape.k,
                 .item_bytes = shape.item_bytes,
                 .threads = shape.threads,
                 .memory_budget = std::numeric_limits<std::uint64_t>::max(),
                 .visited = true};
    // What threads have, the allocator keeps of small blocks, and files that grow.
    std::uint64_t const others = (std::uint64_t(12) << 20) +
                                 detail::PieceBoxes<float>::bytes(pieces, shape.dim, shape.item_bytes);
    Need need;
    need.sort = others + bytes_to_spread(shape.points, row, part_rows, row, pieces, 2);
    // Beside the search a number of each point, and how large its ball is.
    need.build = others + points * (row + 2 * shape.item_bytes) + knn_memory(task).working();
    std::uint64_t const numbers =
        others + 4 * pieces * PieceFile::block_bytes + detail::values_at_once * shape.item_bytes;
    need.walk = numbers;
    if (pieces == 1) return need;
    std::uint64_t const group = detail::piece_group_size(shape, pieces);
    task.queries = group;
    need.walk = std::max(need.walk, others + points * row + group * detail::border_point_bytes(shape) +
                                        knn_memory(task).working());
    return need;
}

std::size_t reduce_pieces_for(ReducePiecesShape const& shape, std::uint64_t memory,
                              std::uint64_t part_rows) {
    if (memory == 0) memory = available_memory();
    auto const found = fewest_pieces_within(shape.points, memory, [&](std::size_t pieces) {
        return reduce_in_pieces_memory(shape, pieces, part_rows).peak();
    });
    if (found.pieces > 0) return found.pieces;
    throw Error(detail::text(
        "{} points need at least {} MB of memory however many pieces they are in, up to {}, "
        "more than the {} MB that may be used; a smaller k helps, or fewer threads",
        shape.points, detail::full_megabytes(found.needed), most_pieces, memory >> 20));
}

std::uint64_t reduce_in_pieces_disk(ReducePiecesShape const& shape, std::size_t pieces) {
    std::uint64_t const row = std::uint64_t(shape.dim) * shape.item_bytes, index = sizeof(index_t);
    std::uint64_t of_point = row + index + shape.item_bytes;
    if (pieces > 1) of_point += row + index + 2 * shape.item_bytes;
    return shape.points * of_point;
}

}}  // namespace zwalk::v0
