// The front door for traits: points in, payload in, a trait walked, outputs in the order of the input, on any place
// by the same lines.
//
//   zwalk::Cpu place;                                                     // or CudaDevice, HostDevice, MpiRanks
//   auto const tree = zwalk::make_tree<3>(place, points, {.box = {1, 0, 1}});
//   auto const light = tree.payload(stars);
//   NearestBrighter trait;
//   auto const brighter = tree.bind(trait.brighter);
//   tree.walk(trait, light);
//   std::vector<index_t> const row = tree.rows_at(brighter);
//
// Instead of points it may be given an index (run/index.hpp), which was sorted before or comes from a file.
//
// Include the header of the place: run/cpu.hpp, run/cuda.cuh (for nvcc), run/host_device.hpp or, where points are spread over
// MPI ranks, run/mpi.hpp.
#pragma once
#include <array>
#include <iterator>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "zwalk/core/box_lengths.hpp"
#include "zwalk/core/device_points.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/core/validate.hpp"
#include "zwalk/exec/columns_on.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/lists/lists.hpp"
#include "zwalk/nearest/search.hpp"
#include "zwalk/run/detail/check_payload.hpp"
#include "zwalk/run/detail/trait_pointers.hpp"
#include "zwalk/run/detail/walk_on.hpp"
#include "zwalk/run/point_array.hpp"
#include "zwalk/run/prepared_points.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/joint.hpp"
#include "zwalk/tree/targets.hpp"
#include "zwalk/walk/check.hpp"
#include "zwalk/walk/groups.hpp"
#include "zwalk/walk/inputs.hpp"
#include "zwalk/walk/links.hpp"
#include "zwalk/walk/lists.hpp"

namespace zwalk::inline v0 {

template <class T, class P>
class Index;  // run/index.hpp

namespace detail {
template <int D, class T, class P, std::size_t N>
class JointTrees;  // run/joint_trees.hpp
}  // namespace detail

struct PointTreeOptions {
    BoxLengths box{};  ///< the periods. Empty: open. One for all axes, or one each; 0 = open axis
    TreeOptions tree{};
};

/// Points that are ready to be walked over, in the memory of a place: they were checked, sorted and grouped, and hold
/// their space. Copies share one tree. The place must stay as long as the tree and all that it has made.
template <int D, class T, class P>
class PointTree : public detail::Binds<PointTree<D, T, P>> {
    using Home = PlaceOf<P>;
    template <int, class, class, std::size_t>
    friend class detail::JointTrees;

  public:
    /// See make_tree().
    PointTree(P& place, Points<T> points, PointTreeOptions const& options);
    template <class Kept>
    PointTree(P& place, Index<T, Kept> const& index);

    [[nodiscard]] pos_t size() const { return tree().size(); }
    [[nodiscard]] P& place() const { return *place_; }
    /// Planes, and points in z-order.
    [[nodiscard]] Tree<T, Home> const& tree() const { return points_->tree; }

    /// The tree of other points that are to walk against this one, as targets: with its space and its options. O(n log n)
    /// for n points.
    /// @throws InputError  as make_tree(); another number of columns; points that don't fit into the box together with
    ///                     those that are there
    [[nodiscard]] PointTree targets(Points<T> points) const;

    /// The payload of the points, for traits that have such a one: `rows` is a vector (or span) of structs, one for each
    /// point, in the order of the input.
    /// @throws InputError  another number of rows
    template <class Rows>
    [[nodiscard]] auto payload(Rows const& rows) const {
        std::span const all(rows);
        using A = std::remove_const_t<typename decltype(all)::element_type>;
        if constexpr (detail::check_payload_rows<A>()) {
            detail::check_rows(all.size(), size(), "payload");
            return PointPayload<A, P>(*place_, std::span<A const>(all), points_, tree().input);
        }
    }

