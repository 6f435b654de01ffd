#include "zwalk/fof/fof_in_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "beside_points.hpp"
#include "piece_catalogue.hpp"
#include "piece_memory.hpp"
#include "sort_by_group.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/core/parallel_sort.hpp"
#include "zwalk/core/relaxed.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/core/timed.hpp"
#include "zwalk/run/piece_borders.hpp"
#include "zwalk/run/piece_values.hpp"
#include "zwalk/tree/box.hpp"

namespace zwalk { inline namespace v0 {
namespace {

using namespace detail;

template <class T>
class InPieces {
  public:
    InPieces(FofSources<T> const& sources, PointSurvey<T>&& survey, FofOptions const& o,
             FofPiecesOptions const& how, Cpu const& cpu)
        : sources_(sources),
          survey_(std::move(survey)),
          o_(o),
          how_(how),
          cpu_(cpu),
          memory_(memory_for(how)),
          dim_(std::size_t(sources.points.dim)),
          points_(of_rows(how.catalogue)),
          members_(of_rows(how.catalogue)),
          labels_(how.scratch, how.pieces, sizeof(index_t)),
          border_x_(how.scratch, 1, sizeof(T) * dim_),
          border_fragment_(how.scratch, 1, sizeof(pos_t)) {}

    FofInPieces run(std::function<void(std::span<index_t const>)> const& put_labels) {
        check();
        ZRanges<T> const ranges(cpu_, survey_, sources_.points.dim, how_.pieces);
        survey_.forget_sample();
        timed(r_.stats, "spread", [&] { spread(ranges); });
        timed(r_.stats, "groups", [&] { find_groups(ranges); });
        timed(r_.stats, "borders", [&] { join_at_borders(); });
        timed(r_.stats, "labels", [&] { give_labels(put_labels); });
        if (how_.catalogue) timed(r_.stats, "catalogue", [&] { end_catalogue(); });
        r_.stats.counts = {{"pieces", how_.pieces}, {"border_points", border_x_.size(0)}};
        return std::move(r_);
    }

  private:
    static constexpr pos_t alone = std::numeric_limits<pos_t>::max(), at_border = alone - 1;

    PiecesOfRows<T> of_rows(bool with_beside) const {
        return {how_.scratch, how_.pieces, sources_.points.dim, with_beside && sources_.masses.dim > 0,
                with_beside && sources_.velocities.dim > 0};
    }

    void check() {
        if (o_.order != Order::input)
            throw InputError("points in pieces are in the order of the input: leave out Order::z");
        check_plain_unit(survey_.largest, "or take them without pieces");
        // fof() refuses what is wrong with the options; of no points, so that it's done before any work.
        (void)fof(Points<T>(nullptr, 0, sources_.points.dim), o_, cpu_);
        if (sources_.points.size > 0) period_ = checked_period(o_.box, survey_.extent);
        axes_ = Axes(period_, survey_.extent);
    }

    /// Brings all rows to their pieces.
    void spread(ZRanges<T> const& ranges) {
        RowSource<T> const &mass = sources_.masses, &v = sources_.velocities;
        Beside given;
        given.masses = mass.dim > 0, given.velocities = v.dim > 0;
        Buffer<pos_t> piece;
        std::uint64_t part = 0;
        for_each_part(sources_.points, [&](Points<T> points, std::uint64_t first) {
            cpu_.run([&] { check_unchanged(survey_, points, first); });
            CatalogueOptions<T> beside;
            Buffer<T> const masses = how_.catalogue && mass.dim > 0 ? mass.read(part) : Buffer<T>(),
                            moves = how_.catalogue && v.dim > 0 ? v.read(part) : Buffer<T>();
            ++part;
            if (how_.catalogue) {
                beside.masses = masses;
                if (v.dim > 0)
                    beside.velocities = {moves.data(), moves.size() / std::size_t(v.dim), v.dim};
                cpu_.run([&] { check_beside(points, beside, given, first); });
            }
            if (piece.size() < points.size) piece = Buffer<pos_t>(points.size);
            cpu_.for_each(points.size, [&](std::size_t i) {
                piece[i] = pos_t(ranges.piece_of(points.data + i * dim_, first + i));
            });
            for (std::size_t i = 0; i < points.size; ++i)
                points_.append(piece[i], i, points.data, masses.data(), moves.data(),
                               index_t(first + i));
        });
        for (std::size_t i = 0; i < how_.pieces; ++i) points_.end(i);
    }

