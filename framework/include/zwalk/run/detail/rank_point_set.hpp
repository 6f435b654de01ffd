// The points of a tree (point_tree.hpp) where they are spread over MPI ranks: what detail/point_set.hpp has on one place. Points are
// sorted and imported by threads; each rank walks on its own place.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/nearest/no_output.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/ranks/agree_on.hpp"
#include "zwalk/ranks/labels.hpp"
#include "zwalk/run/detail/point_set.hpp"
#include "zwalk/run/detail/rank_lists.hpp"
#include "zwalk/run/rank_arrays.hpp"
#include "zwalk/run/rank_index.hpp"
#include "zwalk/run/rank_place.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Throws InputError for a trait whose pointers can't be told apart from outside, while there are tables that it might read.
void check_table_reader(bool can_be_told);

/// Whether a member of a trait is a pointer, or has none in it.
template <class V>
inline constexpr bool is_told = std::is_arithmetic_v<V> || std::is_enum_v<V> || std::is_pointer_v<V>;
template <int K, class N>
inline constexpr bool is_told<Vec<K, N>> = is_told<N> && !std::is_pointer_v<N>;

/// A trait as the host sees it, which decides what is imported: pointers to shared tables of a device are to their copies here.
template <class I>
I with_copies_here(I trait, CopiesHere const& copies) {
    if (copies.empty()) return trait;
    bool any = false, all = true;
    each_member(trait, [&](auto const& member, int) {
        using Member = std::remove_cvref_t<decltype(member)>;
        any = true;
        all = all && is_told<Member>;
        if constexpr (std::is_pointer_v<Member> && !std::is_function_v<std::remove_pointer_t<Member>>)
            if (void const* const here = copies.of(member))  // `trait` itself is no constant
                const_cast<Member&>(member) = static_cast<Member>(const_cast<void*>(here));
    });
    check_table_reader((any && all) || std::is_empty_v<I>);
    return trait;
}

template <int D, class T, class P>
class PointSet<D, T, MpiRanksOn<P>> {
    using Place = MpiRanksOn<P>;
    using Home = PlaceOf<P>;
    using Shared = SharedRankPoints<T>;
    template <class A>
    using Payload = PointPayload<A, Place>;

  public:
    PointSet(Place& place, Points<T> local, BoxLengths const& box, TreeOptions const& tree)
        : place_(&place) {
        comm().agree([&] { check_most_columns(local.dim, D); });
        points_ = share_rank_points<T>(comm(), comm(), cpu(), local, D, box, tree);
        check_unit("points");
    }
    PointSet(Place& place, RankIndex<T> const& index) : place_(&place) {
        RankTree<T> const& own = index.kept().own;
        comm().agree([&] {
            check_place_of_index(own.points.ranks.count() == place.size());
            check_columns_of_index(index.dim(), own.tree.columns, D);
        });
        points_ = share_rank_points<T>(comm(), comm(), cpu(), RankInput<T>(index), D,
                                       std::vector<double>(), TreeOptions());
        check_unit("points of the index");
    }

    [[nodiscard]] pos_t size() const { return points().size_here(); }
    [[nodiscard]] std::size_t rows() const { return points().rows(); }
    [[nodiscard]] Place& place() const { return *place_; }
    [[nodiscard]] void const* id() const { return points_.get(); }
    [[nodiscard]] Ranks const& ranks() const { return points().ranks(); }
    template <class F>
    auto agree(F const& f) const {
        return comm().agree(f);
    }