    /// One V for each point, for a trait to write to: element i belongs to the point at z-order position i. Begins
    /// uninitialised, or as `value`.
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
    /// A copy of a table that traits read, whichever point they look at, in the memory of the place; `rows` are a vector (or
    /// span) of plain values. It has data() and size().
    template <class Rows>
    [[nodiscard]] auto shared(Rows const& rows) const {
        using V = std::remove_cvref_t<decltype(*std::data(rows))>;
        static_assert(std::is_trivially_copyable_v<V>, "zwalk: a table holds plain values");
        return copy_to(home(), std::span<V const>(rows));
    }
    /// op(op(start, x), y) ... over all elements of an array, in z-order, on the host. `start` is what op adds nothing by, as 0
    /// for a sum: it comes in once, or once for each of some parts. Waits. O(n), by one thread.
    template <class V, class Op>
    [[nodiscard]] V reduce(PointArray<V, T, P> const& array, std::type_identity_t<V> start,
                           Op const& op) const {
        for (V const& value : array.in_z_order()) start = op(start, value);
        return start;
    }

    /// `at` holds z-order positions of points of this tree, no_pos for none; the result is their rows in the input, -1 for none,
    /// in the order of the input of at's own tree. In a walk of targets against sources the tree of the sources has the rows.
    /// Waits.
    /// @throws InputError  positions that this tree doesn't have; `at` is of this tree, which was walked against others only
    [[nodiscard]] std::vector<index_t> rows_at(PointArray<pos_t, T, P> const& at) const {
        if (at.is_of(points_.get())) met_->check_own_positions();
        return rows_of(at.in_input_order());
    }

    /// Rows of the positions in a field of the elements of `at`, as rows_at(at) gives them.
    template <class V>
    [[nodiscard]] std::vector<index_t> rows_at(PointArray<V, T, P> const& at, pos_t V::*field) const {
        if (at.is_of(points_.get())) met_->check_own_positions();
        std::vector<pos_t> positions;
        for (V const& element : at.in_input_order()) positions.push_back(element.*field);
        return rows_of(positions);
    }

    /// Rows of K positions for each point, as rows_at(at) gives them of one.
    template <int K>
    [[nodiscard]] std::vector<std::array<index_t, K>> rows_at(
        PointArray<Vec<K, pos_t>, T, P> const& at) const {
        if (at.is_of(points_.get())) met_->check_own_positions();
        std::vector<pos_t> positions;
        for (auto const& element : at.in_input_order())
            for (int k = 0; k < K; ++k) positions.push_back(element[k]);
        auto const rows = rows_of(positions);
        std::vector<std::array<index_t, K>> by_point(positions.size() / K);
        for (std::size_t i = 0; i < rows.size(); ++i) by_point[i / K][i % K] = rows[i];
        return by_point;
    }

    /// Walks a trait over all pairs of these points. The trait's pointers are to memory of the place; bind() and array() make
    /// such. Traits with a payload get it from payload().
    template <class I>
    Walked<I> walk(I const& trait) const {
        static_assert(!detail::HasListNames<I>, "zwalk: this is a list trait: tree.lists(trait)");
        if constexpr (detail::HasListNames<I>) return {};
        else if constexpr (check_interaction<I>()) {
            static_assert(std::is_empty_v<typename I::Payload>,
                          "zwalk: points of this trait have a payload: walk(trait, tree.payload(rows))");
            return met(trait, *this, {});
        } else return {};
    }
    template <class I>
    Walked<I> walk(I const& trait, PointPayload<typename I::Payload, P> const& payload) const {
        detail::check_owner(payload.is_of(points_.get()), "payload");
        return met(trait, *this, {payload.view(), payload.view()});
    }
    template <class I, class Other>
    requires(!detail::are_payloads<I, P, Other>) Walked<I> walk(I const&, Other const&)
    const { return detail::refuse_payload<I>(); }
    /// Walks a trait over all pairs of these points, as targets, and those of another tree, as sources. Fastest if
    /// this tree is one of sources.targets().
    /// @throws InputError  the two trees have different spaces
    template <class I>
    Walked<I> walk_against(PointTree const& sources, I const& trait) const {
        if constexpr (check_interaction<I>()) {
            static_assert(std::is_empty_v<typename I::Payload>,
                          "zwalk: points of this trait have a payload: "
                          "walk_against(sources, trait, targets.payload(rows), sources.payload(rows))");
            return met(trait, sources, {});
        } else return {};
    }
    template <class I>
    Walked<I> walk_against(PointTree const& sources, I const& trait,
                           PointPayload<typename I::Payload, P> const& own,
                           PointPayload<typename I::Payload, P> const& of_sources) const {
        detail::check_owner(own.is_of(points_.get()), "first payload (of the targets)");
        detail::check_owner(of_sources.is_of(sources.points_.get()), "second payload (of the sources)");
        return met(trait, sources, {own.view(), of_sources.view()});
    }
    /// Walks against sources where only these carry something: the payload of the targets is zeros.
    template <class I>
    Walked<I> walk_against(PointTree const& sources, I const& trait,
                           PointPayload<typename I::Payload, P> const& of_sources) const {
        auto const zeros = payload(std::vector<typename I::Payload>(size()));
        return walk_against(sources, trait, zeros, of_sources);
    }