    void find_groups(ZRanges<T> const& ranges) {
        Borders<T> const borders(ranges, survey_, period_);
        r_.catalogue.dim = sources_.points.dim;
        for (std::size_t piece = 0; piece < how_.pieces; ++piece) {
            begin_.push_back(fragments_.size());
            groups_of(piece, borders);
            labels_.end(piece);
            members_.end(piece);
            if (how_.pieces > 1) refuse_borders(piece + 1, bytes_to_join());
        }
        begin_.push_back(fragments_.size());
        border_x_.end(0);
        border_fragment_.end(0);
    }
    void groups_of(std::size_t piece, Borders<T> const& borders) {
        auto x = points_.points(piece);
        Points<T> const points(x.data(), std::size_t(points_.size(piece)), sources_.points.dim);
        if (points.size == 0) return;
        T largest = 0;
        cpu_.run([&] { largest = largest_of(find_extent(points)); });
        if (how_.pieces > 1) check_plain_unit(largest, "or fewer pieces");
        FofOptions in_piece = o_;
        in_piece.order = Order::input;
        auto found = fof(points, in_piece, cpu_);
        r_.groups += found.groups;
        typename PiecesOfRows<T>::Loaded const loaded(points_, piece, std::move(x));
        points_.keep_numbers_alone(piece);  // before anything else is written
        auto const fragment = find_fragments(piece, borders, points, largest, found, loaded.rows());
        // From rows of the piece to those of the input; fragments stand for labels that aren't known yet.
        cpu_.for_each(points.size, [&](std::size_t i) {
            pos_t const row = found.z_order[i], f = fragment[found.root[i]];
            found.labels[row] = f == alone ? loaded.rows()[std::size_t(found.labels[row])] : ~index_t(f);
        });
        labels_.append(piece, found.labels.data(), points.size);
        found.labels = {};
        if (how_.catalogue) begin_catalogue(piece, loaded.particles(axes_), loaded, found, fragment);
    }
    /// By positions of first points: the number of the fragment, or `alone`. Takes points at the border to all others.
    Buffer<pos_t> find_fragments(std::size_t piece, Borders<T> const& borders, Points<T> points,
                                 T largest, FofResult<> const& found, Buffer<index_t> const& rows) {
        auto const point = [&](std::size_t i) {
            return points.data + std::size_t(found.z_order[i]) * dim_;
        };
        Buffer<pos_t> fragment(points.size);
        std::fill(fragment.begin(), fragment.end(), alone);
        if (how_.pieces == 1) return fragment;
        Buffer<std::uint8_t> reaches(points.size);
        T const length = T(o_.linking_length);
        constexpr std::size_t run =
            64;  // neighbours along the z-order, most of which are far from borders together
        cpu_.for_each((points.size + run - 1) / run, [&](std::size_t r) {
            std::size_t const begin = r * run, end = std::min(points.size, begin + run);
            T lo[max_dim], hi[max_dim];
            std::copy_n(point(begin), dim_, lo), std::copy_n(point(begin), dim_, hi);
            for (std::size_t i = begin + 1; i < end; ++i)
                for (std::size_t j = 0; j < dim_; ++j)
                    lo[j] = std::min(lo[j], point(i)[j]), hi[j] = std::max(hi[j], point(i)[j]);
            bool const some = borders.reaches(piece, lo, hi, length);
            for (std::size_t i = begin; i < end; ++i) {
                reaches[i] = some && borders.reaches(piece, point(i), point(i), length);
                if (reaches[i] != 0) store_relaxed(fragment.data() + found.root[i], at_border);
            }
        });
        // One with the largest coordinate is among those at borders, whose unit is that of all by that.
        if (largest == survey_.largest && !has_largest_) {
            std::size_t i = 0;
            while (!std::any_of(point(i), point(i) + dim_, [&](T x) { return std::abs(x) == largest; }))
                ++i;
            reaches[i] = 1;
            fragment[found.root[i]] = at_border;
            has_largest_ = true;
        }
        T const* before = nullptr;
        for (std::size_t i = 0; i < points.size; ++i) {
            if (found.root[i] == i && fragment[i] == at_border) {
                fragment[i] = pos_t(fragments_.size());
                fragments_.add({rows[std::size_t(found.labels[found.z_order[i]])], 0, 0});
            }
            if (reaches[i] == 0) continue;
            T const* const x = point(i);  // a copy of the one before has the same friends
            if (before && std::equal(x, x + dim_, before)) continue;
            border_x_.append(0, x, 1);
            border_fragment_.append(0, &fragment[found.root[i]], 1);
            before = x;
        }
        return fragment;
    }

