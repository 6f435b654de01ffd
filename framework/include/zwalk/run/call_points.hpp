// The points of a call on one place, with the verbs that drivers are written with; RankCallPoints (rank_call_points.hpp) has
// the same ones for points that are spread over ranks:
//
//   size(), size_here()            how many points there are; how many are here: on one place all are
//   rows_here()                    how many rows of the input were passed here
//   dim()                          columns that they have
//   unit()                         the unit that the points are in
//   length(l)                      a length of the options in that unit
//   period()                       of the box, in that unit
//   place()                        where arrays are, with the verbs of exec/place.hpp
//   Array<V>                       an array there
//   Row                            the type of a row of the input
//   here(f)                        f(), for what is done here alone: allocates, or looks at elements. What it throws is
//                                  thrown on all ranks, by the next collective verb: until then f of other calls isn't called
//   total(n)                  (c)  the sum of a number of each rank
//   largest(x)                (c)  the largest of a number of each rank
//   add_up(numbers)           (c)  numbers become the sums of those of all ranks
//   end_phase(name)                ends a phase of the call's statistics
//   check_rows(f)             (c)  f(number of the first row here among those of all ranks), on ranks alone: for what a call on one
//                                  place has checked of its rows before
//   where(flags, value)            positions of the points with flags[i] == value, 0 or 1, ascending
//   rows_at(at)                    rows of the input of the points at positions `at`
//   some(at)                  (c)  a set of its own of the points at positions `at`, ascending: point i of it is at[i]
//   targets(at, sources)      (c)  the same, as targets: cut to fit the tree of `sources`
//   queries(at, sources)      (c)  the same, as queries that search in `sources`: of type Queries
//   each_target<V>(sources, radius, make)
//                             (c)  an array with an element for each of these points, which a walk of the trait
//                                  make.operator()<D>(elements) fills; sources within `radius` decide it, nodes that are
//                                  within it count as a whole
//   linked(radius, make, after)
//                             (c)  groups that a walk of the trait make.operator()<D>() links: no pair is further apart
//   meet<Need>(others, taken, rows)
//                             (c)  all pairs of these points or, if there are others, of a point of each set, for walks of
//                                  symmetric traits with a total. rows(set, n): what n rows of the input carry, of these points
//                                  and of others; Need<D, T, symmetric> says what ranks import (rank_meeting.hpp), which
//                                  carry that anyhow; else only walks see it, where it is taken. Uses others up
//   Met::walk<Total>(limits, bytes, make)
//                             (c)  the total, of each rank its own, of a walk of the trait make.operator()<D>(second): the other
//                                  set's points are those from position `second` on. limits: those that Need has;
//                                  bytes(points, columns): what the walk of so many needs on a device. Ends the phase "walk"
//   Met::finish(r)            (c)  the end of such a call, whose result has nothing of each point
//   nearest_by(values, make)
//                             (c)  for each of these points the one that a walk of the trait make.operator()<D>(position, distance2) finds
//                                  for it, which fills these arrays: Nearest{rows of the input, or -1 for no_pos; distances in the
//                                  unit of the input}. The trait's payload is {values[i], the row of the input}
//   label(groups, least)      (c)  the least of `least[i]` of each group's points, at each of them; and how many groups there are
//   label_rows(groups, order) (c)  label() by the rows of the input, in `order`; ends the phase "labels"
//   lower(values, to, by)     (c)  values[to[i]] = min(itself, by[i]), where to[i] is one of all points of this set; the result
//                                  is for read()
//   Lowered::read(values)     (c)  values[to[i]] for each i
//   in_order(array, order)    (c)  an array by position becomes one in `order`
//   row_in(order), bring_home(array, width, order)
//                             (c)  the same in two steps, for arrays of `width` elements each: where a step writes that of position i,
//                                  row_in(order)[i] or, if that is null, i; and what becomes of it then
//   finish(r, order)          (c)  the end of a call: r gets what every result has
//   finish_rows(r, sources, order)
//                             (c)  the same where r has rows for these points that name sources: with Order::z it gets the input
//                                  rows of both
//
// ListsOf (lists_of.hpp) and NeighboursOf (knn/neighbours_of.hpp) are further verbs.
//
// (c): collective, on ranks. All ranks call these, in the same order.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/core/fixed_sum.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/exec/place.hpp"
#include "zwalk/run/counts.hpp"
#include "zwalk/run/detail/compiled_walk.hpp"
#include "zwalk/run/detail/element_steps.hpp"
#include "zwalk/run/detail/met_points.hpp"
#include "zwalk/run/detail/name_nearest.hpp"
#include "zwalk/run/detail/subset.hpp"
#include "zwalk/run/dims.hpp"
#include "zwalk/run/driver.hpp"
#include "zwalk/run/phases.hpp"
#include "zwalk/run/prepared_points.hpp"
#include "zwalk/run/where.hpp"
#include "zwalk/tree/targets.hpp"
#include "zwalk/walk/groups.hpp"
#include "zwalk/walk/links.hpp"
#include "zwalk/walk/lists.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T, class P>
class CallPoints;

