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
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/core/box_lengths.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/lists/lists.hpp"
#include "zwalk/nearest/search.hpp"
#include "zwalk/run/detail/check_payload.hpp"
#include "zwalk/run/detail/point_set.hpp"
#include "zwalk/run/point_array.hpp"
#include "zwalk/walk/check.hpp"

namespace zwalk { inline namespace v0 {

struct PointTreeOptions {
    BoxLengths box{};  ///< the periods. Empty: open. One for all axes, or one each; 0 = open axis
    TreeOptions tree{};
};

/// Points that are ready to be walked over, in the memory of a place: they were checked, sorted and grouped, and hold
/// their space. Copies share one tree. The place must stay as long as the tree and all that it has made.
///
/// On MPI ranks (run/mpi.hpp) all of them call every member, but size() and the like, in the same order; "the input" are the rows of all
/// ranks, rank 0's first, and arrays with an element for each row or point have those of this rank. Walks give what one process with
/// all points gets, bit for bit where that doesn't depend on how nodes are cut. Errors are thrown on all ranks.
///
/// Before a walk, a rank imports the sources that may matter to its targets from other ranks (ranks/import.hpp). So positions of
/// sources, which a trait may keep as names, are those of one walk: call rows_at() before the next over the same sources.
///
/// Memory of a rank: its points (2 D sizeof(T) + 16 bytes each, a tenth more for nodes); during a walk once more, with the points
/// that it imports.
template <int D, class T, class P>
class PointTree : public detail::Binds<PointTree<D, T, P>> {
    using Set = detail::PointSet<D, T, P>;
    template <class A>
    using Payload = PointPayload<A, P>;

  public:
    /// For make_tree().
    PointTree(Set points) : set_(std::move(points)) {}  // NOLINT: they are the tree

    /// How many points there are here. A rank has a contiguous range of the z-order of all.
    [[nodiscard]] pos_t size() const { return set_.size(); }
    [[nodiscard]] P& place() const { return set_.place(); }
    /// Planes, and points in z-order. Not on ranks.
    [[nodiscard]] auto const& tree() const requires requires(Set const& set) { set.tree(); }
    { return set_.tree(); }
    /// On ranks: which rows of the input, and positions in the z-order of all points, they have.
    [[nodiscard]] auto const& ranks() const requires requires(Set const& set) { set.ranks(); }
    { return set_.ranks(); }

    /// The tree of other points that are to walk against this one, as targets: with its space and its options. O(n log n)
    /// for n points. On ranks each passes its own rows; they are spread evenly, whichever rank has the sources near them.
    /// @throws InputError  as make_tree(); another number of columns; points that don't fit into the box together with
    ///                     those that are there
    [[nodiscard]] PointTree targets(Points<T> points) const { return set_.targets(points); }

    /// The payload of the points, for traits that have such a one: `rows` is a vector (or span) of structs, one for each
    /// point, in the order of the input.
    /// @throws InputError  another number of rows
    template <class Rows>
    [[nodiscard]] auto payload(Rows const& rows) const {
        std::span const all(rows);
        using A = std::remove_const_t<typename decltype(all)::element_type>;
        if constexpr (detail::check_payload_rows<A>()) {
            static_assert(std::is_trivially_copyable_v<A>, "zwalk: a payload is a struct of numbers");
            set_.agree([&] { detail::check_rows(all.size(), set_.rows(), "payload"); });
            return set_.payload(std::span<A const>(all));
        }
    }

    /// One V for each point, for a trait to write to: element i belongs to the point at z-order position i (on ranks: number i of
    /// those that this rank has). Begins uninitialised, or as `value`.
    template <class V>
    [[nodiscard]] PointArray<V, T, P> array() const {
        return set_.template array<V>();
    }
    template <class V>
    [[nodiscard]] PointArray<V, T, P> array(V const& value) const {
        return set_.array(value);
    }
    /// A copy of a table that traits read, whichever point they look at, in the memory of the place; `rows` are a vector (or
    /// span) of plain values. It has data() and size(). All ranks pass the same rows.
    /// @throws InputError  a rank has other rows than rank 0
    template <class Rows>
    [[nodiscard]] auto shared(Rows const& rows) const {
        using V = std::remove_cvref_t<decltype(*std::data(rows))>;
        static_assert(std::is_trivially_copyable_v<V>, "zwalk: a table holds plain values");
        return set_.shared(std::span<V const>(rows));
    }
    /// op(op(start, x), y) ... over all elements of an array, in z-order, on the host. `start` is what op adds nothing by, as 0
    /// for a sum: it comes in once, or once for each of some parts, as of ranks. An op whose order matters, as a sum of floats, has
    /// other last bits for other ranks. Waits. O(n), by one thread.
    template <class V, class Op>
    [[nodiscard]] V reduce(PointArray<V, T, P> const& array, std::type_identity_t<V> start,
                           Op const& op) const {
        return set_.reduce(array, start, op);
    }

