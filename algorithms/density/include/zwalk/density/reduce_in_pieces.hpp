// One number for every point from its k nearest neighbours, of points that memory doesn't hold.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>

#include "zwalk/core/need.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/density/reduce.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/run/pieces.hpp"

namespace zwalk { inline namespace v0 {

/// Inputs that are read part by part: masses in as many parts of as many rows as points.
template <class T>
struct ReduceSources {
    RowSource<T> points;
    RowSource<T> masses{};  ///< one column, > 0; of no column: there are none
    RowSource<T>
        queries{};  ///< get the numbers, made of their nearest points; of no column: the points do
};

struct ReducePiecesOptions {
    std::size_t pieces = 1;           ///< reduce_in_pieces_memory() of so many is needed
    std::filesystem::path scratch{};  ///< a directory with space for reduce_in_pieces_disk()
    std::uint64_t memory =
        0;  ///< bytes that may be used in all: what pieces leave of them makes groups fewer
};

/// knn_reduce() of points on disk, and with masses knn_mass_density(): the same numbers, bit for bit, whatever the number of pieces.
///
/// How: points go to pieces of the z-order (run/pieces.hpp), which are on disk. Each is searched in memory, so that every point gets the
/// distance to the k-th of its own piece, and the number that is made of these neighbours. It stays if no point of another piece can be
/// nearer: if the box around that ball is all inside the piece's range, or the ball meets none of the boxes around parts of other
/// pieces. All other points, group by group, are queries in each piece that their balls meet, in the order of the z-curve. They keep the k
/// smallest distances of all that they have met, and with masses those of these neighbours; a reduction depends on no more.
///
/// Queries go to the pieces that they lie in, and meet an index of each, some at a time: any number of them may lie in one piece.
///
/// Reads the input once, points and queries once more for the survey. O(N log N) to search pieces. Each of B points whose balls cross borders is a query
/// in the m pieces that its ball meets, which a tree of boxes around pieces names in O(m log P) where these overlap little, O(P) at most.
/// Each group sorts all pieces that it meets once more: O(N log N) for each of as many groups as `memory` makes of the B points. Memory
/// doesn't depend on how many these are, or how far they reach.
///
/// @param survey      survey_points() of the points
/// @param options     `order` is that of the input; tree options are those of each piece
/// @param put_values  gets the numbers of all points, or queries, in the order of the input, some at a time
/// @returns  seconds by phase; counts: pieces, points whose balls cross borders, groups of these, queries in pieces
/// @throws InputError  as knn_reduce() or knn_mass_density(); masses in other parts than points; coordinates so large or small that their squares leave the range of T, in all or in a piece; fewer
///                     than fewest_pieces(); no `scratch`; points outside the extent of the survey
/// @throws Error       no space left in `scratch`
template <class T>
Stats knn_reduce_in_pieces(ReduceSources<T> const& sources, PointSurvey<T> survey, Reduction what,
                           KnnOptions const& options, ReducePiecesOptions const& how,
                           std::function<void(std::span<T const>)> const& put_values,
                           Cpu const& cpu = Cpu());

/// The input of knn_reduce_in_pieces(), as far as its needs depend on it.
struct ReducePiecesShape {
    std::uint64_t points = 0;
    int dim = 0;
    std::size_t item_bytes = 0;
    index_t k = 0;    ///< one more with exclude_self
    int threads = 0;  ///< 0: all
    bool masses = false;
    std::optional<std::uint64_t> queries{};
};
/// Memory that it needs at most: per point of a piece about 43 bytes of three floats, and its mass, at least 16 MB or k numbers for a group of points
/// whose balls cross borders, and what it takes to search with so many threads.
/// @param part_rows  rows of the largest part, of points or queries
/// @param memory     that of the options: groups take what is left of it, as far as there may be points for them
Need reduce_in_pieces_memory(ReducePiecesShape const& shape, std::size_t pieces, std::uint64_t part_rows,
                             std::uint64_t memory = 0);
/// The fewest pieces for which that is at most `memory`.
/// @param memory  0: what is free
/// @throws Error  there is no such number
std::size_t reduce_pieces_for(ReducePiecesShape const& shape, std::uint64_t memory,
                              std::uint64_t part_rows);
/// Bytes on disk that it needs at most, where all balls cross borders: coordinates twice, 20 bytes and three numbers per point; in one
/// piece coordinates, 8 bytes and one number; and masses. With queries coordinates of points once, and what is said of points of each query. Beside what becomes of the numbers.
std::uint64_t reduce_in_pieces_disk(ReducePiecesShape const& shape, std::size_t pieces);

#define ZWALK_REDUCE_IN_PIECES(T)                                              \
    extern template Stats knn_reduce_in_pieces(                                \
        ReduceSources<T> const&, PointSurvey<T>, Reduction, KnnOptions const&, \
        ReducePiecesOptions const&, std::function<void(std::span<T const>)> const&, Cpu const&);
ZWALK_REDUCE_IN_PIECES(float)
ZWALK_REDUCE_IN_PIECES(double)
#undef ZWALK_REDUCE_IN_PIECES

}}  // namespace zwalk::v0