    template <class I, class... Others>
    requires(!detail::are_payloads<I, P, Others...>) Walked<I> walk_against(PointTree const&, I const&,
                                                                            Others const&...)
    const { return detail::refuse_payload<I>(); }

    /// For each of these points, in the order of the input: which of them a list trait (lists/list_trait.hpp) wants for it.
    /// On the host. Rows in a list ascend; with `lists<ListOrder::nearest>` they come nearest first, ties by row, with
    /// distances. The same for any number of threads, any tree options and any place.
    ///
    /// Memory on the place while lists are made: 8 bytes per entry, 12 or 16 with distances (float, double); on a device
    /// 16 or 32.
    /// @throws Error  that is more than is free, or than the place's memory budget; thrown before lists are made
    template <ListOrder order = ListOrder::row, class L>
    [[nodiscard]] Lists<T> lists(L const& trait) const {
        static_assert(!detail::lists_with_payload<L>,
                      "zwalk: points of this trait have a payload: lists(trait, tree.payload(rows))");
        if constexpr (!detail::lists_with_payload<L> && check_list_trait<L>())
            return found_lists<order>(*this, trait, {}, {});
        return {};
    }
    template <ListOrder order = ListOrder::row, class L>
    [[nodiscard]] Lists<T> lists(L const& trait,
                                 PointPayload<typename L::Payload, P> const& payload) const {
        detail::check_owner(payload.is_of(points_.get()), "payload");
        return found_lists<order>(*this, trait, payload.view(), payload.view());
    }
    /// Lists as of lists(), for each of these points, as targets, and the points of another tree, as sources: rows in them are
    /// theirs. Fastest if this tree is one of sources.targets().
    /// @throws InputError  the two trees have different spaces
    template <ListOrder order = ListOrder::row, class L>
    [[nodiscard]] Lists<T> lists_against(PointTree const& sources, L const& trait) const {
        static_assert(!detail::lists_with_payload<L>,
                      "zwalk: points of this trait have a payload: "
                      "lists_against(sources, trait, targets.payload(rows), sources.payload(rows))");
        if constexpr (!detail::lists_with_payload<L> && check_list_trait<L>())
            return found_lists<order>(sources, trait, {}, {});
        return {};
    }
    template <ListOrder order = ListOrder::row, class L>
    [[nodiscard]] Lists<T> lists_against(PointTree const& sources, L const& trait,
                                         PointPayload<typename L::Payload, P> const& own,
                                         PointPayload<typename L::Payload, P> const& of_sources) const {
        detail::check_owner(own.is_of(points_.get()), "first payload (of the targets)");
        detail::check_owner(of_sources.is_of(sources.points_.get()), "second payload (of the sources)");
        return found_lists<order>(sources, trait, own.view(), of_sources.view());
    }

