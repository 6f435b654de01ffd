#include "zwalk/density/reduce_in_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "open_points.hpp"
#include "piece_boxes.hpp"
#include "piece_group.hpp"
#include "piece_group_size.hpp"
#include "piece_queues.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/masses.hpp"
#include "zwalk/core/timed.hpp"
#include "zwalk/density/density.hpp"
#include "zwalk/nearest/search.hpp"
#include "zwalk/run/index.hpp"
#include "zwalk/run/piece_borders.hpp"
#include "zwalk/run/piece_file.hpp"
#include "zwalk/run/piece_values.hpp"
#include "zwalk/run/queries.hpp"
#include "zwalk/tree/box.hpp"

namespace zwalk { inline namespace v0 {
namespace {

using namespace detail;

template <class T>
class ReduceInPieces {
  public:
    ReduceInPieces(ReduceSources<T> const& sources, PointSurvey<T>&& survey, Reduction what,
                   KnnOptions const& o, ReducePiecesOptions const& how, Cpu const& cpu)
        : source_(sources.points),
          mass_source_(sources.masses),
          query_source_(sources.queries),
          survey_(std::move(survey)),
          query_survey_(query_source_.dim),
          what_(what),
          o_(o),
          pieces_(how.pieces),
          memory_(how.memory),
          cpu_(cpu),
          all_at_once_(cpu.threads(), std::numeric_limits<std::uint64_t>::max()),
          dim_(std::size_t(source_.dim)),
          k_(std::size_t(std::min<std::uint64_t>(std::uint64_t(o.k), source_.size))),
          x_(how.scratch, pieces_, sizeof(T) * dim_),
          mass_(how.scratch, pieces_, has_masses() ? sizeof(T) : 0),
          row_(how.scratch, pieces_, has_queries() ? 0 : sizeof(index_t)),
          query_x_(how.scratch, pieces_, has_queries() ? sizeof(T) * dim_ : 0),
          query_row_(how.scratch, pieces_, has_queries() ? sizeof(index_t) : 0),
          value_(how.scratch, pieces_, sizeof(T)),
          open_(how.scratch, pieces_, dim_) {}

    Stats run(std::function<void(std::span<T const>)> const& put_values) {
        check();
        ZRanges<T> const ranges(cpu_, survey_, source_.dim, pieces_);
        boxes_.emplace(pieces_, dim_, period_);
        timed(stats_, "spread", [&] { spread(); });
        timed(stats_, "pieces", [&] { search_pieces(Borders<T>(ranges, survey_, period_)); });
        timed(stats_, "borders", [&] { search_borders(); });
        timed(stats_, "values", [&] { give(put_values); });
        stats_.counts = {{"pieces", pieces_},
                         {"border_points", open_.count()},
                         {"border_groups", groups_},
                         {"border_queries", shown_}};
        return std::move(stats_);
    }

  private:
    [[nodiscard]] bool has_masses() const { return mass_source_.dim > 0; }
    [[nodiscard]] bool has_queries() const { return query_source_.dim > 0; }
    /// Those that get a number: points, or queries.
    [[nodiscard]] std::uint64_t targets() const {
        return has_queries() ? query_source_.size : source_.size;
    }
    [[nodiscard]] PieceFile const& target_rows() const { return has_queries() ? query_row_ : row_; }
    [[nodiscard]] ReducePiecesShape shape() const {
        ReducePiecesShape shape{source_.size,   source_.dim, sizeof(T), index_t(k_) + o_.exclude_self,
                                cpu_.threads(), has_masses()};
        if (has_queries()) shape.queries = query_source_.size;
        return shape;
    }

    void check() {
        check_plain_unit(survey_.largest, "or take them without pieces");
        if (has_masses()) check_has_masses(what_);
        // It refuses what is wrong with the options; of no points, so that it's done before any work.
        Points<T> const none(nullptr, 0, source_.dim);
        if (has_queries()) (void)knn_reduce(none, none, what_, o_, cpu_);
        else (void)knn_reduce(none, what_, o_, cpu_);
        if (has_queries()) timed(stats_, "survey_queries", [&] { survey_queries(); });
        Extent<T> all = survey_.extent;
        if (targets() > 0 && has_queries()) all.add(query_survey_.extent);
        if (source_.size > 0) period_ = checked_period(o_.box, all);
    }
    void survey_queries() {
        check_query_columns(query_source_.dim, source_.dim);
        for_each_part(query_source_, [&](Points<T> some, std::uint64_t first) {
            cpu_.run([&] { add_to_survey(query_survey_, some, first, "queries"); });
        });
        // One unit is that of both.
        check_plain_unit(std::max(survey_.largest, query_survey_.largest),
                         "or take them without pieces");
    }

