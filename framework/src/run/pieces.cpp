#include "zwalk/run/pieces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "zwalk/core/error.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/core/length_unit.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/core/validate.hpp"
#include "zwalk/run/piece_file.hpp"
#include "zwalk/zorder/compare.hpp"
#include "zwalk/zorder/sort.hpp"

namespace zwalk { inline namespace v0 {
namespace {

/// A number that looks random (SplitMix64): rows that repeat at any distance are chosen as evenly as all.
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/// One of so many points is a sample.
std::uint64_t one_sample_of(std::uint64_t points) {
    return (points + survey_samples - 1) / survey_samples;
}

}  // namespace

void detail::check_rows_read(std::uint64_t read, std::uint64_t rows) {
    if (read != rows)
        throw InputError(detail::text("the input has given {} rows, but {} were expected", read, rows));
}

void detail::check_parts(std::uint64_t points, std::uint64_t beside, char const* name) {
    if (beside != points)
        throw InputError(detail::text("{} come in {} parts, but points in {}", name, beside, points));
}

template <class T>
void add_to_survey(PointSurvey<T>& survey, Points<T> points, std::uint64_t first, char const* name) {
    survey.largest = std::max(survey.largest, check_points(points, name, first));
    survey.extent.add(find_extent(points));
}

template <class T>
PointSurvey<T> survey_points(Cpu const& cpu, RowSource<T> const& points) {
    PointSurvey<T> survey(points.dim);
    std::uint64_t const one_of = one_sample_of(points.size);
    for_each_part(points, [&](Points<T> part, std::uint64_t first) {
        cpu.run([&] { add_to_survey(survey, part, first); });
        for (std::size_t i = 0; i < part.size; ++i) {
            if (one_of > 1 && mixed(first + i) % one_of != 0) continue;
            T const* const point = part.data + i * std::size_t(part.dim);
            survey.sample.insert(survey.sample.end(), point, point + part.dim);
            survey.row.push_back(first + i);
        }
    });
    return survey;
}

template <class T>
void check_unchanged(PointSurvey<T> const& survey, Points<T> points, std::uint64_t first,
                     char const* name) {
    (void)check_points(points, name, first);
    auto const found = find_extent(points);
    auto const& known = survey.extent;
    for (std::size_t j = 0; points.size > 0 && j < known.lo.size(); ++j)
        if (found.lo[j] < known.lo[j] || found.hi[j] > known.hi[j])
            throw InputError(
                detail::text("the {} have changed since they were read first: in rows {} to {} there "
                             "are coordinates "
                             "from {} to {} in column {}, of all they were from {} to {}",
                             name, first, first + points.size - 1, found.lo[j], found.hi[j], j,
                             known.lo[j], known.hi[j]));
}

template <class T>
void check_plain_unit(T largest, char const* help) {
    if (unit_for(largest).is_plain()) return;
    throw InputError(
        detail::text("coordinates of some points are {} at most: in pieces they must be from 2^{} to "
                     "2^{}; give other units, {}",
                     largest, least_plain_exponent<T>, largest_plain_exponent<T>, help));
}

std::uint64_t most_of_piece(std::uint64_t points, std::size_t pieces) {
    std::uint64_t const even = (points + pieces - 1) / pieces;
    if (points <= survey_samples || pieces == 1) return even;
    // Its ends are off by a few deviations of the number of samples in a piece.
    double const samples = double(points / one_sample_of(points)) / double(pieces);
    return std::min(points, std::uint64_t(double(even) * (1 + 5 / std::sqrt(samples))) + 1);
}

std::size_t fewest_pieces(std::uint64_t points) {
    auto pieces = std::max<std::size_t>(1, (points + max_points - 1) / max_points);
    while (most_of_piece(points, pieces) > max_points) ++pieces;
    return pieces;
}

void check_pieces(std::uint64_t points, std::size_t pieces) {
    if (std::size_t const fewest = fewest_pieces(points); pieces < fewest)
        throw InputError(
            detail::text("{} points must be in at least {} pieces, not {}", points, fewest, pieces));
}

void check_scratch(std::filesystem::path const& scratch) {
    if (scratch.empty()) throw InputError("pieces need a directory for temporary files (scratch)");
}

PiecesNeed fewest_pieces_within(std::uint64_t points, std::uint64_t memory,
                                std::function<std::uint64_t(std::size_t)> const& needed) {
    std::size_t const fewest = fewest_pieces(points);
    PiecesNeed best{0, std::numeric_limits<std::uint64_t>::max()};
    // One after another: with their number what a piece takes falls, and what all have in common rises, so no bisection finds them.
    for (std::size_t pieces = fewest; pieces <= std::max(fewest, most_pieces); ++pieces) {
        std::uint64_t const need = needed(pieces);
        if (need <= memory) return {pieces, need};
        best.needed = std::min(best.needed, need);
    }
    return best;
}

std::uint64_t bytes_to_spread(std::uint64_t points, std::uint64_t coordinate_bytes,
                              std::uint64_t part_rows, std::uint64_t row_bytes, std::size_t pieces,
                              std::size_t files) {
    // A part, which is read and may be brought from elsewhere meanwhile; the sample, which a vector grows into, and its z-order.
    std::uint64_t const sample =
        std::min(points, survey_samples) * (3 * coordinate_bytes + 3 * sizeof(index_t) + 16);
    return part_rows * (2 * row_bytes + sizeof(pos_t)) + sample +
           pieces * files * PieceFile::block_bytes;
}

template <class T>
ZRanges<T>::ZRanges(Cpu const& cpu, PointSurvey<T> const& survey, int dim, std::size_t pieces)
    : dim_(dim) {
    Points<T> const sample(survey.sample.data(), survey.row.size(), dim);
    if (sample.size == 0) return;
    auto const order = z_sort(cpu, sample);
    at_.reserve((pieces - 1) * std::size_t(dim));
    row_.reserve(pieces - 1);
    for (std::size_t i = 1; i < pieces; ++i) {
        pos_t const chosen = order[sample.size * i / pieces];
        T const* const point = sample.data + std::size_t(chosen) * std::size_t(dim);
        at_.insert(at_.end(), point, point + dim);
        row_.push_back(survey.row[chosen]);
    }
}

template <class T>
std::size_t ZRanges<T>::piece_of(T const* point, std::uint64_t row) const {
    std::size_t begin = 0,
                end = row_.size();  // splitters below `begin` are at most the point, from `end` on above
    while (begin < end) {
        std::size_t const middle = (begin + end) / 2;
        bool const before = z_less(point, splitter(middle), dim_) ||
                            (row < row_[middle] && !z_less(splitter(middle), point, dim_));
        if (before) end = middle;
        else begin = middle + 1;
    }
    return begin;
}

template <class T>
bool ZRanges<T>::holds(std::size_t piece, T const* lo, T const* hi) const {
    return (piece == 0 || z_less(splitter(piece - 1), lo, dim_)) &&
           (piece == row_.size() || z_less(hi, splitter(piece), dim_));
}

template void add_to_survey(PointSurvey<float>&, Points<float>, std::uint64_t, char const*);
template void add_to_survey(PointSurvey<double>&, Points<double>, std::uint64_t, char const*);
template PointSurvey<float> survey_points(Cpu const&, RowSource<float> const&);
template PointSurvey<double> survey_points(Cpu const&, RowSource<double> const&);
template void check_unchanged(PointSurvey<float> const&, Points<float>, std::uint64_t, char const*);
template void check_unchanged(PointSurvey<double> const&, Points<double>, std::uint64_t, char const*);
template void check_plain_unit(float, char const*);
template void check_plain_unit(double, char const*);
template class ZRanges<float>;
template class ZRanges<double>;

}}  // namespace zwalk::v0
