// The front door for traits where points are spread over MPI ranks: the same lines as in point_tree.hpp. Include
// run/mpi.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/nearest/meet.hpp"
#include "zwalk/nearest/no_output.hpp"
#include "zwalk/ranks/agree_on.hpp"
#include "zwalk/ranks/labels.hpp"
#include "zwalk/run/detail/trait_pointers.hpp"
#include "zwalk/run/point_tree.hpp"
#include "zwalk/run/rank_arrays.hpp"
#include "zwalk/run/rank_lists.hpp"
#include "zwalk/walk/walk.hpp"

namespace zwalk::inline v0 {

/// Points that are spread over ranks. All ranks call every member, but size() and the like, in the same order; "the input"
/// are the rows of all ranks, rank 0's first, and arrays with an element for each row or point have those of this rank. Walks
/// give what one process with all points gets, bit for bit where that doesn't depend on how nodes are cut.
///
/// Before a walk, a rank imports the sources that may matter to its targets from other ranks (ranks/import.hpp). So positions of
/// sources, which a trait may keep as names, are those of one walk: call rows_at() before the next over the same sources.
///
/// Memory of a rank: its points (2 D sizeof(T) + 16 bytes each, a tenth more for nodes); during a walk once more, with the points
/// that it imports.
template <int D, class T>
class PointTree<D, T, MpiRanks> : public detail::Binds<PointTree<D, T, MpiRanks>> {
    using Shared = detail::SharedRankPoints<T>;

  public:
    /// See make_tree().
    PointTree(MpiRanks& place, Points<T> local, PointTreeOptions const& options);
    PointTree(MpiRanks& place, RankIndex<T> const& index);

    /// How many of the points this rank has: a contiguous range of the z-order of all.
    [[nodiscard]] pos_t size() const { return points().size_here(); }
    [[nodiscard]] MpiRanks& place() const { return *place_; }
    /// Which rows of the input, and positions in the z-order of all points, ranks have.
    [[nodiscard]] Ranks const& ranks() const { return points().ranks(); }

    /// The tree of other points, of which each rank passes its own rows, that are to walk against this one, as targets. They
    /// are spread evenly over the ranks, whichever has the sources near them.
    /// @throws InputError  as PointTree<D, T, Cpu>::targets()
    [[nodiscard]] PointTree targets(Points<T> local) const {
        return {*place_, detail::share_rank_points<T>(comm(), std::as_const(points()), local)};
    }

    /// The payload of the points, for traits that have such a one: a struct for each row that this rank has passed.
    /// @throws InputError  another number of rows on some rank
    template <class Rows>
    [[nodiscard]] auto payload(Rows const& rows) const {
        std::span const all(rows);
        using A = std::remove_const_t<typename decltype(all)::element_type>;
        if constexpr (detail::check_payload_rows<A>()) {
            static_assert(std::is_trivially_copyable_v<A>, "zwalk: a payload is a struct of numbers");
            comm().agree([&] { detail::check_rows(all.size(), points().rows(), "payload"); });
            auto const sorted = points().rows_sorted(std::span<A const>(all));
            return comm().agree([&] {
                return PointPayload<A, MpiRanks>(Columns<A>(std::span<A const>(sorted)), points_);
            });
        }
    }

