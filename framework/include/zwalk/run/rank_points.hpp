// Points of a call on MPI ranks: from what each of them passes to trees that an algorithm's driver for threads can run on.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "zwalk/ranks/agree_on.hpp"
#include "zwalk/ranks/import.hpp"
#include "zwalk/ranks/points.hpp"
#include "zwalk/run/algorithm.hpp"
#include "zwalk/run/call.hpp"
#include "zwalk/run/counts.hpp"
#include "zwalk/run/phases.hpp"
#include "zwalk/run/point_array.hpp"
#include "zwalk/run/prepared_points.hpp"
#include "zwalk/run/rank_index.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/targets.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Points of all ranks, ready for calls: the part of an index that a rank has.
template <class T>
struct KeptRankPoints {
    PreparedPoints<T, Cpu> prepared;  ///< without a tree
    RankTree<T> own;
    std::size_t rows = 0;  ///< rows of the input that this rank passed
};

/// The points of all ranks, of which this one has passed some rows and got a range of the z-order. Members are collective.
template <class T>
class RankPoints {
  public:
    /// Checks, sorts and makes the own tree, in `columns` columns. Options that the algorithm has have been agreed on. An
    /// index has all that, and stays as it is. From here on lengths are in unit().
    /// @param unit_for  unit_for(largest coordinate of all ranks)
    /// @throws InputError  on all ranks: bad points, a box smaller than their extent, another box on some rank; a box with an
    ///                     index
    template <class UnitFor>
    RankPoints(Comm& comm, Cpu const& cpu, RankInput<T> const& input, int columns,
               std::vector<double> const& box, TreeOptions const& tree, Stats& stats,
               UnitFor const& unit_for)
        : comm_(comm), cpu_(cpu), stats_(stats), phases_(cpu) {
        Option const of_box[]{{"the box", std::span<double const>(box)}};
        Points<T> const local = input.local;
        if (KeptRankPoints<T>* const index = input.index) {
            agree_on(comm, of_box);
            comm.agree([&] {
                check_for_index(box);
                auto const& kept = index->prepared;
                prepared_ = {{},           kept.dim,  kept.period, kept.extent,
                             kept.options, kept.unit, kept.largest};
                rows_ = index->rows;
                make_room_for_notes();
            });
            kept_ = &index->own;
            return;
        }
        prepared_.extent = check_and_find_extent(comm, cpu, local, of_box);
        comm.attempt([&] {
            auto const& extent = prepared_.extent;
            check_span(extent.lo.data(), extent.hi.data(), local.dim);
            prepared_.largest = largest_of(extent);
            prepared_.unit = unit_for(prepared_.largest);
            set_out(local, tree, in_unit(checked_period(box, extent), unit()));
        });
        auto sorted = sort(local);
        end_phase("sort");
        own_ = comm.agree([&] { return make_rank_tree(cpu, std::move(sorted), columns, tree); });
        end_phase("planes");
    }

    RankPoints(Comm& comm, Cpu const& cpu, RankInput<T> const& input, int columns,
               std::vector<double> const& box, TreeOptions const& tree, Stats& stats)
        : RankPoints(comm, cpu, input, columns, box, tree, stats,
                     [](T largest) { return zwalk::unit_for(largest); }) {}

    /// Other points, which are to meet those of `sources`, as targets: with trees that are cut to fit the sources' ones.
    /// They are spread evenly over the ranks, whichever has the sources near them.
    /// @throws InputError  on all ranks: bad points, other columns than the sources have, points that their box doesn't hold
    RankPoints(RankPoints const& sources, Points<T> local, Stats& stats)
        : comm_(sources.comm_), cpu_(sources.cpu_), stats_(stats), phases_(cpu_) {
        PreparedPoints<T, Cpu> const& there = sources.prepared_;
        comm_.attempt([&] { check_columns_of_targets(local.dim, there.dim); });
        auto const extent = check_and_find_extent(comm_, cpu_, local);
        comm_.attempt([&] {
            prepared_.largest = largest_of(extent);
            prepared_.unit = there.unit;
            check_fit(there, extent, prepared_.largest, "targets");
            set_out(local, there.options, there.period);
        });
        auto sorted = sort(local);
        end_phase("sort");
        own_ = comm_.agree([&] { return target_tree(sources, std::move(sorted)); });
        end_phase("planes");
    }

