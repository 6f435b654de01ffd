// Lists as a service: which sources each target wants, counted and listed (CSR), on any place.
//
// Two walks: one counts (traits.hpp), and nodes whose points are all wanted are counted as a whole; then the size of
// everything is known, memory is taken once, and the other walk fills it. Order inside lists is by row, or by distance
// and row; so lists have the same bits for any number of threads, any tree options and any place.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "zwalk/core/outcome.hpp"
#include "zwalk/exec/device_list_sort.hpp"
#include "zwalk/exec/place.hpp"
#include "zwalk/lists/traits.hpp"
#include "zwalk/lists/writers.hpp"
#include "zwalk/tree/tree.hpp"
#include "zwalk/walk/inputs.hpp"
#include "zwalk/walk/lists.hpp"

namespace zwalk { inline namespace v0 {

/// Lists of sources, one after another, in the memory of a place P.
template <class T, class P = Cpu>
struct Lists {
    ArrayOn<P, size_type>
        offsets;  ///< list i has elements [offsets[i], offsets[i + 1]); one more than there are lists
    ArrayOn<P, index_t> rows;  ///< of the sources
    ArrayOn<P, T> distances;   ///< to them, Euclidean, of lists in order of distance; else empty

    [[nodiscard]] std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
    /// Rows of the sources in list i.
    [[nodiscard]] std::span<index_t const> operator[](std::size_t i) const requires(!is_device<P>) {
        return {rows.data() + offsets[i], offsets[i + 1] - offsets[i]};
    }
};

namespace detail {

/// Where the trees of lists hold a rank's part of all points, and those that it has imported: lists are in the order of z then.
template <class Summary>
struct ListedPart {
    TargetNodes targets{};  ///< of the targets' top nodes
    pos_t lists = no_pos;   ///< how many targets these have; of all of them as many as there are
    /// On CPU threads: the names of source positions. Null: by the order of lists.
    index_t const* source_names = nullptr;
    /// On devices: sources are called by what their tree has for rows of the input.
    bool numbered = false;
    KnownNodes<Summary> const* known = nullptr;  ///< WalkInputs::known, for counts
};

/// A list trait, and what it is walked over.
template <class L, class Space, class P>
struct ListTask {
    using T = typename L::real;
    using TreeOf = Tree<T, PlaceOf<P>>;

    P& place;
    L list;
    Space space;
    TreeOf const& targets;
    TreeOf const& sources;
    Order order = Order::input;  ///< of the lists, and what the rows in them are rows of
    ColumnsView<typename L::Payload> target_payload{}, source_payload{};
    ListedPart<typename L::Summary> part{};

