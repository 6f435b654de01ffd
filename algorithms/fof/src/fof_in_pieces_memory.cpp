// What fof_in_pieces() takes of memory and disk.

#include <algorithm>

#include "piece_memory.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/fof/fof_in_pieces.hpp"
#include "zwalk/run/piece_file.hpp"
#include "zwalk/run/piece_values.hpp"

namespace zwalk { inline namespace v0 {
namespace {

std::uint64_t row_bytes(FofPiecesShape const& shape) {
    auto const dim = std::uint64_t(shape.dim);
    return (dim + shape.masses + (shape.velocities ? dim : 0)) * shape.item_bytes;
}

}  // namespace

Need fof_in_pieces_memory(FofPiecesShape const& shape, FofPiecesOptions const& how,
                          std::uint64_t part_rows) {
    std::uint64_t const points = most_of_piece(shape.points, how.pieces),
                        coordinates = std::uint64_t(shape.dim) * shape.item_bytes,
                        row = row_bytes(shape);
    Need need;
    std::size_t const files = std::size_t(1) + 1 + shape.masses + shape.velocities;
    need.sort = bytes_to_spread(shape.points, coordinates, part_rows, row, how.pieces, files);
    // What threads have, and the allocator keeps of small blocks.
    constexpr std::uint64_t others = 8 << 20;
    need.build = others + detail::piece_bytes(points, shape.dim, shape.item_bytes);
    // Rows, roots, z-order, input rows, fragments, flags, labels; or in place of these the order by groups, and the largest group.
    constexpr std::uint64_t labels = sizeof(index_t);
    std::uint64_t const found = row + 3 * sizeof(pos_t) + sizeof(index_t) + 1;
    need.walk =
        others + points * (how.catalogue ? std::max(found + labels, found - 1 + 2 * sizeof(pos_t) + row)
                                         : found + labels);
    need.walk = std::max<std::uint64_t>(
        need.walk, 2 * how.pieces * PieceFile::block_bytes + detail::values_at_once * sizeof(index_t));
    if (!how.catalogue) return need;
    // The largest catalogue, and that of a piece: columns, the widest one once more, and the order that they are brought into.
    std::uint64_t const of_row =
        (7 + std::uint64_t(shape.dim) * (shape.velocities ? 3 : 2) + shape.velocities + 1) *
        sizeof(double);
    std::size_t const least = std::max<std::size_t>(1, how.min_members);
    need.walk += points / least * of_row;
    need.result = shape.points / least * of_row;
    need.build += need.result;
    return need;
}

std::size_t fof_pieces_for(FofPiecesShape const& shape, FofPiecesOptions how, std::uint64_t part_rows) {
    auto const needed = [&](std::size_t pieces) {
        how.pieces = pieces;
        return fof_in_pieces_memory(shape, how, part_rows).peak();
    };
    std::uint64_t const memory = detail::memory_for(how);
    auto const found = fewest_pieces_within(shape.points, memory, needed);
    if (found.pieces > 0) return found.pieces;
    throw Error(detail::text(
        "{} points need at least {} MB of memory however many pieces they are in, up to {}, "
        "more than the {} MB that may be used; the largest "
        "catalogue takes {} MB of it, which is less if groups must have more members",
        shape.points, detail::full_megabytes(found.needed), most_pieces, memory >> 20,
        fof_in_pieces_memory(shape, how, part_rows).result >> 20));
}

std::uint64_t fof_in_pieces_disk(FofPiecesShape const& shape, FofPiecesOptions const& how) {
    std::uint64_t const row = row_bytes(shape), index = sizeof(index_t);
    std::uint64_t const spread = row + index;  // with its number
    std::uint64_t written = index;             // its label
    if (how.pieces > 1) {
        written += std::uint64_t(shape.dim) * shape.item_bytes +
                   sizeof(pos_t);                   // at borders, with its fragment
        if (how.catalogue) written += row + index;  // as a member of a group at borders
    }
    // A piece's rows go when it is in memory, before anything is written for it.
    bool const go = PieceFile::gives_back(how.scratch);
    return shape.points * (go ? std::max(spread, index + written) : spread + written);
}

}}  // namespace zwalk::v0