    /// Some of these points, those at own positions `at`, ascending, on the ranks that have them: called by their numbers
    /// 0, 1, ... among those that all ranks have chosen. Nothing is brought home of them.
    /// @param sources  null, or points that they are to meet as targets
    RankPoints(RankPoints const& all, std::span<pos_t const> at, RankPoints const* sources)
        : comm_(all.comm_), cpu_(all.cpu_), stats_(all.stats_), phases_(cpu_) {
        prepared_.dim = all.prepared_.dim;
        prepared_.unit = all.prepared_.unit;
        prepared_.options = all.prepared_.options;
        prepared_.period = all.prepared_.period;
        auto const begin = comm_.offsets(at.size());
        own_ = comm_.agree([&] {
            RankTree<T> const& from = all.own();
            auto const dim = std::size_t(prepared_.dim);
            SortedPoints<T> some{Buffer<T>(at.size() * dim), prepared_.dim, Buffer<index_t>(at.size()),
                                 Ranks(begin, begin), Travel{}};
            for (std::size_t i = 0; i < at.size(); ++i) {
                std::copy_n(from.points.rows.begin() + std::ptrdiff_t(at[i] * dim), dim,
                            some.rows.begin() + std::ptrdiff_t(i * dim));
                some.input_index[i] = index_t(begin[std::size_t(comm_.rank())] + i);
            }
            int const columns = from.tree.columns;
            if (!sources) return make_rank_tree(cpu_, std::move(some), columns, prepared_.options);
            return target_tree(*sources, std::move(some));
        });
    }

    /// Own points, and those of others that they need for a walk of this trait. The largest number of points that were imported
    /// at once is a count.
    /// @param payload  the payload of the own points, by position
    /// @param kept     sources kept from other walks of these points (import_sources()); null: none are
    template <class Trait>
    Imported<Trait> import_for(Trait const& trait,
                               ColumnsView<typename Trait::Payload> const& payload = {},
                               KeptSources<T>* kept = nullptr) {
        return import_from(*this, trait, payload, payload, kept);
    }
    /// The sources that the own points need for a walk of this trait against `sources`, which may be these points.
    /// @param payload     the payload of the own points, by position
    /// @param of_sources  the payload of this rank's sources
    template <class Trait>
    Imported<Trait> import_from(RankPoints& sources, Trait const& trait,
                                ColumnsView<typename Trait::Payload> const& payload,
                                ColumnsView<typename Trait::Payload> const& of_sources,
                                KeptSources<T>* kept = nullptr) {
        // Open space, too, as one with infinite periods: bounds are the same bits, and half as much is compiled.
        auto const space = periodic_space<Trait::dim>(prepared_.period);
        auto all = [&] {
            if constexpr (!Trait::uses.symmetric && !Trait::uses.links)
                if (&sources != this)
                    return import_sources(comm_, cpu_, trait, space, own().tree, payload, sources.own(),
                                          of_sources);
            return import_sources(comm_, cpu_, trait, space, sources.own(), of_sources, kept);
        }();
        note_imported(all.tree.size() - sources.own().tree.size());
        end_phase("import");
        return all;
    }
    /// The names of sources that were imported of these points: rows of the input or, with Order::z, positions among all.
    [[nodiscard]] Buffer<index_t> names_of(ImportedPoints<T>& all, Order order) {
        if (order == Order::input) return std::move(all.input_index);
        Buffer<index_t> names(all.position.size());
        for_each_of_ranks(cpu_, all.from, [&](std::size_t r, std::size_t i) {
            names[i] = index_t(ranks().positions_before(int(r)) + all.position[i]);
        });
        return names;
    }
    /// f(points) for a driver, with this tree, which it gives back.
    template <class F>
    void run_on(Tree<T, Cpu>& tree, F const& f) {
        comm_.agree([&] {
            Lent const lent{prepared_.tree, tree};
            RunPoints<T, Cpu> kept(prepared_);
            cpu_.run([&] { f(kept); });
        });
    }

