// The points of a tree (point_tree.hpp) on one place, and what it does with them. detail/rank_point_set.hpp has the same members for
// points that are spread over MPI ranks:
//
//   size(), rows()             how many points are here; how many rows of the input were passed here
//   place(), id()              the place; the object that trees of the same points share
//   agree(f)              (c)  f(); what it throws is thrown on all ranks
//   targets(points)       (c)  other points, to be walked against these
//   payload(rows)         (c)  what the points carry
//   array<V>(), array(value)   one V for each point here
//   shared(rows)          (c)  a table that all points see
//   reduce(array, start, op)
//                         (c)  all elements of all ranks
//   rows_of(at, f)        (c)  f(element, row_of) for the elements of an array, in the order of the input; row_of(position) is the row of
//                              a point of this set
//   met, nearest, lists   (c)  walks of these points, as targets, against `sources`
//
// (c): collective, on ranks.
#pragma once
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/core/box_lengths.hpp"
#include "zwalk/exec/columns_on.hpp"
#include "zwalk/lists/lists.hpp"
#include "zwalk/nearest/search.hpp"
#include "zwalk/run/detail/trait_pointers.hpp"
#include "zwalk/run/detail/walk_on.hpp"
#include "zwalk/run/point_array.hpp"
#include "zwalk/run/prepared_points.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/joint.hpp"
#include "zwalk/tree/targets.hpp"
#include "zwalk/walk/groups.hpp"
#include "zwalk/walk/inputs.hpp"
#include "zwalk/walk/links.hpp"
#include "zwalk/walk/lists.hpp"

namespace zwalk { inline namespace v0 {

template <class T, class P>
class Index;  // run/index.hpp

namespace detail {

template <int D, class T, class P>
class PointSet {
    using Home = PlaceOf<P>;

  public:
    PointSet(P& place, Points<T> points, BoxLengths const& box, TreeOptions const& tree)
        : place_(&place) {
        check_most_columns(points.dim, D);
        auto brought = Preparation<T, Home>::bring(home(), points, "points", !box.empty());
        check_plain_range(brought.largest, "points");
        auto const extent = brought.extent;
        Stats built;
        points_ = std::make_shared<PreparedPoints<T, Home> const>(
            prepare(home(), std::move(brought), box, extent, {}, D, tree, built));
    }
    /// The points of an index, which lends them to a place of its kind.
    template <class Kept>
    PointSet(P& place, Index<T, Kept> const& index) : place_(&place) {
        PreparedPoints<T, Kept> const& kept = index.points();
        check_columns_of_index(kept.dim, kept.tree.columns, D);
        check_plain_range(kept.largest, "points of the index");
        if constexpr (std::is_same_v<Kept, Home>) {
            if constexpr (is_device<P>) check_place_of_index(&home() == &index.place());
            points_ = {std::shared_ptr<void>(), &kept};
        } else {
            points_ = std::make_shared<PreparedPoints<T, Home> const>(PreparedPoints<T, Home>{
                Preparation<T, Home>::from_host(home(), kept.tree, kept.tree.columns), kept.dim,
                kept.period, kept.extent, kept.options, kept.unit, kept.largest});
        }
    }
    PointSet(P& place, std::shared_ptr<PreparedPoints<T, Home> const> points)
        : place_(&place), points_(std::move(points)) {}

    [[nodiscard]] pos_t size() const { return tree().size(); }
    [[nodiscard]] std::size_t rows() const { return size(); }
    [[nodiscard]] P& place() const { return *place_; }
    [[nodiscard]] void const* id() const { return points_.get(); }
    [[nodiscard]] Tree<T, Home> const& tree() const { return points_->tree; }
    template <class F>
    static auto agree(F const& f) {
        return f();
    }