    /// Hands the k nearest of all points to `output`, for each of them; with exclude_self a point is not its own neighbour; with
    /// `within` only those at that distance or nearer.
    ///
    /// Output: a trivially copyable struct with `template <class Found> ZWALK_HD void operator()(auto const& point,
    /// Found const& found) const`, called once for each point, by several threads at once. point.index: its position;
    /// found.size(): how many there are, k or fewer; found.each(f): f(int i, Key key) for the neighbours, nearest first,
    /// key.d2 the squared distance, key.pos the position. Its pointers are to memory of the place. Ties go to the
    /// smaller position. The k best are kept by the framework: where and how is chosen by place and k.
    /// @throws InputError  k < 1, within < 0
    template <class Output>
    WalkCounts nearest(NearestSearch const& search, Output const& output) const {
        return found_nearest(*this, search, output);
    }
    /// The k nearest of the points of another tree, the sources, for each of these. Fastest if this tree is one of
    /// sources.targets(). Positions in `found` are of the sources.
    /// @throws InputError  k < 1; exclude_self; the two trees have different spaces
    template <class Output>
    WalkCounts nearest_of(PointTree const& sources, NearestSearch const& search,
                          Output const& output) const {
        return found_nearest(sources, search, output);
    }

  private:
    /// Walks are the place's own way, all else is its home's.
    Home& home() const { return *place_; }

    PointTree(P& place, std::shared_ptr<PreparedPoints<T, Home> const> points)
        : place_(&place), points_(std::move(points)) {}

    std::vector<index_t> rows_of(std::vector<pos_t> const& positions) const {
        std::vector<pos_t> input(size());
        place_->download(input.data(), tree().input.data(), input.size());
        std::vector<index_t> rows;
        rows.reserve(positions.size());
        for (pos_t const position : positions) {
            if (position == no_pos) {
                rows.push_back(-1);
                continue;
            }
            pos_t point = position;
            if constexpr (requires { place_->point_at(position); }) point = place_->point_at(position);
            detail::check_position(point, size());
            rows.push_back(index_t(input[point]));
        }
        return rows;
    }

    /// True for traits of points as these are; for others compilation stops.
    template <class I>
    static consteval bool is_own() {
        constexpr bool is_for_these = I::dim == D && std::is_same_v<typename I::real, T>;
        static_assert(is_for_these,
                      "zwalk: the trait is for points of another dimension or precision than the tree");
        return is_for_these;
    }