    /// One V for each point of this rank, for a trait to write to. Begins uninitialised, or as `value`.
    template <class V>
    [[nodiscard]] PointArray<V, T, MpiRanks> array() const {
        return {*place_, points_};
    }
    template <class V>
    [[nodiscard]] PointArray<V, T, MpiRanks> array(V const& value) const {
        PointArray<V, T, MpiRanks> all(*place_, points_);
        std::fill_n(all.data(), all.size(), value);
        return all;
    }
    /// A copy of a table that traits read, whichever point they look at. All ranks pass the same rows.
    /// @throws InputError  on all ranks: a rank has other rows than rank 0
    template <class Rows>
    [[nodiscard]] auto shared(Rows const& rows) const {
        using V = std::remove_cvref_t<decltype(*std::data(rows))>;
        std::span<V const> const all(rows);
        agree_on(comm(),
                 {{"the rows of a shared table", all.size()},
                  {"the values of a shared table, by their hash", detail::RowsHash(all).value()}});
        return comm().agree([&] {
            Buffer<V> copy(all.size());
            std::copy(all.begin(), all.end(), copy.begin());
            return copy;
        });
    }
    /// op(op(start, x), y) ... over all elements of an array, of all ranks. `start` is what op adds nothing by, as 0 for a sum:
    /// it comes in once for each rank. An op whose order matters, as a sum of floats, has other last bits for other ranks.
    template <class V, class Op>
    [[nodiscard]] V reduce(PointArray<V, T, MpiRanks> const& array, std::type_identity_t<V> start,
                           Op const& op) const {
        V const own = comm().attempt([&] {
            V sum = start;
            for (std::size_t i = 0; i < array.size(); ++i) sum = op(sum, array.data()[i]);
            return sum;
        });
        return comm().reduce_all(own, op);
    }

    /// `at` holds positions of sources as traits saw them in the last walk over these points, no_pos for none; the result is
    /// their rows in the input, -1 for none, for the rows that this rank has passed of at's own tree.
    /// @throws InputError  positions that the walk didn't have, on some rank
    [[nodiscard]] std::vector<index_t> rows_at(PointArray<pos_t, T, MpiRanks> const& at) const {
        return at.map_to_input_order([this](pos_t position) { return row_of(position); });
    }
    /// Rows of the positions in a field of the elements of `at`, as rows_at(at) gives them.
    template <class V>
    [[nodiscard]] std::vector<index_t> rows_at(PointArray<V, T, MpiRanks> const& at,
                                               pos_t V::*field) const {
        return at.map_to_input_order([&](V const& element) { return row_of(element.*field); });
    }

    /// Rows of K positions for each point, as rows_at(at) gives them of one.
    template <int K>
    [[nodiscard]] std::vector<std::array<index_t, K>> rows_at(
        PointArray<Vec<K, pos_t>, T, MpiRanks> const& at) const {
        return at.map_to_input_order([this](Vec<K, pos_t> const& positions) {
            std::array<index_t, K> rows;
            for (int k = 0; k < K; ++k) rows[std::size_t(k)] = row_of(positions[k]);
            return rows;
        });
    }

    /// For each of the rows that this rank has passed: which of all points a list trait wants for it; see
    /// PointTree<D, T, Cpu>. Rows in lists are those of the input of all ranks.
    /// @throws Error  on all ranks: some rank has less memory than it needs
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
                                 PointPayload<typename L::Payload, MpiRanks> const& payload) const {
        comm().agree([&] { detail::check_owner(payload.is_of(points_.get()), "payload"); });
        return found_lists<order>(*this, trait, payload.view(), payload.view());
    }
    /// Lists as of lists(), for each of these points, as targets, and the points of another tree, as sources.
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
    [[nodiscard]] Lists<T> lists_against(
        PointTree const& sources, L const& trait, PointPayload<typename L::Payload, MpiRanks> const& own,
        PointPayload<typename L::Payload, MpiRanks> const& of_sources) const {
        comm().agree([&] {
            detail::check_owner(own.is_of(points_.get()), "first payload (of the targets)");
            detail::check_owner(of_sources.is_of(sources.points_.get()),
                                "second payload (of the sources)");
        });
        return found_lists<order>(sources, trait, own.view(), of_sources.view());
    }