    /// `at` holds z-order positions of points of this tree, no_pos for none; the result is their rows in the input, -1 for none,
    /// in the order of the input of at's own tree. In a walk of targets against sources the tree of the sources has the rows. On
    /// ranks positions are those of the last walk over these points. Waits.
    /// @throws InputError  positions that this tree doesn't have; `at` is of this tree, which was walked against others only
    [[nodiscard]] std::vector<index_t> rows_at(PointArray<pos_t, T, P> const& at) const {
        return set_.rows_of(at, [](pos_t position, auto const& row_of) { return row_of(position); });
    }
    /// Rows of the positions in a field of the elements of `at`, as rows_at(at) gives them.
    template <class V>
    [[nodiscard]] std::vector<index_t> rows_at(PointArray<V, T, P> const& at, pos_t V::*field) const {
        return set_.rows_of(
            at, [&](V const& element, auto const& row_of) { return row_of(element.*field); });
    }
    /// Rows of K positions for each point, as rows_at(at) gives them of one.
    template <int K>
    [[nodiscard]] std::vector<std::array<index_t, K>> rows_at(
        PointArray<Vec<K, pos_t>, T, P> const& at) const {
        return set_.rows_of(at, [](Vec<K, pos_t> const& positions, auto const& row_of) {
            std::array<index_t, K> rows;
            for (int k = 0; k < K; ++k) rows[std::size_t(k)] = row_of(positions[k]);
            return rows;
        });
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
            return met(trait, *this, nullptr, nullptr);
        } else return {};
    }
    template <class I>
    Walked<I> walk(I const& trait, PointPayload<typename I::Payload, P> const& payload) const {
        check_owner(payload);
        return met(trait, *this, &payload, &payload);
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
            return met(trait, sources, nullptr, nullptr);
        } else return {};
    }
    template <class I>
    Walked<I> walk_against(PointTree const& sources, I const& trait,
                           PointPayload<typename I::Payload, P> const& own,
                           PointPayload<typename I::Payload, P> const& of_sources) const {
        check_owners(sources, own, of_sources);
        return met(trait, sources, &own, &of_sources);
    }
    /// Walks against sources where only these carry something: the payload of the targets is zeros.
    template <class I>
    Walked<I> walk_against(PointTree const& sources, I const& trait,
                           PointPayload<typename I::Payload, P> const& of_sources) const {
        using A = typename I::Payload;
        auto const zeros = set_.agree([&] { return std::vector<A>(set_.rows()); });
        return walk_against(sources, trait, payload(zeros), of_sources);
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
            return found_lists<order>(*this, trait, nullptr, nullptr);
        return {};
    }
    template <ListOrder order = ListOrder::row, class L>
    [[nodiscard]] Lists<T> lists(L const& trait,
                                 PointPayload<typename L::Payload, P> const& payload) const {
        check_owner(payload);
        return found_lists<order>(*this, trait, &payload, &payload);
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
            return found_lists<order>(sources, trait, nullptr, nullptr);
        return {};
    }
    template <ListOrder order = ListOrder::row, class L>
    [[nodiscard]] Lists<T> lists_against(PointTree const& sources, L const& trait,
                                         PointPayload<typename L::Payload, P> const& own,
                                         PointPayload<typename L::Payload, P> const& of_sources) const {
        check_owners(sources, own, of_sources);
        return found_lists<order>(sources, trait, &own, &of_sources);
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
    template <class A>
    void check_owner(Payload<A> const& payload) const {
        set_.agree([&] { detail::check_owner(payload.is_of(set_.id()), "payload"); });
    }
    template <class A>
    void check_owners(PointTree const& sources, Payload<A> const& own,
                      Payload<A> const& of_sources) const {
        set_.agree([&] {
            detail::check_owner(own.is_of(set_.id()), "first payload (of the targets)");
            detail::check_owner(of_sources.is_of(sources.set_.id()), "second payload (of the sources)");
        });
    }
    /// True for traits of points as these are; for others compilation stops.
    template <class I>
    static consteval bool is_own() {
        constexpr bool is_for_these = I::dim == D && std::is_same_v<typename I::real, T>;
        static_assert(is_for_these,
                      "zwalk: the trait is for points of another dimension or precision than the tree");
        return is_for_these;
    }
    /// @param own, of_sources  null: points have no payload
    template <class I>
    Walked<I> met(I const& trait, PointTree const& sources, Payload<typename I::Payload> const* own,
                  Payload<typename I::Payload> const* of_sources) const {
        if constexpr (check_interaction<I>() && is_own<I>())
            return set_.met(trait, sources.set_, own, of_sources);
        else return {};
    }
    template <class Output>
    WalkCounts found_nearest(PointTree const& sources, NearestSearch const& search,
                             Output const& output) const {
        static_assert(std::is_trivially_copyable_v<Output>,
                      "zwalk: the output of nearest() must be trivially copyable: numbers and pointers");
        if constexpr (std::is_trivially_copyable_v<Output>)
            return set_.nearest(sources.set_, search, output);
        else return {};
    }
    template <ListOrder order, class L>
    Lists<T> found_lists(PointTree const& sources, L const& trait,
                         Payload<typename L::Payload> const* own,
                         Payload<typename L::Payload> const* of_sources) const {
        if constexpr (is_own<L>() && check_list_trait<L>())
            return set_.template lists<order>(trait, sources.set_, own, of_sources);
        else return {};
    }

    Set set_;
};

}}  // namespace zwalk::v0

// Behind the tree that it makes.
#include "zwalk/run/detail/make_tree.hpp"