    template <class I>
    Walked<I> met(I const& trait, PointTree const& sources, WalkInputs<I> inputs) const {
        Walked<I> result;
        if constexpr (check_interaction<I>() && is_own<I>()) {
            check_sources(sources, I::uses.symmetric || I::uses.links);
            detail::check_outputs(trait, points_.get(), size());
            ArrayOn<Home, pos_t> links;
            if constexpr (I::uses.total) inputs.total = &result.total;
            if constexpr (I::uses.links) {
                links = links_init(home(), size());
                inputs.links = links.data();
            }
            result.counts = detail::with_space<D>(points_->period, [&](auto const& space) {
                return detail::walk_on(*place_, trait, space, tree(), sources.tree(), inputs);
            });
            if constexpr (I::uses.links) result.labels = labels_of(links);
            place_->synchronize();
        }
        return result;
    }
    template <class Output>
    WalkCounts found_nearest(PointTree const& sources, NearestSearch const& search,
                             Output const& output) const {
        static_assert(std::is_trivially_copyable_v<Output>,
                      "zwalk: the output of nearest() must be trivially copyable: numbers and pointers");
        WalkCounts counts;
        if constexpr (std::is_trivially_copyable_v<Output>) {
            detail::check_nearest(search, sources.points_ != points_);
            check_sources(sources, false);
            counts = detail::with_space<D>(points_->period, [&](auto const& space) {
                return detail::nearest_on<D>(home(), space, tree(), sources.tree(), search, output);
            });
            place_->synchronize();
        }
        return counts;
    }
    template <ListOrder order, class L>
    Lists<T> found_lists(PointTree const& sources, L const& trait, ColumnsView<typename L::Payload> own,
                         ColumnsView<typename L::Payload> of_sources) const {
        if constexpr (is_own<L>() && check_list_trait<L>()) {
            check_sources(sources, false);
            WalkCounts done;
            return detail::with_space<D>(points_->period, [&](auto const& space) {
                using Task = detail::ListTask<L, std::remove_cvref_t<decltype(space)>, P>;
                return lists_on_host(detail::find_lists<order>(
                    Task{*place_, trait, space, tree(), sources.tree(), Order::input, own, of_sources},
                    done));
            });
        }
        return {};
    }
    Lists<T> lists_on_host(Lists<T, Home>&& found) const {
        if constexpr (!is_device<Home>) {
            return std::move(found);
        } else {
            auto const bring = [this](auto const& from, auto to) {
                to = decltype(to)(from.size());
                place_->download(to.data(), from.data(), from.size());
                return to;
            };
            return {bring(found.offsets, Buffer<size_type>()), bring(found.rows, Buffer<index_t>()),
                    bring(found.distances, Buffer<T>())};
        }
    }
    void check_sources(PointTree const& sources, bool meets_one_alone) const {
        if constexpr (has_life) detail::check_life(life_.expired());
        bool const is_other = sources.points_ != points_;
        if (is_other) detail::check_two_trees(meets_one_alone, points_->period, sources.points_->period);
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
    std::shared_ptr<detail::MetTrees> met_ = std::make_shared<detail::MetTrees>();
};

template <int D, class T, class P>
PointTree<D, T, P>::PointTree(P& place, Points<T> points, PointTreeOptions const& options)
    : place_(&place) {
    detail::check_most_columns(points.dim, D);
    auto brought = detail::Preparation<T, Home>::bring(home(), points, "points", !options.box.empty());
    detail::check_plain_range(brought.largest, "points");
    auto const extent = brought.extent;
    Stats built;
    points_ = std::make_shared<PreparedPoints<T, Home> const>(
        detail::prepare(home(), std::move(brought), options.box, extent, {}, D, options.tree, built));
}

template <int D, class T, class P>
template <class Kept>
PointTree<D, T, P>::PointTree(P& place, Index<T, Kept> const& index) : place_(&place) {
    PreparedPoints<T, Kept> const& kept = index.points();
    detail::check_columns_of_index(kept.dim, kept.tree.columns, D);
    detail::check_plain_range(kept.largest, "points of the index");
    if constexpr (std::is_same_v<Kept, Home>) {
        if constexpr (is_device<P>) detail::check_place_of_index(&home() == &index.place());
        points_ = {std::shared_ptr<void>(), &kept};
    } else {
        points_ = std::make_shared<PreparedPoints<T, Home> const>(PreparedPoints<T, Home>{
            detail::Preparation<T, Home>::from_host(home(), kept.tree, kept.tree.columns), kept.dim,
            kept.period, kept.extent, kept.options, kept.unit, kept.largest});
    }
}

template <int D, class T, class P>
PointTree<D, T, P> PointTree<D, T, P>::targets(Points<T> points) const {
    detail::check_columns_of_targets(points.dim, points_->dim);
    auto brought =
        detail::Preparation<T, Home>::bring(home(), points, "points", !points_->period.empty());
    detail::check_fit(*points_, brought.extent, brought.largest, "targets");
    PreparedPoints<T, Home> prepared{build_targets(home(), brought.points, tree(), points_->options),
                                     points.dim,
                                     points_->period,
                                     std::move(brought.extent),
                                     points_->options,
                                     {},
                                     brought.largest};
    return {*place_, std::make_shared<PreparedPoints<T, Home> const>(std::move(prepared))};
}

}  // namespace zwalk::inline v0

// Behind the tree that it makes.
#include "zwalk/run/detail/make_tree.hpp"
