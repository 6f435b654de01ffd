// Points that memory doesn't hold: read part by part, and cut into pieces of the z-order that it does hold, one after another.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/masses.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/tree/extent.hpp"

namespace zwalk { inline namespace v0 {
namespace detail {
/// @throws InputError  an input that was to have `rows` rows has given others
void check_rows_read(std::uint64_t read, std::uint64_t rows);
/// Rounded up, so that what is too much is also said to be more.
constexpr std::uint64_t full_megabytes(std::uint64_t bytes) { return (bytes + (1 << 20) - 1) >> 20; }
}  // namespace detail

/// Rows of an input that are read part by part, as often as is asked.
template <class T>
struct RowSource {
    std::uint64_t size = 0;   ///< rows in all
    int dim = 0;              ///< numbers of a row; 0: there is no such input
    std::uint64_t parts = 0;  ///< which cover all rows in their order
    std::function<Buffer<T>(std::uint64_t part)> read{};  ///< rows of a part, one after another
};

/// f(points, number of their first row) for each part.
/// @throws InputError  the parts haven't as many rows as the source should have
template <class T, class F>
void for_each_part(RowSource<T> const& source, F const& f);

namespace detail {
/// @throws InputError  what is beside points, called `name`, doesn't come in as many parts
void check_parts(std::uint64_t points, std::uint64_t beside, char const* name);
/// @throws InputError  masses, if there are any, that aren't one column of as many rows and parts as the points
template <class T>
void check_masses_of(RowSource<T> const& points, RowSource<T> const& masses) {
    if (masses.dim == 0) return;
    if (masses.dim > 1)
        throw InputError(text("masses have {} columns: give one for each point", masses.dim));
    check_masses_shape(points.size, masses.size);
    check_parts(points.parts, masses.parts, "masses");
}
}  // namespace detail

/// What has to be known of all points before they are cut into pieces.
template <class T>
struct PointSurvey {
    explicit PointSurvey(int dim) : extent(dim) {}
    /// Frees the sample, which only ZRanges needs.
    void forget_sample() {
        // Not `= {}`, which is an assignment of no elements, and keeps the memory.
        sample = std::vector<T>();
        row = std::vector<std::uint64_t>();
    }

    Extent<T> extent;
    T largest = 0;  ///< coordinate, without its sign
    /// Some points, row after row: each of the input with the same chance, by its row alone; all of them if these are few.
    std::vector<T> sample;
    std::vector<std::uint64_t> row;  ///< in the input, of each of them: ascending
};
/// About so many points are in the sample of a survey.
inline constexpr std::uint64_t survey_samples = std::uint64_t(1) << 18;

/// Looks at all points once. O(N); memory for the sample and one part.
/// @throws InputError  as check_points(), with the number of the row in the input; what reading throws
template <class T>
PointSurvey<T> survey_points(Cpu const& cpu, RowSource<T> const& points);

/// Looks at some rows for a survey without a sample. Call inside Cpu::run.
/// @param first  number of their first row
/// @param name   what they are called
/// @throws InputError  as check_points()
template <class T>
void add_to_survey(PointSurvey<T>& survey, Points<T> points, std::uint64_t first,
                   char const* name = "points");
/// Refuses points that aren't those of the survey, as far as it can tell. Call inside Cpu::run.
/// @param first  number of their first row
/// @param name   what they are called
/// @throws InputError  coordinates outside the extent of the survey, or not finite
template <class T>
void check_unchanged(PointSurvey<T> const& survey, Points<T> points, std::uint64_t first,
                     char const* name = "points");
/// Refuses coordinates of up to `largest` that need a unit of their own (core/length_unit.hpp): pieces must all have one.
/// @param help  what does, beside other units
/// @throws InputError  such coordinates
template <class T>
void check_plain_unit(T largest, char const* help);

/// At most so many points are in a piece, but for a small chance.
std::uint64_t most_of_piece(std::uint64_t points, std::size_t pieces);
/// As few pieces as points can be in: each must have no more than `max_points`. O(1).
std::size_t fewest_pieces(std::uint64_t points);
/// @throws InputError  pieces are fewer than that
void check_pieces(std::uint64_t points, std::size_t pieces);
/// @throws InputError  there is no directory for what is on disk
void check_scratch(std::filesystem::path const& scratch);

/// The most pieces that are tried, unless points must be in more: each takes memory, too.
inline constexpr std::size_t most_pieces = std::size_t(1) << 14;
/// A number of pieces, and what they need.
struct PiecesNeed {
    std::size_t pieces = 0;    ///< 0: none is enough
    std::uint64_t needed = 0;  ///< then: the least that any number needs
};
/// The fewest pieces, up to most_pieces, for which needed(pieces) is at most `memory`. As many calls as numbers that it passes.
PiecesNeed fewest_pieces_within(std::uint64_t points, std::uint64_t memory,
                                std::function<std::uint64_t(std::size_t)> const& needed);
/// Bytes that the sample of a survey takes while pieces are made of it, and of parts that go to them.
/// @param part_rows  of the largest part; of `row_bytes` each
/// @param files      that all pieces grow in
std::uint64_t bytes_to_spread(std::uint64_t points, std::uint64_t coordinate_bytes,
                              std::uint64_t part_rows, std::uint64_t row_bytes, std::size_t pieces,
                              std::size_t files);

/// Pieces: ranges of the z-order of about as many points each. Equal points are in the order of their rows, as everywhere,
/// so that they can be cut apart, too, and all positions in the z-order of a piece follow those of lower pieces.
template <class T>
class ZRanges {
  public:
    ZRanges(Cpu const& cpu, PointSurvey<T> const& survey, int dim, std::size_t pieces);

    /// What they take of memory.
    static std::uint64_t bytes(std::size_t pieces, std::uint64_t coordinate_bytes) {
        return pieces * (coordinate_bytes + sizeof(std::uint64_t));
    }
    [[nodiscard]] std::size_t size() const { return row_.size() + 1; }
    /// The piece of a point. O(log(pieces) dim).
    [[nodiscard]] std::size_t piece_of(T const* point, std::uint64_t row) const;
    /// Whether all that lies in a box is of this piece, whatever rows it has. Exact: each coordinate ascends along the z-order while
    /// the others stay, so that the first and the last point of a box are its corners. O(dim).
    [[nodiscard]] bool holds(std::size_t piece, T const* lo, T const* hi) const;

  private:
    [[nodiscard]] T const* splitter(std::size_t i) const { return at_.data() + i * std::size_t(dim_); }

    int dim_;
    std::vector<T> at_;               // first points of all pieces but the first
    std::vector<std::uint64_t> row_;  // and their rows
};

template <class T, class F>
void for_each_part(RowSource<T> const& source, F const& f) {
    if (!source.read)
        throw InputError("RowSource::read is empty: a source needs a function that reads rows");
    std::uint64_t first = 0;
    for (std::uint64_t part = 0; part < source.parts; ++part) {
        Buffer<T> const rows = source.read(part);
        Points<T> const points(rows.data(), rows.size() / std::size_t(source.dim), source.dim);
        f(points, first);
        first += points.size;
    }
    detail::check_rows_read(first, source.size);
}

}}  // namespace zwalk::v0