    /// Brings all rows to their pieces.
    void spread() {
        // Each splitter of pieces is one of these, too: both are chosen from the sample alike.
        ZRanges<T> const parts(cpu_, survey_, source_.dim, pieces_ * PieceBoxes<T>::parts);
        survey_.forget_sample();
        std::uint64_t part = 0;
        for_each_part(source_, [&](Points<T> points, std::uint64_t first) {
            cpu_.run([&] { check_unchanged(survey_, points, first); });
            auto const part_of = parts_of(parts, points, first);
            Buffer<T> const mass = has_masses() ? mass_source_.read(part++) : Buffer<T>();
            if (has_masses()) check_masses_shape(points.size, mass.size());
            check_masses<T>(mass, first);
            check_sums_of_masses<T>(mass, o_.k);
            for (std::size_t i = 0; i < points.size; ++i) {
                std::size_t const piece = part_of[i] / PieceBoxes<T>::parts;
                auto const row = index_t(first + i);
                x_.append(piece, points.data + i * dim_, 1);
                row_.append(piece, &row, 1);
                if (has_masses()) mass_.append(piece, mass.data() + i, 1);
                boxes_->add(part_of[i], points.data + i * dim_);
            }
        });
        boxes_->end();
        for (PieceFile* file : {&x_, &mass_, &row_}) file->end_all();
        if (has_queries()) spread_queries(parts);
    }
    Buffer<pos_t> parts_of(ZRanges<T> const& parts, Points<T> points, std::uint64_t first) const {
        Buffer<pos_t> part_of(points.size);
        cpu_.for_each(points.size, [&](std::size_t i) {
            part_of[i] = pos_t(parts.piece_of(points.data + i * dim_, first + i));
        });
        return part_of;
    }
    /// To pieces near them: which these are changes no result.
    void spread_queries(ZRanges<T> const& parts) {
        for_each_part(query_source_, [&](Points<T> some, std::uint64_t first) {
            cpu_.run([&] { check_unchanged(query_survey_, some, first, "queries"); });
            auto const part_of = parts_of(parts, some, first);
            for (std::size_t i = 0; i < some.size; ++i) {
                std::size_t const piece = part_of[i] / PieceBoxes<T>::parts;
                auto const row = index_t(first + i);
                query_x_.append(piece, some.data + i * dim_, 1);
                query_row_.append(piece, &row, 1);
            }
        });
        for (PieceFile* file : {&query_x_, &query_row_}) file->end_all();
    }

    /// A piece, whose points have a plain unit as all of them have.
    Buffer<T> load(std::size_t piece) const {
        auto x = read_piece<T>(x_, piece, dim_);
        T largest = 0;
        cpu_.run([&] { largest = largest_of(find_extent(view(x))); });
        if (pieces_ > 1) check_plain_unit(largest, "or fewer pieces");
        return x;
    }
    [[nodiscard]] Points<T> view(Buffer<T> const& x) const {
        return {x.data(), x.size() / dim_, source_.dim};
    }
    Buffer<T> load_masses(std::size_t piece) const {
        return has_masses() ? read_piece<T>(mass_, piece) : Buffer<T>();
    }
    /// f(object) with the object that makes numbers of neighbours, whose masses these are.
    template <class F>
    void with_object(T* value, T const* mass, F const& f) const {
        if (has_masses()) with_masses(what_, value, source_.dim, mass, f);
        else with_reduction(what_, value, source_.dim, o_.k, f);
    }

