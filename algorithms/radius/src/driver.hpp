// Radius search on any place: queries into a tree, a walk that counts, and one that lists.
#pragma once
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "algorithm.hpp"
#include "zwalk/exec/columns_on.hpp"
#include "zwalk/lists/lists.hpp"
#include "zwalk/radius/trait.hpp"
#include "zwalk/run/instance.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/targets.hpp"

namespace zwalk::inline v0::detail {

/// to[i] = from[i], for Place::for_each.
struct WidenCounts {
    pos_t const* from;
    index_t* to;
    ZWALK_HD void operator()(std::size_t i) const { to[i] = from[i]; }
};

/// The list trait of a task, and what points carry for it.
template <int D, class T, class P, bool each>
struct AskedRadius {  // one for all: nothing
    WithinRadius<D, T> list;

    AskedRadius(P&, Tree<T, P> const&, RadiusTask<T, P> const& task)
        : list(T(task.options.radius), task.options.exclude_self) {}
    [[nodiscard]] ColumnsView<Empty> target_payload() const { return {}; }
    [[nodiscard]] ColumnsView<Empty> source_payload() const { return {}; }
};
template <int D, class T, class P>
struct AskedRadius<D, T, P, true> {
    WithinRadii<D, T> list;

    AskedRadius(P& place, Tree<T, P> const& targets, RadiusTask<T, P, true> const& task)
        : with_queries_(task.queries != nullptr) {
        list.larger = task.options.larger;
        list.exclude_self = task.options.exclude_self;
        bool const on_ranks = task.part.lists != no_pos;
        std::vector<OwnRadius<T>> made;
        if (!on_ranks) made = own_radii<T>(task.options.radii, task.unit);
        std::span<OwnRadius<T> const> const radii = on_ranks ? task.own_radii : made;
        if (list.larger) list.most2 = on_ranks ? task.most2 : largest_of(radii);
        bool const by_position = on_ranks && !with_queries_;
        radii_ = by_position ? Radii(place, radii) : Radii(place, radii, targets.input);
    }
    [[nodiscard]] ColumnsView<OwnRadius<T>> target_payload() const { return radii_.view(); }
    [[nodiscard]] ColumnsView<OwnRadius<T>> source_payload() const {
        return with_queries_ ? ColumnsView<OwnRadius<T>>{} : radii_.view();
    }

  private:
    using Radii = ColumnsOn<OwnRadius<T>, P>;

    bool with_queries_;
    Radii radii_;
};

/// What the walks of a task leave in its result. Adds to `done`.
template <class L, class Space, class P, bool each>
void take_lists(ListTask<L, Space, P> const& lists, RadiusTask<typename L::real, P, each> const& task,
                RadiusResult<typename L::real, P>& r, WalkCounts& done) {
    P& place = lists.place;
    std::size_t const n = lists.size();
    if (task.work == RadiusWork::count) {
        auto const counts = count_lists(lists, done);
        r.counts = place.template buffer<index_t>(n);
        place.for_each(n, WidenCounts{counts.data(), r.counts.data()});
        auto sums = place.template buffer<size_type>(n + 1);
        place.exclusive_scan(counts.data(), sums.data(), n + 1);
        place.download(&r.found, sums.data() + n, 1);
    } else if (task.work == RadiusWork::search) {
        auto found = find_lists<ListOrder::nearest>(lists, done, task.options.distances);
        r.found = found.rows.size();
        r.offsets = std::move(found.offsets);
        r.indices = std::move(found.rows);
        r.distances = std::move(found.distances);
    } else if constexpr (!is_device<P>) {
        done.add(visit_lists(lists, task.visitor));
    }
}

template <bool each>
template <int D, class T, class P>
RadiusResult<T, P> RadiusSearch<each>::run(P& place, RunPoints<T, P>& points,
                                           RadiusTask<T, P, each> const& task) {
    RadiusOptions const& o = task.options;
    Tree<T, P> const& sources = points->tree;
    RadiusResult<T, P> r;
    RunPhases phases(place);
    Tree<T, P> own;
    Tree<T, P> const* targets = &sources;
    if (task.queries) {
        own = build_targets(place, *task.queries, sources, points->options);
        targets = &own;
        phases.end(r.stats, "queries");
    }
    AskedRadius<D, T, P, each> const asked(place, *targets, task);
    if (each) phases.end(r.stats, "radii");
    WalkCounts done;
    with_space<D>(points->period, [&](auto const& space) {
        using Trait = std::remove_cvref_t<decltype(asked.list)>;
        using Task = ListTask<Trait, std::remove_cvref_t<decltype(space)>, P>;
        take_lists(Task{.place = place,
                        .list = asked.list,
                        .space = space,
                        .targets = *targets,
                        .sources = sources,
                        .order = o.order,
                        .target_payload = asked.target_payload(),
                        .source_payload = asked.source_payload(),
                        .part = task.part},
                   task, r, done);
    });
    phases.end(r.stats, "walk");
    add_counts(r.stats, place, sources, done);
    r.stats.counts.emplace_back("found", r.found);
    if (o.order == Order::input || task.work == RadiusWork::visit || task.part.lists != no_pos) return r;
    r.row_order = copy_on(place, targets->input.data(), targets->input.size());
    if (is_device<P> || !points.kept()) r.source_order = points.take_order(place);
    return r;
}

}  // namespace zwalk::inline v0::detail