    void begin_catalogue(std::size_t piece, Particles<T> const& all,
                         typename PiecesOfRows<T>::Loaded const& loaded, FofResult<> const& found,
                         Buffer<pos_t> const& fragment) {
        FofCatalogue c;
        c.dim = sources_.points.dim;
        SortedByGroup sorted(cpu_, found.root, [&](pos_t i) { return found.z_order[i]; });
        c.order = sorted.take_order();
        std::vector<pos_t> first;  // in c.order
        sorted.each_group([&](pos_t root, pos_t begin, pos_t end) {
            std::uint64_t const count = end - begin;
            if (fragment[root] != alone) {
                fragments_.count(fragment[root], before_ + begin, count);
                for (pos_t j = begin; j < end; ++j) loaded.give(members_, piece, c.order[j]);
            } else if (count >= min_members()) {
                first.push_back(begin);
                c.first.push_back(index_t(before_ + begin));
                c.count.push_back(index_t(count));
            }
        });
        before_ += found.root.size();
        set_sizes(c, members_.velocities());
        auto const row = [](std::size_t i) { return i; };
        auto const members = [&](std::size_t i) {
            return std::span<pos_t const>(c.order.data() + first[i], std::size_t(c.count[i]));
        };
        cpu_.run([&] {
            if (c.dim == 3) fill_rows<3>(c, first.size(), row, members, all);
            else fill_rows<0>(c, first.size(), row, members, all);
        });
        append_rows(r_.catalogue, c);
    }
    [[nodiscard]] std::uint64_t min_members() const {
        return std::max<std::size_t>(1, how_.min_members);
    }

    /// Finds out which fragments are one group: points at borders have friends as among all points.
    void join_at_borders() {
        auto const n = std::size_t(border_x_.size(0));
        fragments_.join([&](Links const& links) {
            auto const x = read_piece<T>(border_x_, 0, dim_);
            auto const fragment = read_piece<pos_t>(border_fragment_, 0);
            FofOptions among = o_;
            among.order = Order::input;
            auto const found = fof(Points<T>(x.data(), n, sources_.points.dim), among, cpu_);
            cpu_.for_each(n, [&](std::size_t i) {
                links.link(fragment[i], fragment[std::size_t(found.labels[i])]);
            });
        });
        for (std::size_t i = 0; i < fragments_.size(); ++i) r_.groups -= !fragments_.is_first(i);
        if (how_.catalogue && how_.pieces > 1) refuse_borders(how_.pieces, bytes_of_folds());
    }
    /// What join_at_borders() takes of memory, with what is at borders so far.
    [[nodiscard]] std::uint64_t bytes_to_join() const {
        std::uint64_t const n = border_x_.size(0);
        return sizeof(pos_t) * n + piece_bytes(n, sources_.points.dim, sizeof(T)) + fragments_.bytes();
    }
    /// What rows_of_fragments() takes beside members.
    [[nodiscard]] std::uint64_t bytes_of_folds() const {
        std::uint64_t groups = 0;
        for (std::size_t i = 0; i < fragments_.size(); ++i)
            groups += fragments_.is_first(i) && fragments_.whole(i).count >= min_members();
        return groups * (dim_ == 3 ? sizeof(FoldsOfGroup<3, T>) : sizeof(FoldsOfGroup<0, T>)) +
               fragments_.size() * sizeof(pos_t) + fragments_.bytes();
    }
    /// Refuses more at the borders of so many pieces than can be held together.
    void refuse_borders(std::size_t pieces, std::uint64_t needed) const {
        if (needed <= memory_ && border_x_.size(0) <= max_points) return;
        throw Error(
            detail::text("{} of {} points are at borders, within the linking length of another piece, "
                         "in the first {} of "
                         "{} pieces: to group them takes {} MB of memory, more than the {} MB that may "
                         "be used, or they are "
                         "more than {}; give more memory, so that pieces are fewer",
                         border_x_.size(0), sources_.points.size, pieces, how_.pieces, needed >> 20,
                         memory_ >> 20, max_points));
    }

