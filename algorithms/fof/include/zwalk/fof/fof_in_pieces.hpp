// Friends-of-friends groups of points that memory doesn't hold.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

#include "zwalk/core/need.hpp"
#include "zwalk/fof/catalogue.hpp"
#include "zwalk/fof/fof.hpp"
#include "zwalk/run/pieces.hpp"

namespace zwalk { inline namespace v0 {

/// Inputs that are read part by part, each in as many parts of as many rows.
template <class T>
struct FofSources {
    RowSource<T> points;
    RowSource<T> masses{};      ///< one column, > 0; of no column: all 1
    RowSource<T> velocities{};  ///< as many columns as points; or none
};

struct FofPiecesOptions {
    std::size_t pieces = 1;           ///< fof_in_pieces_memory() of so many is needed
    std::filesystem::path scratch{};  ///< a directory with space for fof_in_pieces_disk()
    bool catalogue = true;            ///< else labels alone
    std::size_t min_members = 20;     ///< of a group in the catalogue
    std::uint64_t memory = 0;         ///< what may be used: 0: what is free
};

struct FofInPieces {
    std::uint64_t groups = 0;  ///< those of one point included
    FofCatalogue catalogue;    ///< without `order`
    Stats stats;
};

/// fof() and fof_catalogue() of points on disk: the same labels and rows, bit for bit, whatever the number of pieces.
///
/// How: points go to pieces of the z-order (run/pieces.hpp), which are on disk. Groups of each piece are found in memory. A point is at
/// the border of its piece if the box of reach b around it isn't all inside; every link between pieces is one of two such points, so
/// fof() of these alone says which groups of pieces are one. Groups without points at borders get their labels and rows at once. For
/// the others members are kept apart, and folded piece by piece, as on MPI ranks.
///
/// Reads every input once, and points once more for the survey. O(N log N). Points at borders are some N^(2/3) b / spacing on each cut,
/// and have to be held together.
///
/// @param survey      survey_points() of the points
/// @param options     `order` is that of the input; tree options are those of each piece
/// @param put_labels  gets the labels of all points in the order of the input, some at a time
/// @throws InputError  as fof() and fof_catalogue(); coordinates so large or small that their squares leave the range of T; sources of
///                     other sizes or parts than the points; fewer than fewest_pieces(); points outside the extent of the survey
/// @throws Error       no space left in `scratch`; points or groups at borders need more than `memory`
template <class T>
FofInPieces fof_in_pieces(FofSources<T> const& sources, PointSurvey<T> survey, FofOptions const& options,
                          FofPiecesOptions const& how,
                          std::function<void(std::span<index_t const>)> const& put_labels,
                          Cpu const& cpu = Cpu());

/// The input of fof_in_pieces(), as far as its needs depend on it.
struct FofPiecesShape {
    std::uint64_t points = 0;
    int dim = 0;
    std::size_t item_bytes = 0;
    bool masses = false, velocities = false;
};
/// Memory that it needs at most, beside points at borders: these may take as much as a piece. Per point of a piece 50 bytes of three
/// floats, or 29 and twice the row where there is a catalogue; and the largest catalogue that there can be, as `result`.
/// @param part_rows  rows of the largest part
Need fof_in_pieces_memory(FofPiecesShape const& shape, FofPiecesOptions const& how,
                          std::uint64_t part_rows);
/// The fewest pieces for which that is at most `how.memory`.
/// @throws Error  there is no such number
std::size_t fof_pieces_for(FofPiecesShape const& shape, FofPiecesOptions how, std::uint64_t part_rows);
/// Bytes on disk that it needs at most, while all points may be at borders: coordinates twice, masses and velocities once, and 28 bytes per
/// point; without a catalogue coordinates once and 20, in one piece each row once and 8 (at least 16 in all). So much where the file
/// system of `how.scratch` gives back what pieces had before they were in memory (PieceFile::gives_back); else, or of no directory,
/// each row once more, and 8. Beside what becomes of labels.
/// @throws Error  no temporary file can be created there
std::uint64_t fof_in_pieces_disk(FofPiecesShape const& shape, FofPiecesOptions const& how);

#define ZWALK_FOF_IN_PIECES(T)                                                            \
    extern template FofInPieces fof_in_pieces(                                            \
        FofSources<T> const&, PointSurvey<T>, FofOptions const&, FofPiecesOptions const&, \
        std::function<void(std::span<index_t const>)> const&, Cpu const&);
ZWALK_FOF_IN_PIECES(float)
ZWALK_FOF_IN_PIECES(double)
#undef ZWALK_FOF_IN_PIECES

}}  // namespace zwalk::v0