/// The driver of A on one place.
/// @param others  null: none
template <class A, class T, class P>
typename A::template Result<T, P> drive(P& place, RunPoints<T, P>& points,
                                        [[maybe_unused]] OthersOn<A, T, P>* others,
                                        typename A::Options const& options) {
    CallPoints<T, P> all(place, points, !Queried<A>);
    if constexpr (Queried<A>) {
        return A::run(all, others, options);
    } else if constexpr (TakesOthers<A>) {
        std::optional<CallPoints<T, P>> met;
        if (others) met.emplace(all, *others, A::others_are);
        return A::run(all, met ? &*met : nullptr, options);
    } else {
        return A::run(all, options);
    }
}
/// Compiles the driver of A. Include the place first, as for ZWALK_INSTANCE.
#define ZWALK_DRIVER(A, T, P)                                                                          \
    template <>                                                                                        \
    A::Result<T, P> Driver<A, T, P>::run(P& place, RunPoints<T, P>& points, OthersOn<A, T, P>* others, \
                                         A::Options const& options) {                                  \
        return drive<A>(place, points, others, options);                                               \
    }

template <class T, class P>
class CallPoints {
    /// What a call and all sets of some of its points note.
    struct Notes {
        Stats stats;
        WalkCounts counts;
        RunPhases<P> phases;
    };

  public:
    using real = T;
    using Place = P;
    using WalkPlace = P;
    using Row = pos_t;
    using Queries = detail::Queries<T, P>;
    template <class V>
    using Array = ArrayOn<P, V>;
    template <class A>
    using ResultOf = typename A::template Result<T, P>;

    /// @param noted  phases and counts of walks are noted; if not, no verb that does so may be used: a look at the clock would make a
    ///               single query some per cent slower
    CallPoints(P& place, RunPoints<T, P>& points, bool noted = true)
        : place_(place), run_(&points), points_(&*points) {
        if (!noted) return;
        own_notes_.emplace(Notes{{}, {}, RunPhases<P>(place)});
        notes_ = &*own_notes_;
    }
    /// Other points of the call of `all`, in its unit.
    CallPoints(CallPoints& all, Brought<T, P> const& others, OthersAre what)
        : CallPoints(all,
                     what == OthersAre::targets
                         ? all.as_targets(others.points, {in_unit(others.extent, all.points_->unit)})
                         : prepare_others(all.place_, *all.points_, others.points,
                                          {in_unit(others.extent, all.points_->unit)})) {
        if (what == OthersAre::targets) end_phase("queries");
    }
    CallPoints(CallPoints const&) = delete;
    CallPoints& operator=(CallPoints const&) = delete;

    [[nodiscard]] std::uint64_t size() const { return size_here(); }
    [[nodiscard]] pos_t size_here() const { return points_->tree.size(); }
    [[nodiscard]] std::size_t rows_here() const { return size_here(); }
    [[nodiscard]] int dim() const { return points_->dim; }
    [[nodiscard]] LengthUnit<T> const& unit() const { return points_->unit; }
    [[nodiscard]] std::vector<T> const& period() const { return points_->period; }
    [[nodiscard]] double length(double l) const { return points_->unit.limit(l); }
    [[nodiscard]] P& place() { return place_; }
    template <class F>
    auto here(F const& f) {
        return f();
    }
    [[nodiscard]] std::uint64_t total(std::uint64_t own) { return own; }
    [[nodiscard]] double largest(double own) { return own; }
    void add_up(std::vector<FixedSum>&) {}
    void end_phase(char const* name) { notes_->phases.end(notes_->stats, name); }
    template <class F>
    void check_rows(F const&) {}