    /// Those of groups of fragments, which files know by ~fragment < 0, are known now.
    void give_labels(std::function<void(std::span<index_t const>)> const& put) {
        PieceValues const labels{points_.rows(), labels_, how_.pieces};
        auto const label_of = [&](index_t found) {
            return found < 0 ? fragments_.whole(std::size_t(~found)).label : found;
        };
        give_in_order<index_t>({&labels, 1}, sources_.points.size, label_of, put);
    }
    void end_catalogue() {
        FofCatalogue& c = r_.catalogue;
        append_rows(
            c, c.dim == 3
                   ? rows_of_fragments<3>(fragments_, begin_, members_, min_members(), axes_, cpu_)
                   : rows_of_fragments<0>(fragments_, begin_, members_, min_members(), axes_, cpu_));
        fragments_.count_whole_groups(c.first);
        std::vector<std::size_t> order(c.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        cpu_.run([&] {
            parallel_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                return c.count[a] != c.count[b] ? c.count[a] > c.count[b] : c.label[a] < c.label[b];
            });
        });
        c.select(order, cpu_);
    }

    FofSources<T> const& sources_;
    PointSurvey<T> survey_;
    FofOptions const& o_;
    FofPiecesOptions const& how_;
    Cpu const& cpu_;
    std::uint64_t memory_;  // what may be used
    std::size_t dim_;
    std::vector<T> period_;
    Axes axes_;
    PiecesOfRows<T> points_, members_;  // of pieces; of fragments, by the same pieces
    PieceFile labels_;                  // of points_
    PieceFile border_x_, border_fragment_;
    Fragments fragments_;
    std::vector<std::size_t> begin_;  // fragments of pieces
    std::uint64_t before_ = 0;        // points of lower pieces
    bool has_largest_ = false;        // whether a point at borders has the largest coordinate
    FofInPieces r_;
};

/// Refuses what can be told before any file is opened.
template <class T>
void check_sources(FofSources<T> const& sources, FofPiecesOptions const& how) {
    RowSource<T> const &points = sources.points, &v = sources.velocities;
    check_pieces(points.size, how.pieces);
    check_scratch(how.scratch);
    check_masses_of(points, sources.masses);
    if (v.dim > 0) {
        check_velocities_shape(points.size, points.dim, v.size, v.dim);
        check_parts(points.parts, v.parts, "velocities");
    }
}

}  // namespace

template <class T>
FofInPieces fof_in_pieces(FofSources<T> const& sources, PointSurvey<T> survey, FofOptions const& options,
                          FofPiecesOptions const& how,
                          std::function<void(std::span<index_t const>)> const& put_labels,
                          Cpu const& cpu) {
    check_sources(sources, how);
    if (!put_labels)
        throw InputError("fof_in_pieces() needs a function that takes labels: put_labels is empty");
    return InPieces<T>(sources, std::move(survey), options, how, cpu).run(put_labels);
}

#define ZWALK_FOF_IN_PIECES(T)                                                            \
    template FofInPieces fof_in_pieces(                                                   \
        FofSources<T> const&, PointSurvey<T>, FofOptions const&, FofPiecesOptions const&, \
        std::function<void(std::span<index_t const>)> const&, Cpu const&);
ZWALK_FOF_IN_PIECES(float)
ZWALK_FOF_IN_PIECES(double)

}}  // namespace zwalk::v0