    [[nodiscard]] pos_t size() const { return part.lists == no_pos ? targets.size() : part.lists; }
    [[nodiscard]] auto names() const {
        ListNames names;
        if (order == Order::input) names = {targets.input.data(), sources.input.data()};
        if (part.numbered) names.source_of = sources.input.data();
        if constexpr (is_device<PlaceOf<P>>) return names;
        else return CpuListNames{names, part.source_names};
    }
    /// Walks a trait made of the list trait.
    template <class I>
    WalkCounts walk_over(I const& trait) const {
        WalkInputs<I> inputs;
        inputs.target_payload = target_payload;
        inputs.source_payload = source_payload;
        inputs.targets = part.targets;
        if constexpr (accepts_nodes<I> && std::is_same_v<typename I::Summary, typename L::Summary>)
            inputs.known = part.known;
        return walk(place, trait, space, targets, sources, inputs);
    }
};

/// Throws Error unless lists with so many entries of `entry_bytes` each, while they are made, fit into what the place has.
/// @param budget  of the place; 0: none
void check_list_memory(std::size_t lists, std::uint64_t entries, std::size_t entry_bytes,
                       std::uint64_t available, std::uint64_t budget);
/// Lists of fewer bytes are simply made: finding out the free memory takes longer.
inline constexpr std::uint64_t small_lists = 1 << 24;

/// How many sources each target wants, in the order of the task, and a 0 behind. Adds to `done`.
template <class L, class Space, class P>
ArrayOn<P, pos_t> count_lists(ListTask<L, Space, P> const& task, WalkCounts& done) {
    P& place = task.place;
    std::size_t const n = task.size();
    auto counts = place.template buffer<pos_t>(n + 1);
    place.zero(counts.data() + n, 1);
    done.add(task.walk_over(CountListed<L>(task.list, counts.data())));
    if (task.order == Order::z) return counts;
    auto in_order = place.template buffer<pos_t>(n + 1);
    place.for_each(n, Scatter<pos_t>{counts.data(), task.targets.input.data(), in_order.data()});
    place.zero(in_order.data() + n, 1);
    return in_order;
}

/// Bytes of an entry of lists while they are made.
template <class T, class P>
constexpr std::size_t list_entry_bytes(bool nearest, bool with_distances) {
    std::size_t const result = sizeof(index_t) + (nearest && with_distances ? sizeof(T) : 0);
    if (!is_device<P>) return result;
    std::size_t const slot = nearest && sizeof(T) == 8 ? 16 : 8;
    return std::max(2 * slot,
                    (slot == 8 ? 0 : slot) + result);  // sorting long lists takes as much again
}

/// Sorted slots of a device as lists.
template <bool nearest, class T, class P>
void sort_slots(P& place, ArrayOn<P, typename ListSlot<T, nearest>::type>& slots, Lists<T, P>& lists,
                bool with_distances) {
    using Slot = typename ListSlot<T, nearest>::type;
    std::size_t const n = slots.size();
    sort_dense_lists<SlotsInOrder<Slot>>(place, slots.data(), n, lists.offsets.data(),
                                         pos_t(lists.size()));
    if constexpr (!nearest) {
        lists.rows = std::move(slots);
    } else {
        if (with_distances) lists.distances = place.template buffer<T>(n);
        T* const distances = with_distances ? lists.distances.data() : nullptr;
        if constexpr (std::is_same_v<Slot, index_t>) {
            place.for_each(n, UnpackSlots<T>{slots.data(), slots.data(), distances});
            lists.rows = std::move(slots);
        } else {
            lists.rows = place.template buffer<index_t>(n);
            place.for_each(n, UnpackSlots<T>{slots.data(), lists.rows.data(), distances});
        }
    }
}

/// The lists. Adds to `done`.
/// @throws Error  not enough memory
template <ListOrder order, class L, class Space, class P>
auto find_lists(ListTask<L, Space, P> const& task, WalkCounts& done, bool with_distances = true) {
    using T = typename L::real;
    using Home = PlaceOf<P>;
    P& place = task.place;
    std::size_t const n = task.size();
    Lists<T, Home> lists;
    lists.offsets = place.template buffer<size_type>(n + 1);
    place.exclusive_scan(count_lists(task, done).data(), lists.offsets.data(), n + 1);
    size_type entries = 0;
    place.download(&entries, lists.offsets.data() + n, 1);
    constexpr bool on_device = is_device<Home>, nearest = order == ListOrder::nearest;
    std::size_t const bytes = list_entry_bytes<T, Home>(nearest, with_distances);
    if (entries * bytes > small_lists || on_device || place.memory_budget() > 0)
        check_list_memory(n, entries, bytes, place.available(), place.memory_budget());
    if constexpr (on_device) {
        using Writer = SlottedLists<T, nearest>;
        auto slots = place.template buffer<typename Writer::Slot::type>(entries);
        Writer const writer{task.names(), lists.offsets.data(), slots.data()};
        done.add(task.walk_over(FillListed<L, Writer>(task.list, writer)));
        sort_slots<nearest, T>(place, slots, lists, with_distances);
    } else {
        using Writer = CollectedLists<T, nearest>;
        lists.rows = place.template buffer<index_t>(entries);
        if (nearest && with_distances) lists.distances = place.template buffer<T>(entries);
        Writer const writer{
            task.names(), {lists.offsets.data(), lists.rows.data(), lists.distances.data()}, {}};
        done.add(task.walk_over(FillListed<L, Writer>(task.list, writer)));
    }
    return lists;
}

/// Shows each list to a visitor, nearest first, in no order of the lists. On CPU threads, by several at once.
template <class L, class Space>
WalkCounts visit_lists(ListTask<L, Space, Cpu> const& task,
                       ListVisitor<typename L::real> const& visitor) {
    using Writer = CollectedLists<typename L::real, true>;
    return task.walk_over(FillListed<L, Writer>(task.list, Writer{task.names(), {}, visitor}));
}

}  // namespace detail
}}  // namespace zwalk::v0