    [[nodiscard]] Array<pos_t> where(Array<std::uint8_t> const& flags, std::uint8_t value) {
        std::size_t const n = flags.size();
        auto others = place_.template buffer<std::uint8_t>(value ? 0 : n);
        place_.for_each(others.size(), Negate{flags.data(), others.data()});
        auto const* const is = value ? flags.data() : others.data();
        auto at = place_.template buffer<pos_t>(n ? place_.count(is, n) : 0);
        place_.positions(is, n, at.data());
        return at;
    }
    [[nodiscard]] Array<pos_t> rows_at(Array<pos_t> const& at) {
        auto rows = place_.template buffer<pos_t>(at.size());
        place_.for_each(at.size(), Gather<pos_t>{points_->tree.input.data(), at.data(), rows.data()});
        return rows;
    }
    [[nodiscard]] CallPoints some(Array<pos_t> const& at) {
        if (at.size() == size_here()) return CallPoints(*this);
        return CallPoints(*this, prepare_some(place_, *points_, at));
    }
    [[nodiscard]] CallPoints targets(Array<pos_t> const& at, CallPoints const& sources) {
        auto const rows = rows_of(place_, *points_, at);
        PointsOn<T, P> const some(rows.data(), at.size(), points_->dim);
        return CallPoints(*this, sources.as_targets(some, {.sorted = true}));
    }
    [[nodiscard]] Queries queries(Array<pos_t> const& at, CallPoints const&) {
        Queries some;
        some.rows = rows_of(place_, *points_, at);
        some.points = PointsOn<T, P>(some.rows.data(), at.size(), points_->dim);
        some.in_order = true;
        if constexpr (!is_device<P>) {
            some.order = Array<pos_t>(at.size());
            place_.for_each(at.size(), Iota{some.order.data()});
        }
        return some;
    }

    template <class V, class Make>
    [[nodiscard]] Array<V> each_target(CallPoints const& sources, double, Make const& make) {
        auto elements = place_.template buffer<V>(size_here());
        with_columns<void>([&]<int D>() {
            auto const trait = make.template operator()<D>(elements.data());
            this->walk(trait, points_->tree, sources.points_->tree, {});
        });
        return elements;
    }
    using Groups = Array<pos_t>;  ///< of each point the first one of its group
    template <class Make>
    [[nodiscard]] Groups linked(double, Make const& make, TreeAfter = TreeAfter::stays) {
        auto root = links_init(place_, size_here());
        with_columns<void>([&]<int D>() {
            auto const trait = make.template operator()<D>();
            WalkInputs<std::remove_const_t<decltype(trait)>> inputs;
            inputs.links = root.data();
            this->walk(trait, points_->tree, points_->tree, inputs);
        });
        links_settle(place_, root);
        return root;
    }
    template <template <int, class, bool> class Need, class Rows>
    [[nodiscard]] Met<CallPoints, Need> meet(CallPoints* others, bool taken, Rows const& rows) {
        return {*this, others, taken, rows};
    }
    struct Nearest {
        Array<index_t> rows;
        Array<T> distances;
    };
    template <class Make>
    [[nodiscard]] Nearest nearest_by(Array<T> const& values, Make const& make) {
        pos_t const n = size_here();
        auto const& input = points_->tree.input;
        auto position = place_.template buffer<pos_t>(n);
        Nearest found{place_.template buffer<index_t>(n), place_.template buffer<T>(n)};
        place_.for_each(n, Convert<pos_t, index_t>{input.data(), found.rows.data()});
        with_columns<void>([&]<int D>() {
            auto const trait = make.template operator()<D>(position.data(), found.distances.data());
            WalkInputs<std::remove_const_t<decltype(trait)>> inputs;
            inputs.source_payload = {{{values.data()}, {found.rows.data()}}};
            inputs.target_payload = inputs.source_payload;
            this->walk(trait, points_->tree, points_->tree, inputs);
        });
        place_.for_each(n, NameNearest<T, pos_t>{position.data(), input.data(), found.rows.data(),
                                                 found.distances.data(), points_->unit.unit()});
        return found;
    }
    [[nodiscard]] GroupLabels<P> label(Groups const& groups, Array<Row> const& least) {
        return label_groups(place_, groups, least, Order::z);
    }
    [[nodiscard]] GroupLabels<P> label_rows(Groups const& groups, Order order) {
        auto found = label_groups(place_, groups, points_->tree.input, order);
        end_phase("labels");
        return found;
    }
    struct Lowered {
        P& place;
        Array<index_t> const& to;
        [[nodiscard]] Array<index_t> read(Array<index_t> const& values) const {
            auto read = place.template buffer<index_t>(to.size());
            place.for_each(to.size(), GatherAt<index_t>{values.data(), to.data(), read.data()});
            return read;
        }
    };
    /// `to` stays.
    [[nodiscard]] Lowered lower(Array<Row>& values, Array<index_t> const& to, Array<Row> const& by) {
        place_.for_each(to.size(), LowerAt{by.data(), to.data(), values.data()});
        return {place_, to};
    }