    /// Rows that this rank has passed.
    [[nodiscard]] std::size_t rows() const { return rows_; }
    /// Points that it has got.
    [[nodiscard]] pos_t size_here() const {
        return pos_t(ranks().positions_before(comm_.rank() + 1) -
                     ranks().positions_before(comm_.rank()));
    }
    /// N, of all ranks.
    [[nodiscard]] std::uint64_t size() const { return ranks().size(); }
    [[nodiscard]] Ranks const& ranks() const { return own().points.ranks; }
    /// Columns that ranks have passed.
    [[nodiscard]] int dim() const { return prepared_.dim; }
    /// The period of each axis, as PreparedPoints::period.
    [[nodiscard]] std::vector<T> const& period() const { return prepared_.period; }
    /// The extent of the points of all ranks, in the unit of the input.
    [[nodiscard]] Extent<T> const& extent() const { return prepared_.extent; }
    [[nodiscard]] T largest() const { return prepared_.largest; }  ///< their largest coordinate
    /// The unit of coordinates, periods, distances.
    [[nodiscard]] LengthUnit<T> const& unit() const { return prepared_.unit; }
    /// Lengths that were found become those of the input.
    void from_unit(Buffer<T>& lengths) const {
        if (!unit().is_plain())
            cpu_.for_each(lengths.size(), MultiplyAll<T>{lengths.data(), unit().unit()});
    }
    /// The tree of these points, as targets, cut to fit that of their sources.
    [[nodiscard]] Tree<T, Cpu> tree_for(Tree<T, Cpu> const& sources) const {
        return build_targets(cpu_, own().points.points(), sources, prepared_.options, nullptr, true);
    }
    /// Counts of a walk become counts of the call.
    template <class P>
    void note_walk(Tree<T, P> const& tree, WalkCounts const& counts) {
        Stats more;
        add_walk_counts(more, tree, counts);
        note_counts(more);
    }
    void note_counts(Stats const& more) { add_walk(stats_.counts, more.counts); }
    /// The options that trees are cut with.
    [[nodiscard]] TreeOptions const& options() const { return prepared_.options; }
    /// Points and tree of this rank.
    [[nodiscard]] RankTree<T>& own() { return *kept_; }
    [[nodiscard]] RankTree<T> const& own() const { return *kept_; }
    /// Gives the memory of the tree back, unless it is that of an index. Ranks may do so alone.
    void drop_tree() noexcept { own_.tree = {}; }
    /// The rows of the input that own points are, for the end of a call.
    [[nodiscard]] Buffer<index_t> take_input_index() {
        if (kept_ == &own_) return std::move(own_.points.input_index);
        return comm_.agree([&] {
            auto const& kept = own().points.input_index;
            Buffer<index_t> copy(kept.size());
            std::copy(kept.begin(), kept.end(), copy.begin());
            return copy;
        });
    }
    /// All that an index keeps of these points.
    [[nodiscard]] KeptRankPoints<T> take() && { return {std::move(prepared_), std::move(own_), rows_}; }

