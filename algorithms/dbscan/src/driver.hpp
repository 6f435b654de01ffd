// DBSCAN on any place: which points are core points; their groups, as friends-of-friends; border points to the nearest of
// them, by a search for neighbours. The last two are the drivers of those algorithms, compiled with them.
#pragma once
#include "algorithm.hpp"
#include "subset.hpp"
#include "zwalk/core/within.hpp"
#include "zwalk/dbscan/trait.hpp"
#include "zwalk/fof/algorithm.hpp"
#include "zwalk/knn/algorithm.hpp"
#include "zwalk/run/instance.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/targets.hpp"
#include "zwalk/walk/groups.hpp"
#include "zwalk/walk/lists.hpp"

namespace zwalk::inline v0::detail {

/// other[i] = not flag[i].
struct Negate {
    std::uint8_t const* flag;
    std::uint8_t* other;
    ZWALK_HD void operator()(std::size_t i) const { other[i] = !flag[i]; }
};
/// Core point i, which is at position at[i], belongs to the group of core point label[i].
struct TakeGroups {
    index_t const* label;
    pos_t const* at;
    pos_t* root;
    ZWALK_HD void operator()(std::size_t i) const { root[at[i]] = at[label[i]]; }
};
/// Border point i, at position at[i], has core point nearest[i] as its nearest: it joins that one's group.
struct JoinNearest {
    index_t const* nearest;
    pos_t const *core_at, *at;
    pos_t* root;
    ZWALK_HD void operator()(std::size_t i) const { root[at[i]] = root[core_at[nearest[i]]]; }
};
/// Label -1 for those of the points at positions `at` that aren't border points.
struct LabelNoise {
    std::uint8_t const* is_border;
    pos_t const *at, *row;
    bool in_z_order;
    index_t* label;
    ZWALK_HD void operator()(std::size_t i) const {
        if (!is_border[i]) label[in_z_order ? at[i] : row[at[i]]] = -1;
    }
};

/// The positions i with flag[i] == 1.
template <class P>
ArrayOn<P, pos_t> flagged(P& place, ArrayOn<P, std::uint8_t> const& flag) {
    auto at = place.template buffer<pos_t>(place.count(flag.data(), flag.size()));
    place.positions(flag.data(), flag.size(), at.data());
    return at;
}

/// The trait that looks for `enough` sources within epsilon.
template <int D, class T>
EnoughNeighbours<D, T> enough_neighbours(DbscanOptions const& o, pos_t enough, pos_t sources,
                                         std::uint8_t* flags) {
    EnoughNeighbours<D, T> trait;
    trait.radius2 = largest_square(T(o.epsilon));
    trait.enough = enough;
    trait.sources = sources;
    trait.core = flags;
    return trait;
}

/// Flags of targets: 1 for those that have `enough` >= 1 sources within epsilon, else 0.
template <int D, class T, class P>
ArrayOn<P, std::uint8_t> have_enough(P& place, Tree<T, P> const& targets,
                                     PreparedPoints<T, P> const& sources, DbscanOptions const& o,
                                     index_t enough, WalkCounts& done) {
    auto flags = place.template buffer<std::uint8_t>(targets.size());
    pos_t const n = sources.tree.size();
    if (enough > index_t(n)) {
        place.zero(flags.data(), flags.size());
        return flags;
    }
    auto const trait = enough_neighbours<D, T>(o, pos_t(enough), n, flags.data());
    done.add(with_space<D>(sources.period, [&](auto const& space) {
        return walk(place, trait, space, targets, sources.tree);
    }));
    return flags;
}

/// Flags of a rank's targets: 1 for those that have `part.enough` sources within epsilon, else 0.
template <int D, class T, class P>
ArrayOn<P, std::uint8_t> have_enough(P& place, PreparedPoints<T, P> const& sources,
                                     DbscanOptions const& o, EnoughPart<T, P> const& part,
                                     WalkCounts& done) {
    auto flags = place.template buffer<std::uint8_t>(part.size);
    auto const trait = enough_neighbours<D, T>(o, part.enough, part.sources, flags.data());
    WalkInputs<EnoughNeighbours<D, T>> inputs;
    inputs.targets = part.some;
    inputs.known = part.known;
    done.add(with_space<D>(sources.period, [&](auto const& space) {
        return walk(place, trait, space, part.targets ? *part.targets : sources.tree, sources.tree,
                    inputs);
    }));
    return flags;
}

/// Groups of points that are no further than epsilon apart.
template <int D, class T, class P>
FofResult<P> group(P& place, PreparedPoints<T, P> const& points, DbscanOptions const& o, Order order) {
    RunPoints<T, P> kept(points);
    return Instance<FofAlgorithm, D, T, P>::run(place, kept,
                                                {.linking_length = o.epsilon, .order = order});
}

/// Flags of the points at positions `at`: 1 for those that have a core point within epsilon, else 0. By whole nodes, so that most
/// noise needs no search for its nearest core point.
template <int D, class T, class P>
ArrayOn<P, std::uint8_t> near_core(P& place, PreparedPoints<T, P> const& points,
                                   PreparedPoints<T, P> const& core, ArrayOn<P, pos_t> const& at,
                                   DbscanOptions const& o, WalkCounts& done) {
    auto const rows = rows_of(place, points, at);
    PointsOn<T, P> const some(rows.data(), at.size(), points.dim);
    auto const targets = [&] {
        if constexpr (is_device<P>) return build_targets(place, some, core.tree, core.options);
        else return build_targets(place, some, core.tree, core.options, nullptr, true);
    }();
    return have_enough<D>(place, targets, core, o, 1, done);
}

/// For each point at one of the positions `at`: which core point is nearest, in the order of these.
template <int D, class T, class P>
ArrayOn<P, index_t> find_nearest(P& place, PreparedPoints<T, P> const& points,
                                 PreparedPoints<T, P> const& core, ArrayOn<P, pos_t> const& at) {
    auto const rows = rows_of(place, points, at);
    Queries<T, P> asked;
    asked.points = PointsOn<T, P>(rows.data(), at.size(), points.dim);
    KnnSearch<T, P> search;
    search.options.k = 1;
    search.queries = &asked;
    if constexpr (!is_device<P>) {
        search.way = index_way(at.size(), core.tree.size(), D);
        // They are in z-order.
        asked.order = place.template buffer<pos_t>(at.size());
        place.for_each(at.size(), Iota{asked.order.data()});
    }
    RunPoints<T, P> kept(core);
    return std::move(Instance<KnnAlgorithm, D, T, P>::run(place, kept, search).indices);
}

/// Labels where some points are core points, those with `is_core`, and others aren't.
template <int D, class T, class P>
void label_some(P& place, PreparedPoints<T, P> const& points, ArrayOn<P, std::uint8_t> const& is_core,
                DbscanOptions const& o, RunPhases<P>& phases, WalkCounts& done, DbscanResult<P>& r) {
    pos_t const n = points.tree.size();
    auto const core_at = flagged(place, is_core);
    auto const core = prepare_some(place, points, core_at);
    auto root = place.template buffer<pos_t>(n);  // noise stays by itself
    place.for_each(n, Iota{root.data()});
    {
        auto const groups = group<D>(place, core, o, Order::input);
        place.for_each(core_at.size(), TakeGroups{groups.labels.data(), core_at.data(), root.data()});
        r.clusters = groups.groups;
    }
    phases.end(r.stats, "clusters");

    auto is_other = place.template buffer<std::uint8_t>(n);
    place.for_each(n, Negate{is_core.data(), is_other.data()});
    auto const other_at = flagged(place, is_other);
    auto const is_border = near_core<D>(place, points, core, other_at, o, done);
    auto const border = flagged(place, is_border);
    r.noise = other_at.size() - border.size();
    if (!border.empty()) {
        auto border_at = place.template buffer<pos_t>(border.size());
        place.for_each(border.size(), Gather<pos_t>{other_at.data(), border.data(), border_at.data()});
        auto const nearest = find_nearest<D>(place, points, core, border_at);
        place.for_each(border.size(),
                       JoinNearest{nearest.data(), core_at.data(), border_at.data(), root.data()});
    }
    phases.end(r.stats, "borders");

    r.labels = label_groups(place, root, points.tree.input, o.order).labels;
    place.for_each(other_at.size(),
                   LabelNoise{is_border.data(), other_at.data(), points.tree.input.data(),
                              o.order == Order::z, r.labels.data()});
    phases.end(r.stats, "labels");
}

template <int D, class T, class P>
DbscanResult<P> DbscanAlgorithm::run(P& place, RunPoints<T, P>& points, Task<T, P> const& task) {
    DbscanResult<P> r;
    Tree<T, P> const& tree = points->tree;
    WalkCounts done;
    if (task.part) {
        r.core = have_enough<D>(place, *points, task.options, *task.part, done);
        add_counts(r.stats, place, tree, done);
        return r;
    }
    DbscanOptions const& o = task.options;
    pos_t const n = tree.size();
    RunPhases phases(place);
    auto core = have_enough<D>(place, tree, *points, o, o.min_samples, done);
    r.core_points = n ? place.count(core.data(), n) : 0;
    phases.end(r.stats, "core");

    if (r.core_points == 0) {
        r.labels = place.template buffer<index_t>(n);
        place.for_each(n, Fill<index_t>{r.labels.data(), -1});
        r.noise = n;
        phases.end(r.stats, "labels");
    } else if (r.core_points == n) {
        auto groups = group<D>(place, *points, o, o.order);
        r.labels = std::move(groups.labels);
        r.clusters = groups.groups;
        phases.end(r.stats, "clusters");
    } else {
        label_some<D>(place, *points, core, o, phases, done, r);
    }
    if (o.order == Order::input) {
        r.core = place.template buffer<std::uint8_t>(n);
        place.for_each(n, Scatter<std::uint8_t>{core.data(), tree.input.data(), r.core.data()});
    } else {
        r.core = std::move(core);
    }
    add_counts(r.stats, place, tree, done);
    r.stats.counts.insert(
        r.stats.counts.end(),
        {{"clusters", r.clusters}, {"core_points", r.core_points}, {"noise", r.noise}});
    r.z_order = points.take_order(place);
    return r;
}

}  // namespace zwalk::inline v0::detail