    template <class A>
    void in_order(A& elements, Order order) {
        if (order == Order::z) return;
        using V = std::remove_cvref_t<decltype(*elements.data())>;
        auto by_row = place_.template buffer<V>(elements.size());
        place_.for_each(elements.size(),
                        Scatter<V>{elements.data(), points_->tree.input.data(), by_row.data()});
        elements = std::move(by_row);
    }
    [[nodiscard]] pos_t const* row_in(Order order) const {
        return order == Order::z ? nullptr : points_->tree.input.data();
    }
    template <class V>
    void bring_home(V&, std::size_t, Order) {}
    template <class R>
    void finish(R& r, Order) {
        hand_over(r, points_->tree);
        r.z_order = run_->take_order(place_);
    }
    /// What an index keeps on CPUs has its order already.
    template <class R>
    void finish_rows(R& r, CallPoints& sources, Order order) {
        sources.hand_over(r, sources.points_->tree);
        if (order == Order::input) return;
        auto const& rows = points_->tree.input;
        r.row_order = copy_on(place_, rows.data(), rows.size());
        if (is_device<P> || !sources.run_->kept()) r.source_order = sources.run_->take_order(place_);
    }

    /// For other verbs, as neighbours and lists have them.
    [[nodiscard]] PreparedPoints<T, P> const& prepared() const { return *points_; }
    void note_walk(WalkCounts const& counts) { notes_->counts.add(counts); }
    template <class I>
    void walk(I const& trait, Tree<T, P> const& targets, Tree<T, P> const& sources,
              WalkInputs<I> const& inputs) {
        note_walk(CompiledWalk<I, P>::run(place_, trait, points_->period, targets, sources, inputs));
    }
    template <class R>
    void hand_over(R& r, Tree<T, P> const& walked) {
        r.stats = std::move(notes_->stats);
        add_counts(r.stats, place_, walked, notes_->counts);
    }
    /// The tree of other points, or of some.
    [[nodiscard]] Tree<T, P>& own_tree() { return own_->tree; }
    /// Those of the call; null: they are a set of some of them.
    [[nodiscard]] RunPoints<T, P>* of_call() const { return run_; }
    /// f.operator()<D>() for the dimension that these points are compiled for.
    template <class R, class F>
    R with_columns(F const& f) const {
        return with_dim<R>(typename DimsFor<T, P>::type{}, points_->dim, f, is_device<P>);
    }

  private:
    /// All points of a call, as a set of their own.
    explicit CallPoints(CallPoints& all)
        : place_(all.place_), points_(all.points_), notes_(all.notes_) {}
    /// Some of them.
    CallPoints(CallPoints& all, PreparedPoints<T, P>&& some)
        : place_(all.place_), own_(std::move(some)), points_(&*own_), notes_(all.notes_) {}

    /// Points of this space, as targets of these ones: with a tree that is cut to fit.
    PreparedPoints<T, P> as_targets(PointsOn<T, P> const& targets, KnownPoints<T> const& known) const {
        auto tree = [&] {
            Tree<T, P> const& there = points_->tree;
            TreeOptions const& options = points_->options;
            if constexpr (is_device<P>) return build_targets(place_, targets, there, options, known);
            else return build_targets(place_, targets, there, options, nullptr, known.sorted);
        }();
        return {std::move(tree),  points_->dim,  points_->period, Extent<T>(points_->dim),
                points_->options, points_->unit, points_->largest};
    }

    P& place_;
    RunPoints<T, P>* run_ = nullptr;           // of the call
    std::optional<PreparedPoints<T, P>> own_;  // some of its points, or others
    PreparedPoints<T, P> const* points_;
    std::optional<Notes> own_notes_;
    Notes* notes_ = nullptr;
};

}}}  // namespace zwalk::v0::detail