    void search_pieces(Borders<T> const& borders) {
        for (std::size_t piece = 0; piece < pieces_; ++piece) {
            if (target_rows().size(piece) > 0) search_piece(piece, borders);
            value_.end(piece);
            open_.end(piece);
        }
    }
    void search_piece(std::size_t piece, Borders<T> const& borders) {
        auto x = load(piece);
        auto const mass = load_masses(piece);
        PieceReader<index_t> row(target_rows(), piece);
        KnnOptions in_piece = o_;
        in_piece.order = Order::input;
        if (!has_queries()) {
            auto const points = view(x);
            return search({piece, 0, points, mass.data()}, borders, row,
                          [&](auto const& see) { (void)knn_visit(points, see, in_piece, cpu_); });
        }
        in_piece.box = x.empty() ? std::vector<double>() : o_.box;  // which must have points to fit
        Index<T> const index(view(x), {.box = in_piece.box, .tree = o_.tree}, all_at_once_);
        in_piece.box = {};
        x = {};
        auto const size = query_row_.size(piece);
        std::uint64_t const most = piece_query_size(shape(), pieces_, memory_);
        for (std::uint64_t first = 0; first < size; first += most) {
            auto const some = std::size_t(std::min(size - first, most));
            Buffer<T> asked(some * dim_);
            query_x_.read(piece, first, some, asked.data());
            auto const points = view(asked);
            search({piece, first, points, mass.data()}, borders, row,
                   [&](auto const& see) { (void)knn_visit(index, points, see, in_piece); });
        }
    }
    /// Targets of a piece, the first of which is this one there, and masses of the piece's points.
    struct Targets {
        std::size_t piece;
        std::uint64_t first;
        Points<T> points;
        T const* mass;
    };
    /// @param row    of the next target in the input
    /// @param visit  shows the neighbours of the targets that their piece has
    template <class Visit>
    void search(Targets const& of, Borders<T> const& borders, PieceReader<index_t>& row,
                Visit const& visit) {
        Points<T> const points = of.points;
        Buffer<T> value(points.size), below(points.size);
        with_object(value.data(), of.mass, [&](auto const& reduce) {
            auto const see = [&](index_t i, Neighbours<T> const& found) {
                reduce(i, found);
                T const* const at = points.data + std::size_t(i) * dim_;
                T const limit = limit_of(found);
                bool const open = pieces_ > 1 && limit > 0 &&
                                  borders.reaches(of.piece, at, at, std::sqrt(limit)) &&
                                  boxes_->first_met(0, at, limit, of.piece) < pieces_;
                // Where all k of a query are as far as its limit, their own box may be so, too: they have to be met again.
                T const most = has_queries() ? std::nextafter(limit, infinity<T>) : limit;
                below[std::size_t(i)] = open ? most : closed;
            };
            visit(see);
        });
        for (std::size_t i = 0; i < points.size; ++i, row.next()) {
            index_t const of_input = row.now();
            if (below[i] == closed) continue;
            open_.add(of.piece, points.data + i * dim_, of_input, pos_t(of.first + i), below[i]);
            value[i] = 0;  // until it's known
        }
        count_lost({value.data(), value.size()});
        value_.append(of.piece, value.data(), value.size());
    }
    /// All that other pieces may have of the k nearest is below this, where these are found in one piece.
    [[nodiscard]] T limit_of(Neighbours<T> const& found) const {
        if (found.size() < o_.k)
            return std::nextafter(NearestSearch{.within = o_.within}.template limit2<T>(), infinity<T>);
        T const limit = found.scaled_radius2();
        // Of neighbours as far as the last one those of lower pieces come first: their masses differ. The kernel of sph is 0 there; and
        // at distance 0 all densities are infinite.
        bool const ties_matter = has_masses() && what_ == Reduction::density && limit > 0;
        return ties_matter ? std::nextafter(limit, infinity<T>) : limit;
    }
    void count_lost(std::span<T const> values) { lost_ += lost_densities<T>(values).lost; }

