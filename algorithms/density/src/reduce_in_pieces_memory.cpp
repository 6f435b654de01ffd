// What knn_reduce_in_pieces() takes of memory and disk.

#include <algorithm>
#include <limits>
#include <optional>

#include "piece_boxes.hpp"
#include "piece_group.hpp"
#include "piece_group_size.hpp"
#include "piece_queues.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/density/reduce_in_pieces.hpp"
#include "zwalk/knn/memory.hpp"
#include "zwalk/run/piece_file.hpp"
#include "zwalk/run/piece_values.hpp"

namespace zwalk { inline namespace v0 {
namespace {

/// To search a piece, and a group of points there, if it's a group.
KnnTask task_of(ReducePiecesShape const& shape, std::size_t pieces, std::optional<std::uint64_t> group) {
    return {.points = most_of_piece(shape.points, pieces),
            .queries = group,
            .dim = shape.dim,
            .k = shape.k,
            .item_bytes = shape.item_bytes,
            .threads = shape.threads,
            .memory_budget = std::numeric_limits<std::uint64_t>::max(),
            .visited = true};
}
std::uint64_t row_bytes(ReducePiecesShape const& shape) {
    return std::uint64_t(shape.dim) * shape.item_bytes;
}
/// With its mass.
std::uint64_t point_bytes(ReducePiecesShape const& shape) {
    return row_bytes(shape) + (shape.masses ? shape.item_bytes : 0);
}
/// What threads have, the allocator keeps of small blocks, and files that grow; what is known of each piece.
std::uint64_t bytes_beside(ReducePiecesShape const& shape, std::size_t pieces) {
    return (std::uint64_t(12) << 20) +
           detail::PieceBoxes<float>::bytes(pieces, shape.dim, shape.item_bytes) +
           ZRanges<float>::bytes(pieces, row_bytes(shape));
}
/// Bytes of a point of a group, beside those of its search: what the group keeps of it, the query, its number, where it waits and what for.
std::uint64_t border_point_bytes(ReducePiecesShape const& shape) {
    std::uint64_t const dim = std::uint64_t(shape.dim),
                        k = std::min<std::uint64_t>(std::uint64_t(shape.k), shape.points);
    return detail::PieceGroup<float>::bytes(dim, k, shape.item_bytes, shape.masses) +
           (dim + 1) * shape.item_bytes + 2 * sizeof(pos_t) + detail::PieceQueues::bytes(0, 1);
}
/// While a piece is shown to a group.
std::uint64_t border_bytes(ReducePiecesShape const& shape, std::size_t pieces, std::uint64_t group) {
    return bytes_beside(shape, pieces) + most_of_piece(shape.points, pieces) * point_bytes(shape) +
           group * border_point_bytes(shape) + detail::PieceQueues::bytes(pieces, 0) +
           knn_memory(task_of(shape, pieces, group)).working();
}
/// While an index of a piece meets some queries, which have a number each and how large their ball is.
std::uint64_t query_bytes(ReducePiecesShape const& shape, std::size_t pieces, std::uint64_t some) {
    auto task = task_of(shape, pieces, some);
    task.indexed = true;
    KnnMemory const search = knn_memory(task);
    return bytes_beside(shape, pieces) + search.input + search.working() + some * 2 * shape.item_bytes +
           (shape.masses ? task.points * shape.item_bytes : 0);
}
/// While that index is made.
std::uint64_t index_bytes(ReducePiecesShape const& shape, std::size_t pieces) {
    auto task = task_of(shape, pieces, {});
    task.k = 0;
    return bytes_beside(shape, pieces) + task.points * point_bytes(shape) + knn_memory(task).working();
}
std::uint64_t targets_of(ReducePiecesShape const& shape) { return shape.queries.value_or(shape.points); }

/// See piece_group_size.hpp. `each` is about what one takes, bytes(some) what is needed for some.
template <class Bytes>
std::uint64_t most_at_once(ReducePiecesShape const& shape, std::size_t pieces, std::uint64_t memory,
                           std::uint64_t each, Bytes const& bytes) {
    std::uint64_t const room = 2 * shape.item_bytes * most_of_piece(shape.points, pieces);
    std::uint64_t most = std::clamp<std::uint64_t>(targets_of(shape), 1, max_points),
                  fits =
                      std::clamp<std::uint64_t>(std::max(room, std::uint64_t(16) << 20) / each, 1, most);
    if (memory == 0) return fits;
    while (fits < most) {
        std::uint64_t const middle = most - (most - fits) / 2;
        if (Need{.walk = bytes(middle)}.peak() <= memory) fits = middle;
        else most = middle - 1;
    }
    return fits;
}

}  // namespace

std::uint64_t detail::piece_group_size(ReducePiecesShape const& shape, std::size_t pieces,
                                       std::uint64_t memory) {
    constexpr std::uint64_t search_bytes = 48;  // of a point
    return most_at_once(shape, pieces, memory, border_point_bytes(shape) + search_bytes,
                        [&](std::uint64_t group) { return border_bytes(shape, pieces, group); });
}
std::uint64_t detail::piece_query_size(ReducePiecesShape const& shape, std::size_t pieces,
                                       std::uint64_t memory) {
    constexpr std::uint64_t search_bytes = 48;  // of a query
    return most_at_once(shape, pieces, memory, row_bytes(shape) + 2 * shape.item_bytes + search_bytes,
                        [&](std::uint64_t some) { return query_bytes(shape, pieces, some); });
}

Need reduce_in_pieces_memory(ReducePiecesShape const& shape, std::size_t pieces, std::uint64_t part_rows,
                             std::uint64_t memory) {
    std::uint64_t const points = most_of_piece(shape.points, pieces), row = row_bytes(shape),
                        beside = bytes_beside(shape, pieces);
    Need need;
    need.sort =
        beside + ZRanges<float>::bytes(pieces * detail::PieceBoxes<float>::parts, row) +
        bytes_to_spread(shape.points, row, part_rows, point_bytes(shape), pieces, shape.masses ? 3 : 2);
    // Beside the search a number of each point, and how large its ball is.
    need.build = beside + points * (point_bytes(shape) + 2 * shape.item_bytes) +
                 knn_memory(task_of(shape, pieces, {})).working();
    if (shape.queries)
        need.build =
            std::max(index_bytes(shape, pieces),
                     query_bytes(shape, pieces, detail::piece_query_size(shape, pieces, memory)));
    std::uint64_t const numbers =
        beside + 4 * pieces * PieceFile::block_bytes + detail::values_at_once * shape.item_bytes;
    need.walk = numbers;
    if (pieces > 1)
        need.walk = std::max(
            need.walk, border_bytes(shape, pieces, detail::piece_group_size(shape, pieces, memory)));
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
    std::uint64_t const row = row_bytes(shape), index = sizeof(index_t);
    std::uint64_t of_target = index + shape.item_bytes;
    if (pieces > 1) of_target += row + index + sizeof(pos_t) + 2 * shape.item_bytes;
    if (shape.queries) of_target += row;
    return shape.points * point_bytes(shape) + targets_of(shape) * of_target;
}

}}  // namespace zwalk::v0