    [[nodiscard]] PointSet targets(Points<T> local) const {
        return {*place_, share_rank_points<T>(comm(), std::as_const(points()), local)};
    }
    template <class A>
    [[nodiscard]] Payload<A> payload(std::span<A const> rows) const {
        auto sorted = points().rows_sorted(rows);
        return comm().agree([&] { return Payload<A>(std::move(sorted), points_); });
    }
    template <class V>
    [[nodiscard]] PointArray<V, T, Place> array() const {
        return {*place_, points_};
    }
    template <class V>
    [[nodiscard]] PointArray<V, T, Place> array(V const& value) const {
        PointArray<V, T, Place> all(*place_, points_);
        if constexpr (is_device<P>)
            comm().attempt([&] { walks().for_each(all.size(), Fill<V>{all.data(), value}); });
        else std::fill_n(all.data(), all.size(), value);
        return all;
    }
    template <class V>
    [[nodiscard]] auto shared(std::span<V const> rows) const {
        agree_on(comm(), {{"the rows of a shared table", rows.size()},
                          {"the values of a shared table, by their hash", RowsHash(rows).value()}});
        return comm().agree([&] {
            if constexpr (is_device<P>) return SharedTable<V>(*place_, rows);
            else return copy_to(walks(), rows);
        });
    }
    template <class V, class Op>
    [[nodiscard]] V reduce(PointArray<V, T, Place> const& array, V start, Op const& op) const {
        V const own = comm().attempt([&] {
            V sum = start;
            auto const add = [&](auto const& values) {
                for (V const& value : values) sum = op(sum, value);
            };
            if constexpr (is_device<P>) add(array.in_z_order());
            else add(std::span<V const>(array.data(), array.size()));
            return sum;
        });
        return comm().reduce_all(own, op);
    }
    template <class V, class F>
    [[nodiscard]] auto rows_of(PointArray<V, T, Place> const& at, F const& f) const {
        auto const row_of = [&](pos_t position) -> index_t {
            if (position == no_pos) return -1;
            check_position(position, pos_t(points_->row_of_source.size()));
            return points_->row_of_source[position];
        };
        return at.map_to_input_order([&](V const& element) { return f(element, row_of); });
    }

    template <class I>
    Walked<I> met(I const& trait, PointSet const& sources, Payload<typename I::Payload> const* own,
                  Payload<typename I::Payload> const* of_sources) const {
        Walked<I> result;
        auto const here = comm().agree([&] {
            check_sources(sources, I::uses.symmetric || I::uses.links);
            check_outputs(trait, points_.get(), size());
            return with_copies_here(trait, *place_->copies_here());
        });
        Buffer<pos_t> links;
        auto all = import_from(sources, here, own, of_sources);
        meet(sources, all, own, [&](auto const& there) {
            WalkInputs<I> inputs{there.target_payload, there.source_payload};
            inputs.targets = there.some;
            if constexpr (accepts_nodes<I>) inputs.known = &all.known;
            if constexpr (I::uses.total) inputs.total = &result.total;
            ArrayOn<Home, pos_t> linked;
            if constexpr (I::uses.links) {
                linked = links_init(home(), all.tree.size());
                inputs.links = linked.data();
            }
            result.counts = walk_on(walks(), trait, there.space, there.targets, there.sources, inputs);
            if constexpr (I::uses.links) {
                links_settle(home(), linked);
                download(home(), links, std::move(linked));
            }
        });
        if constexpr (I::uses.links) {
            auto const groups = join_groups(comm(), cpu(), std::move(links),
                                            {all.first, all.from, all.position}, points().ranks());
            auto const found =
                label_groups(comm(), cpu(), groups, points().own().points.input_index, points().ranks());
            result.labels = points().rows_home(std::span<index_t const>(found.labels));
        }
        if constexpr (I::uses.total) {
            static_assert(std::is_trivially_copyable_v<typename I::Total>,
                          "zwalk: the total of ranks must be trivially copyable: numbers");
            result.total = comm().reduce_all(result.total, [&](auto a, auto const& b) {
                here.combine(a, b);
                return a;
            });
        }
        return result;
    }
    template <class Output>
    WalkCounts nearest(PointSet const& sources, NearestSearch search, Output const& output) const {
        comm().agree([&] {
            check_nearest(search, !is_same(sources));
            check_sources(sources, false);
        });
        // A k is too large if it exceeds the points of all ranks, not those of this one.
        std::uint64_t const all_sources = sources.points().size();
        pos_t const k = attainable_k(std::size_t(search.k), pos_t(std::min(all_sources, max_points)));
        Nearest<D, T, NoOutput> need(k);
        need.exclude_self = search.exclude_self;
        need.limit2 = search.template limit2<T>();
        search.k = index_t(k);
        WalkCounts counts;
        auto all = import_from(sources, need, nullptr, nullptr);
        meet(sources, all, nullptr, [&](auto const& there) {
            search.targets = there.some;
            counts = nearest_on<D>(home(), there.space, there.targets, there.sources, search, output);
        });
        return counts;
    }
    template <ListOrder order, class L>
    Lists<T> lists(L const& trait, PointSet const& sources, Payload<typename L::Payload> const* own,
                   Payload<typename L::Payload> const* of_sources) const {
        auto const here = comm().agree([&] {
            check_sources(sources, false);
            return with_copies_here(trait, *place_->copies_here());
        });
        Lists<T> found;
        auto all = import_from(sources, NeedListed<L>(here, {}), own, of_sources);
        Buffer<index_t> const& names = sources.points_->row_of_source;
        Buffer<index_t> by_number;
        if constexpr (is_device<P>)
            by_number = comm().attempt([&] { return number_by_name(names, all.tree.input); });
        meet(sources, all, own, [&](auto const& there) {
            using Task = ListTask<L, std::remove_cvref_t<decltype(there.space)>, Home>;
            Task task{home(),
                      trait,
                      there.space,
                      there.targets,
                      there.sources,
                      Order::z,
                      there.target_payload,
                      there.source_payload,
                      {there.some, size(), names.data(), is_device<P>}};
            WalkCounts done;
            found = lists_here(home(), find_lists<order>(task, done));
            if constexpr (is_device<P>)
                for (index_t& row : found.rows) row = by_number[std::size_t(row)];
        });
        return lists_home(comm(), cpu(), points().own().points.travel, points().rows(), std::move(found),
                          order == ListOrder::nearest);
    }