    /// Answers the points whose balls cross borders, as many as fit at a time.
    void search_borders() {
        std::uint64_t const most = piece_group_size(shape(), pieces_, memory_);
        for (std::uint64_t left = open_.count(); left > 0;) {
            auto const size = std::size_t(std::min(left, most));
            PieceGroup<T> group(size, dim_, k_, has_masses());
            open_.read_next(group);
            meet_pieces(group);
            reduce(group);
            left -= size;
            ++groups_;
        }
    }
    /// Shows pieces, one after another, to those points of a group that may have neighbours there.
    void meet_pieces(PieceGroup<T>& group) {
        std::size_t const all = group.size.size();
        PieceQueues queues(pieces_, all);
        Buffer<pos_t> who(all), next(all);
        std::iota(who.begin(), who.end(), pos_t(0));
        // By what each has met so far, so that none waits for more than one piece.
        auto const wait = [&](std::size_t asking, std::size_t from) {
            cpu_.for_each(asking, [&](std::size_t q) {
                std::size_t const i = who[q];
                next[q] = pos_t(boxes_->first_met(from, group.x.data() + i * dim_, group.below[i]));
            });
            for (std::size_t q = asking; q-- > 0;)
                if (next[q] < pieces_) queues.wait(who[q], next[q]);
        };
        wait(all, 0);
        for (std::size_t piece = 0; piece < pieces_; ++piece) {
            std::size_t const asking = queues.leave(piece, who.data());
            if (asking == 0) continue;
            meet(group, piece, {who.data(), asking});
            wait(asking, piece + 1);
        }
    }
    /// Its own piece is shown to a point, too: to keep the k distances that were found there first, of all points at borders, would take
    /// more of the disk than all else does.
    void meet(PieceGroup<T>& group, std::size_t piece, std::span<pos_t const> who) {
        shown_ += who.size();
        Buffer<T> queries(who.size() * dim_);
        cpu_.for_each(who.size(), [&](std::size_t q) {
            std::copy_n(group.x.data() + who[q] * dim_, dim_, queries.data() + q * dim_);
        });
        auto const x = load(piece), mass = load_masses(piece);
        auto const see = [&](index_t row, Neighbours<T> const& found) {
            std::size_t const i = who[std::size_t(row)];
            bool const at_home = o_.exclude_self && group.home[i] == piece;
            group.take(i, found, at_home ? group.row[i] : group.none, mass.data());
        };
        KnnOptions asked = o_;
        asked.k = index_t(k_) + o_.exclude_self;
        asked.exclude_self = false;
        asked.order = Order::input;
        (void)knn_visit(view(x), view(queries), see, asked, all_at_once_);
    }
    /// Makes numbers of what a group has met.
    void reduce(PieceGroup<T> const& group) {
        std::size_t const all = group.size.size();
        Buffer<T> value(all);
        Buffer<pos_t> nth(k_);
        std::iota(nth.begin(), nth.end(), pos_t(0));
        with_object(value.data(), group.mass.data(), [&](auto const& object) {
            cpu_.for_each(all, [&](std::size_t i) {
                auto of_point = object;
                if constexpr (requires { of_point.mass; })
                    if (has_masses()) of_point.mass += i * k_;
                of_point(index_t(i),
                         Neighbours<T>(group.kept.data() + i * k_, nth.data(), group.size[i]));
            });
        });
        count_lost({value.data(), all});
        open_.add_values(group, {value.data(), all});
    }

    void give(std::function<void(std::span<T const>)> const& put_values) {
        PieceValues const all[] = {{target_rows(), value_, pieces_},
                                   {open_.rows(), open_.values(), pieces_}};
        auto const put = [&](std::span<T> values) {
            settle_densities<T>(values, {lost_, targets()});
            put_values(values);
        };
        give_in_order<T>(
            all, targets(), [](T value) { return value; }, put);
    }

    static constexpr T closed = -1;  // in place of a squared distance

    RowSource<T> const &source_, &mass_source_, &query_source_;
    PointSurvey<T> survey_, query_survey_;
    Reduction what_;
    KnnOptions const& o_;
    std::size_t pieces_;
    std::uint64_t memory_;
    Cpu const& cpu_;
    Cpu const all_at_once_;  // for queries, of which a group has no more than fit
    std::size_t dim_, k_;    // at most all points
    std::vector<T> period_;
    std::optional<PieceBoxes<T>> boxes_;
    PieceFile x_, mass_, row_, query_x_, query_row_, value_;
    OpenPoints<T> open_;
    std::uint64_t groups_ = 0, lost_ = 0;
    std::uint64_t shown_ = 0;  // targets to pieces, of all groups
    Stats stats_;
};

}  // namespace

template <class T>
Stats knn_reduce_in_pieces(ReduceSources<T> const& sources, PointSurvey<T> survey, Reduction what,
                           KnnOptions const& options, ReducePiecesOptions const& how,
                           std::function<void(std::span<T const>)> const& put_values, Cpu const& cpu) {
    check_pieces(sources.points.size, how.pieces);
    check_scratch(how.scratch);
    check_masses_of(sources.points, sources.masses);
    return ReduceInPieces<T>(sources, std::move(survey), what, options, how, cpu).run(put_values);
}

#define ZWALK_REDUCE_IN_PIECES(T)                                                           \
    template Stats knn_reduce_in_pieces(ReduceSources<T> const&, PointSurvey<T>, Reduction, \
                                        KnnOptions const&, ReducePiecesOptions const&,      \
                                        std::function<void(std::span<T const>)> const&, Cpu const&);
ZWALK_REDUCE_IN_PIECES(float)
ZWALK_REDUCE_IN_PIECES(double)

}}  // namespace zwalk::v0
