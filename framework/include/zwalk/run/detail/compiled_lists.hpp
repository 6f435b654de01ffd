// Lists (lists/lists.hpp) of shipped list traits, each compiled once for its dimension, type and place, as walks are
// (compiled_walk.hpp).
#pragma once
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "zwalk/exec/columns_on.hpp"
#include "zwalk/lists/lists.hpp"
#include "zwalk/tree/box.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// A list trait, and what it is walked over on a place P.
template <class L, class P>
struct ListsAsked {
    using T = typename L::real;
    using Payload = typename L::Payload;

    L list;
    std::vector<T> const& period;  ///< none: open
    Tree<T, P> const& targets;
    Tree<T, P> const& sources;
    Order order;  ///< of the lists
    ColumnsView<Payload> target_payload{}, source_payload{};
    /// In place of these, on the host, by position: what targets carry, and sources, too, if they are the targets.
    std::span<Payload const> carried{};
    ListedPart<typename L::Summary> part{};
};

/// What lists.hpp does, for L on a place P. Defined by ZWALK_LISTS in files that zwalk_add_walk(... LISTS) generates. They add to
/// `done`.
template <class L, class P>
struct CompiledLists {
    using T = typename L::real;
    using Asked = ListsAsked<L, P>;

    static ArrayOn<P, pos_t> count(P& place, Asked const& asked, WalkCounts& done);
    /// Nearest first.
    static Lists<T, P> find(P& place, Asked const& asked, bool distances, WalkCounts& done);
    /// Not on devices.
    static void visit(P& place, Asked const& asked, ListVisitor<T> const& visitor, WalkCounts& done);
};

/// f(task) for these lists.
template <class L, class P, class F>
auto with_list_task(P& place, ListsAsked<L, P> const& asked, F const& f) {
    ColumnsOn<typename L::Payload, P> columns;
    auto targets = asked.target_payload, sources = asked.source_payload;
    if constexpr (!std::is_empty_v<typename L::Payload>)
        if (!asked.carried.empty()) {
            columns = {place, asked.carried};
            targets = columns.view();
            if (&asked.targets == &asked.sources) sources = targets;
        }
    return with_space<L::dim>(asked.period, [&](auto const& space) {
        using Task = ListTask<L, std::remove_cvref_t<decltype(space)>, P>;
        return f(Task{place, asked.list, space, asked.targets, asked.sources, asked.order, targets,
                      sources, asked.part});
    });
}

template <class L, class P>
void visit_asked([[maybe_unused]] P& place, [[maybe_unused]] ListsAsked<L, P> const& asked,
                 [[maybe_unused]] ListVisitor<typename L::real> const& visitor,
                 [[maybe_unused]] WalkCounts& done) {
    if constexpr (!is_device<P>)
        with_list_task(place, asked, [&](auto const& task) { done.add(visit_lists(task, visitor)); });
}

/// Compiles the lists of Trait<D, T>. Include the place first, as for ZWALK_INSTANCE.
#define ZWALK_LISTS(Trait, D, T, P)                                                                     \
    template <>                                                                                         \
    ArrayOn<P, pos_t> CompiledLists<Trait<D, T>, P>::count(                                             \
        P& place, ListsAsked<Trait<D, T>, P> const& asked, WalkCounts& done) {                          \
        return with_list_task(place, asked, [&](auto const& task) { return count_lists(task, done); }); \
    }                                                                                                   \
    template <>                                                                                         \
    Lists<T, P> CompiledLists<Trait<D, T>, P>::find(P& place, ListsAsked<Trait<D, T>, P> const& asked,  \
                                                    bool distances, WalkCounts& done) {                 \
        return with_list_task(place, asked, [&](auto const& task) {                                     \
            return find_lists<ListOrder::nearest>(task, done, distances);                               \
        });                                                                                             \
    }                                                                                                   \
    template <>                                                                                         \
    void CompiledLists<Trait<D, T>, P>::visit(P& place, ListsAsked<Trait<D, T>, P> const& asked,        \
                                              ListVisitor<T> const& visitor, WalkCounts& done) {        \
        visit_asked(place, asked, visitor, done);                                                       \
    }

}}}  // namespace zwalk::v0::detail