    /// Walks a trait over all pairs of these points. A total is that of all ranks; a combine() that throws when these are
    /// put together ends the program.
    template <class I>
    Walked<I> walk(I const& trait) const {
        static_assert(std::is_empty_v<typename I::Payload>,
                      "zwalk: points of this trait have a payload: walk(trait, tree.payload(rows))");
        return met(trait, *this, {}, {});
    }
    template <class I>
    Walked<I> walk(I const& trait, PointPayload<typename I::Payload, MpiRanks> const& payload) const {
        comm().agree([&] { detail::check_owner(payload.is_of(points_.get()), "payload"); });
        return met(trait, *this, payload.view(), payload.view());
    }
    /// Walks a trait over all pairs of these points, as targets, and those of another tree, as sources.
    /// @throws InputError  the two trees have different spaces
    template <class I>
    Walked<I> walk_against(PointTree const& sources, I const& trait) const {
        static_assert(std::is_empty_v<typename I::Payload>,
                      "zwalk: points of this trait have a payload: "
                      "walk_against(sources, trait, targets.payload(rows), sources.payload(rows))");
        return met(trait, sources, {}, {});
    }
    template <class I>
    Walked<I> walk_against(PointTree const& sources, I const& trait,
                           PointPayload<typename I::Payload, MpiRanks> const& own,
                           PointPayload<typename I::Payload, MpiRanks> const& of_sources) const {
        comm().agree([&] {
            detail::check_owner(own.is_of(points_.get()), "first payload (of the targets)");
            detail::check_owner(of_sources.is_of(sources.points_.get()),
                                "second payload (of the sources)");
        });
        return met(trait, sources, own.view(), of_sources.view());
    }
    /// Walks against sources where only these carry something: the payload of the targets is zeros.
    template <class I>
    Walked<I> walk_against(PointTree const& sources, I const& trait,
                           PointPayload<typename I::Payload, MpiRanks> const& of_sources) const {
        using A = typename I::Payload;
        auto const zeros = comm().agree([&] { return std::vector<A>(points().rows()); });
        return walk_against(sources, trait, payload(zeros), of_sources);
    }

    /// Hands the k nearest of all points to `output`, for each of those that this rank has; see PointTree<D, T, Cpu>.
    /// point.index: its number among these.
    template <class Output>
    WalkCounts nearest(NearestSearch const& search, Output const& output) const {
        return found_nearest(*this, search, output);
    }
    /// The k nearest of the points of another tree, the sources, for each of these.
    template <class Output>
    WalkCounts nearest_of(PointTree const& sources, NearestSearch const& search,
                          Output const& output) const {
        return found_nearest(sources, search, output);
    }

  private:
    PointTree(MpiRanks& place, std::shared_ptr<Shared> points)
        : place_(&place), points_(std::move(points)) {}

    [[nodiscard]] Comm& comm() const { return place_->comm(); }
    [[nodiscard]] Cpu const& cpu() const { return place_->cpu(); }
    [[nodiscard]] detail::RankPoints<T>& points() const { return *points_->points; }
    [[nodiscard]] bool is_same(PointTree const& o) const { return o.points_ == points_; }
    [[nodiscard]] index_t row_of(pos_t position) const {
        if (position == no_pos) return -1;
        detail::check_position(position, pos_t(points_->row_of_source.size()));
        return points_->row_of_source[position];
    }
    void check_unit(char const* name) const {
        if (points().unit().is_plain()) return;  // as it is on all ranks
        comm().agree([&] { detail::check_plain_range(points().largest(), name); });
    }
    void check_sources(PointTree const& sources, bool meets_one_alone) const {
        if (!is_same(sources))
            detail::check_two_trees(meets_one_alone, points().period(), sources.points().period());
    }