    [[nodiscard]] PointSet targets(Points<T> points) const {
        check_columns_of_targets(points.dim, points_->dim);
        auto brought = Preparation<T, Home>::bring(home(), points, "points", !points_->period.empty());
        check_fit(*points_, brought.extent, brought.largest, "targets");
        PreparedPoints<T, Home> prepared{build_targets(home(), brought.points, tree(), points_->options),
                                         points.dim,
                                         points_->period,
                                         std::move(brought.extent),
                                         points_->options,
                                         {},
                                         brought.largest};
        return {*place_, std::make_shared<PreparedPoints<T, Home> const>(std::move(prepared))};
    }
    template <class A>
    [[nodiscard]] PointPayload<A, P> payload(std::span<A const> rows) const {
        return PointPayload<A, P>(*place_, rows, points_, tree().input);
    }
    template <class V>
    [[nodiscard]] PointArray<V, T, P> array() const {
        return {*place_, points_};
    }
    template <class V>
    [[nodiscard]] PointArray<V, T, P> array(V const& value) const {
        PointArray<V, T, P> all(*place_, points_);
        place_->for_each(size(), Fill<V>{all.data(), value});
        return all;
    }
    template <class V>
    [[nodiscard]] auto shared(std::span<V const> rows) const {
        return copy_to(home(), rows);
    }
    template <class V, class Op>
    [[nodiscard]] V reduce(PointArray<V, T, P> const& array, V start, Op const& op) const {
        for (V const& value : array.in_z_order()) start = op(start, value);
        return start;
    }
    template <class V, class F>
    [[nodiscard]] auto rows_of(PointArray<V, T, P> const& at, F const& f) const {
        if (at.is_of(points_.get())) met_->check_own_positions();
        std::vector<pos_t> input(size());
        place_->download(input.data(), tree().input.data(), input.size());
        auto const row_of = [&](pos_t position) -> index_t {
            if (position == no_pos) return -1;
            pos_t point = position;
            if constexpr (requires { place_->point_at(position); }) point = place_->point_at(position);
            check_position(point, size());
            return index_t(input[point]);
        };
        std::vector<decltype(f(std::declval<V const&>(), row_of))> rows;
        rows.reserve(at.size());
        for (V const& element : at.in_input_order()) rows.push_back(f(element, row_of));
        return rows;
    }

    /// @param own, of_sources  null: points have no payload
    template <class I>
    Walked<I> met(I const& trait, PointSet const& sources,
                  PointPayload<typename I::Payload, P> const* own,
                  PointPayload<typename I::Payload, P> const* of_sources) const {
        Walked<I> result;
        check_sources(sources, I::uses.symmetric || I::uses.links);
        check_outputs(trait, points_.get(), size());
        WalkInputs<I> inputs;
        if (own) inputs.target_payload = own->view();
        if (of_sources) inputs.source_payload = of_sources->view();
        ArrayOn<Home, pos_t> links;
        if constexpr (I::uses.total) inputs.total = &result.total;
        if constexpr (I::uses.links) {
            links = links_init(home(), size());
            inputs.links = links.data();
        }
        result.counts = with_space<D>(points_->period, [&](auto const& space) {
            return walk_on(*place_, trait, space, tree(), sources.tree(), inputs);
        });
        if constexpr (I::uses.links) result.labels = labels_of(links);
        place_->synchronize();
        return result;
    }
    template <class Output>
    WalkCounts nearest(PointSet const& sources, NearestSearch const& search,
                       Output const& output) const {
        check_nearest(search, sources.points_ != points_);
        check_sources(sources, false);
        auto const counts = with_space<D>(points_->period, [&](auto const& space) {
            return nearest_on<D>(home(), space, tree(), sources.tree(), search, output);
        });
        place_->synchronize();
        return counts;
    }
    template <ListOrder order, class L>
    Lists<T> lists(L const& trait, PointSet const& sources,
                   PointPayload<typename L::Payload, P> const* own,
                   PointPayload<typename L::Payload, P> const* of_sources) const {
        using View = ColumnsView<typename L::Payload>;
        check_sources(sources, false);
        WalkCounts done;
        return with_space<D>(points_->period, [&](auto const& space) {
            using Task = ListTask<L, std::remove_cvref_t<decltype(space)>, P>;
            return lists_here(
                home(), find_lists<order>(
                            Task{*place_, trait, space, tree(), sources.tree(), Order::input,
                                 own ? own->view() : View{}, of_sources ? of_sources->view() : View{}},
                            done));
        });
    }

  private:
    /// Walks are the place's own way, all else is its home's.
    Home& home() const { return *place_; }

    void check_sources(PointSet const& sources, bool meets_one_alone) const {
        if constexpr (has_life) check_life(life_.expired());
        bool const is_other = sources.points_ != points_;
        if (is_other) check_two_trees(meets_one_alone, points_->period, sources.points_->period);
        (is_other ? met_->others : met_->itself) = true;
    }
    std::vector<index_t> labels_of(ArrayOn<Home, pos_t>& links) const {
        links_settle(home(), links);
        auto const found = label_groups(home(), links, tree().input, Order::input);
        std::vector<index_t> labels(size());
        place_->download(labels.data(), found.labels.data(), labels.size());
        return labels;
    }

    static constexpr bool has_life = requires(P const& place) { place.life(); };
    using Life = std::conditional_t<has_life, std::weak_ptr<void const>, Empty>;
    static Life life_of([[maybe_unused]] P const& place) {
        if constexpr (has_life) return place.life();
        else return {};
    }

    P* place_;
    [[no_unique_address]] Life life_ = life_of(*place_);  // that of the place, if it tells
    std::shared_ptr<PreparedPoints<T, Home> const> points_;
    std::shared_ptr<MetTrees> met_ = std::make_shared<MetTrees>();
};

}  // namespace detail
}}  // namespace zwalk::v0