  private:
    PointSet(Place& place, std::shared_ptr<Shared> points)
        : place_(&place), points_(std::move(points)) {}

    [[nodiscard]] Comm& comm() const { return place_->comm(); }
    [[nodiscard]] Cpu const& cpu() const { return place_->cpu(); }
    [[nodiscard]] P& walks() const { return place_->walks(); }
    [[nodiscard]] Home& home() const { return place_->walks(); }
    [[nodiscard]] RankPoints<T>& points() const { return *points_->points; }
    [[nodiscard]] bool is_same(PointSet const& o) const { return o.points_ == points_; }
    void check_unit(char const* name) const {
        if (points().unit().is_plain()) return;  // as it is on all ranks
        comm().agree([&] { check_plain_range(points().largest(), name); });
    }
    void check_sources(PointSet const& sources, bool meets_one_alone) const {
        if (!is_same(sources))
            check_two_trees(meets_one_alone, points().period(), sources.points().period());
    }

    /// Imports the sources of all ranks that `trait` needs. Their rows are those of positions from now on.
    template <class I>
    Imported<I> import_from(PointSet const& sources, I const& trait,
                            Payload<typename I::Payload> const* own,
                            Payload<typename I::Payload> const* of_sources) const {
        using View = ColumnsView<typename I::Payload>;
        auto all = points().import_from(sources.points(), trait, own ? own->view() : View{},
                                        of_sources ? of_sources->view() : View{});
        sources.points_->row_of_source = std::move(all.input_index);
        return all;
    }
    /// What is there for a walk.
    template <class Space, class A>
    struct There {
        Space const& space;
        Tree<T, Home> const &targets, &sources;
        ColumnsView<A> target_payload, source_payload;
        TargetNodes some;  ///< the targets among those in their tree
    };
    /// f(There) where this rank walks, with the sources that have been imported.
    template <class I, class F>
    void meet(PointSet const& sources, Imported<I>& all, Payload<typename I::Payload> const* own,
              F const& f) const {
        using A = typename I::Payload;
        comm().agree([&] {
            bool const same = is_same(sources);
            Tree<T, Home> sources_there, targets_there;
            auto const& from = *tree_on(home(), all.tree, D, sources_there);
            auto const& to = same ? from : *tree_on(home(), points().own().tree, D, targets_there);
            ColumnsOn<A, Home> of_sources, of_targets;
            if constexpr (!std::is_empty_v<A>)
                of_sources = ColumnsOn<A, Home>(home(), std::span<A const>(all.payload));
            ColumnsView<A> target_payload = of_sources.view();
            if constexpr (!std::is_empty_v<A>)
                if (!same && own) target_payload = payload_there(*own, of_targets);
            with_space<D>(points().period(), [&](auto const& space) {
                f(There<std::remove_cvref_t<decltype(space)>, A>{space, to, from, target_payload,
                                                                 of_sources.view(),
                                                                 same ? all.targets : TargetNodes{}});
            });
            home().synchronize();
        });
    }
    template <class A>
    ColumnsView<A> payload_there(Payload<A> const& own, ColumnsOn<A, Home>& there) const {
        if constexpr (is_device<P>) {
            there = ColumnsOn<A, Home>(home(), own.rows());
            return there.view();
        } else {
            return own.view();
        }
    }

    Place* place_;
    std::shared_ptr<Shared> points_;
};

}}}  // namespace zwalk::v0::detail