    /// Imports the sources of all ranks that `trait` needs; f(space, tree of targets, these sources) is a walk.
    template <class I, class F>
    Imported<I> meet_sources(PointTree const& sources, I const& trait,
                             ColumnsView<typename I::Payload> const& own,
                             ColumnsView<typename I::Payload> const& of_sources, F const& f) const {
        auto all = points().import_from(sources.points(), trait, own, of_sources);
        comm().agree([&] {
            detail::with_space<D>(points().period(), [&](auto const& space) {
                f(space, is_same(sources) ? all.tree : points().own().tree, all);
            });
        });
        sources.points_->row_of_source = std::move(all.input_index);
        return all;
    }
    template <class I>
    Walked<I> met(I const& trait, PointTree const& sources, ColumnsView<typename I::Payload> const& own,
                  ColumnsView<typename I::Payload> const& of_sources) const;
    template <class Output>
    WalkCounts found_nearest(PointTree const& sources, NearestSearch const& search,
                             Output const& output) const;
    template <ListOrder order, class L>
    Lists<T> found_lists(PointTree const& sources, L const& trait,
                         ColumnsView<typename L::Payload> const& own,
                         ColumnsView<typename L::Payload> const& of_sources) const;

    MpiRanks* place_;
    std::shared_ptr<Shared> points_;
};

template <int D, class T>
PointTree<D, T, MpiRanks>::PointTree(MpiRanks& place, Points<T> local, PointTreeOptions const& options)
    : place_(&place) {
    comm().agree([&] { detail::check_most_columns(local.dim, D); });
    points_ = detail::share_rank_points<T>(comm(), comm(), cpu(), local, D, options.box, options.tree);
    check_unit("points");
}

template <int D, class T>
PointTree<D, T, MpiRanks>::PointTree(MpiRanks& place, RankIndex<T> const& index) : place_(&place) {
    RankTree<T> const& own = index.kept().own;
    comm().agree([&] {
        detail::check_place_of_index(own.points.ranks.count() == place.size());
        detail::check_columns_of_index(index.dim(), own.tree.columns, D);
    });
    points_ = detail::share_rank_points<T>(comm(), comm(), cpu(), detail::RankInput<T>(index), D,
                                           std::vector<double>(), TreeOptions());
    check_unit("points of the index");
}

template <int D, class T>
template <class I>
Walked<I> PointTree<D, T, MpiRanks>::met(I const& trait, PointTree const& sources,
                                         ColumnsView<typename I::Payload> const& own,
                                         ColumnsView<typename I::Payload> const& of_sources) const {
    constexpr bool is_for_these = I::dim == D && std::is_same_v<typename I::real, T>;
    static_assert(is_for_these,
                  "zwalk: the trait is for points of another dimension or precision than the tree");
    Walked<I> result;
    if constexpr (check_interaction<I>() && is_for_these) {
        comm().agree([&] {
            check_sources(sources, I::uses.symmetric || I::uses.links);
            detail::check_outputs(trait, points_.get(), size());
        });
        Buffer<pos_t> links;
        auto const walk_over = [&](auto const& space, auto const& targets, Imported<I>& all) {
            auto const columns = all.payload_columns();
            WalkInputs<I> inputs{is_same(sources) ? columns.view() : own, columns.view()};
            if (is_same(sources)) inputs.targets = all.targets;
            if constexpr (accepts_nodes<I>) inputs.known = &all.known;
            if constexpr (I::uses.total) inputs.total = &result.total;
            if constexpr (I::uses.links) {
                links = links_init(cpu(), all.tree.size());
                inputs.links = links.data();
            }
            result.counts = zwalk::walk(cpu(), trait, space, targets, all.tree, inputs);
            if constexpr (I::uses.links) links_settle(cpu(), links);
        };
        auto const all = meet_sources(sources, trait, own, of_sources, walk_over);
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
                trait.combine(a, b);
                return a;
            });
        }
    }
    return result;
}