    /// Values of this rank's positions, `width` each, become those of the rows that it passed.
    template <class V>
    void bring_home(Buffer<V>& values, std::size_t width = 1) {
        auto by_row = comm_.attempt([&] { return Buffer<V>(rows_ * width); });
        home(comm_, cpu_, own().points.travel, std::span<V const>(values), std::span<V>(by_row), width);
        values = std::move(by_row);
    }
    /// The values of the rows that this rank passed, of one for each of its positions; `values` stay.
    template <class V>
    [[nodiscard]] std::vector<V> rows_home(std::span<V const> values) {
        auto by_row = comm_.attempt([&] { return std::vector<V>(rows_); });
        home(comm_, cpu_, own().points.travel, values, std::span<V>(by_row));
        return by_row;
    }
    /// The way back: the values of the rows that this rank passed, for the points that it got, by position.
    template <class V>
    [[nodiscard]] std::vector<V> rows_sorted(std::span<V const> by_row) {
        auto sorted = comm_.attempt([&] { return std::vector<V>(size_here()); });
        bring_along(comm_, cpu_, own().points.travel, by_row, std::span<V>(sorted));
        return sorted;
    }
    /// Ends a call: bring() takes the result home; or it stays, and gets the rows of the input that its rows are.
    template <class Result, class Bring>
    void hand_over(Result& r, Order order, Bring const& bring) {
        if (order == Order::input) {
            bring();
            end_phase("home");
        } else {
            auto rows = take_input_index();
            if constexpr (requires { r.z_order; }) r.z_order = std::move(rows);
            else r.row_order = std::move(rows);
        }
        note_steps();
    }
    /// What was sent becomes part of the statistics. Collective.
    void note_steps() {
        comm_.agree([&] { stats_.steps = comm_.stats(); });
    }
    /// Ends a phase with the seconds since the last one ended.
    void end_phase(char const* name) noexcept { phases_.end(stats_, name); }

  private:
    /// A tree that is somewhere else for a while; also if that ends by an exception, as it may be that of an index.
    struct Lent {
        Tree<T, Cpu>&there, &home;
        Lent(Tree<T, Cpu>& to, Tree<T, Cpu>& from) : there(to), home(from) { there = std::move(home); }
        Lent(Lent const&) = delete;
        Lent& operator=(Lent const&) = delete;
        ~Lent() { home = std::move(there); }
    };
    /// The tree of other points, cut to fit the sources' tree.
    static RankTree<T> target_tree(RankPoints const& sources, SortedPoints<T>&& sorted) {
        auto tree = build_targets(sources.cpu_, sorted.points(), sources.own().tree,
                                  sources.prepared_.options, nullptr, true);
        return {std::move(sorted), std::move(tree)};
    }
    /// In the unit, without what isn't this rank's.
    SortedPoints<T> sort(Points<T> local) {
        if (unit().is_plain()) return z_sort(comm_, cpu_, local);
        Brought<T, Cpu> points{{}, local};
        comm_.attempt([&] { Preparation<T, Cpu>::rescale(cpu_, points, unit()); });
        return z_sort(comm_, cpu_, points.points);
    }
    void set_out(Points<T> local, TreeOptions const& tree, std::vector<T> period) {
        prepared_.dim = local.dim;
        prepared_.options = tree;
        prepared_.period = std::move(period);
        rows_ = local.size;
        make_room_for_notes();
    }
    void make_room_for_notes() {
        stats_.seconds.reserve(enough_notes);
        stats_.counts.reserve(enough_notes);
    }
    void note_imported(std::uint64_t points) noexcept {
        auto& counts = stats_.counts;
        auto const most = std::find_if(counts.begin(), counts.end(),
                                       [](auto const& count) { return count.first == "imported"; });
        if (most == counts.end()) counts.emplace_back("imported", points);
        else most->second = std::max(most->second, points);
    }

    static constexpr std::size_t enough_notes = 16;  // in stats; for more there must be memory

    Comm& comm_;
    Cpu const& cpu_;
    Stats& stats_;
    RunPhases<Cpu const> phases_;
    PreparedPoints<T, Cpu> prepared_;
    RankTree<T> own_;
    RankTree<T>* kept_ = &own_;  // or that of an index
    std::size_t rows_ = 0;
};

}}}  // namespace zwalk::v0::detail