template <int D, class T>
template <class Output>
WalkCounts PointTree<D, T, MpiRanks>::found_nearest(PointTree const& sources,
                                                    NearestSearch const& search,
                                                    Output const& output) const {
    static_assert(std::is_trivially_copyable_v<Output>,
                  "zwalk: the output of nearest() must be trivially copyable: numbers and pointers");
    WalkCounts counts;
    if constexpr (std::is_trivially_copyable_v<Output>) {
        comm().agree([&] {
            detail::check_nearest(search, !is_same(sources));
            check_sources(sources, false);
        });
        // A k is too large if it exceeds the points of all ranks, not those of this one.
        std::uint64_t const all_sources = sources.points().size();
        pos_t const k = attainable_k(std::size_t(search.k), pos_t(std::min(all_sources, max_points)));
        Nearest<D, T, NoOutput> need(k);
        need.exclude_self = search.exclude_self;
        need.limit2 = search.template limit2<T>();
        auto const walk_over = [&](auto const& space, auto const& targets, auto const& all) {
            Nearest<D, T, Output> trait(k, output);
            trait.exclude_self = need.exclude_self;
            trait.limit2 = need.limit2;
            auto const some = is_same(sources) ? all.targets : TargetNodes{};
            counts = cpu().run([&] {
                return detail::meet(cpu(), trait, space, space, targets, all.tree, D, some).counts;
            });
        };
        meet_sources(sources, need, {}, {}, walk_over);
    }
    return counts;
}

template <int D, class T>
template <ListOrder order, class L>
Lists<T> PointTree<D, T, MpiRanks>::found_lists(
    PointTree const& sources, L const& trait, ColumnsView<typename L::Payload> const& own,
    ColumnsView<typename L::Payload> const& of_sources) const {
    constexpr bool is_for_these = L::dim == D && std::is_same_v<typename L::real, T>;
    static_assert(is_for_these,
                  "zwalk: the trait is for points of another dimension or precision than the tree");
    Lists<T> here;
    if constexpr (is_for_these && check_list_trait<L>()) {
        comm().agree([&] { check_sources(sources, false); });
        auto const walk_over = [&](auto const& space, auto const& targets, auto& all) {
            auto const columns = all.payload_columns();
            bool const same = is_same(sources);
            Cpu place = cpu();
            using Task = detail::ListTask<L, std::remove_cvref_t<decltype(space)>, Cpu>;
            Task const task{place,
                            trait,
                            space,
                            targets,
                            all.tree,
                            Order::z,
                            same ? columns.view() : own,
                            columns.view(),
                            {same ? all.targets : TargetNodes{}, pos_t(size()), all.input_index.data()}};
            WalkCounts done;
            here = detail::find_lists<order>(task, done);
        };
        detail::NeedListed<L> const need(trait, {});
        meet_sources(sources, need, own, of_sources, walk_over);
        return detail::lists_home(comm(), cpu(), points().own().points.travel, points().rows(),
                                  std::move(here), order == ListOrder::nearest);
    }
    return here;
}

/// Points of at most D columns that are spread over ranks, of which each passes its own rows (any number, also none), ready
/// to be walked over. They are copied: the input may go. All ranks call it, with the same box.
///
/// O(N log N) in all; each point travels once (ranks/sort.hpp). Ranks have equally many afterwards, give or take little.
/// @throws InputError  as make_tree() of one process, on all ranks, with rows numbered through all ranks; ranks disagree on
///                     the box
template <int D, class T>
PointTree<D, T, MpiRanks> make_tree(MpiRanks& place, Points<T> const& local,
                                    PointTreeOptions const& options = {}) {
    return {place, local, options};
}
/// The points of an index on these ranks, which lends its trees; it must stay as long as this tree and what it has made.
/// @throws InputError  on all ranks: D as for make_tree() of an index of one process; another number of ranks
template <int D, class T>
PointTree<D, T, MpiRanks> make_tree(MpiRanks& place, RankIndex<T> const& index) {
    return {place, index};
}
template <int D, class T>
void make_tree(MpiRanks&, RankIndex<T> const&&) {
    static_assert(sizeof(T) == 0, "zwalk: the index must live as long as the tree: give it a name");
}
template <int D, class Rows>
requires requires(Rows const& r) { Points(r); }
auto make_tree(MpiRanks& place, Rows const& local, PointTreeOptions const& options = {}) {
    return make_tree<D>(place, Points(local), options);
}

}  // namespace zwalk::inline v0
