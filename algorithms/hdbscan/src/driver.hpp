// Which point of a model each query joins, on any place: among its nearest ones, and for the few that need it by a walk.
#pragma once
#include <algorithm>
#include <any>
#include <cmath>
#include <span>
#include <utility>

#include "algorithm.hpp"
#include "zwalk/core/clock.hpp"
#include "zwalk/core/unit_square.hpp"
#include "zwalk/hdbscan/trait.hpp"
#include "zwalk/knn/neighbours_of.hpp"
#include "zwalk/run/call.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Among the nearest points of a query, which are those within its core distance, the first one whose own core distance is no larger has
/// the least mutual reachability distance: the core distance of the query. Where there is none, the best of them is a bound.
template <class T>
struct JoinNearest {
    T const* core;          ///< of the points, by row
    double const* weights;  ///< likewise; null: 1 each
    double enough;          ///< weight within the core distance
    std::size_t points;     ///< how many these are
    index_t* neighbour;
    T* distance;
    Joined* joined;
    pos_t const* rows = nullptr;  ///< of the queries, if these are some of more

    template <class Found>
    ZWALK_HD void operator()(index_t asked, Found const& near) const {
        if (near.size() == 0) return;  // there are no points
        index_t const query = rows ? index_t(rows[asked]) : asked;
        int const last = weights ? last_within(near) : near.size() - 1;
        if (last < 0) {
            joined[query] = Joined::more;
            return;
        }
        T const own = near.distance(last);
        T least = infinity<T>;
        index_t best = -1;
        for (int i = 0; i < near.size() && least > own; ++i) {
            index_t const row = near.index(i);
            // With weights more may be shown than those within the core distance.
            T const reach = max_of(max_of(own, near.distance(i)), core[row]);
            if (reach < least) least = reach, best = row;
        }
        neighbour[query] = best;
        distance[query] = least;
        joined[query] = least > own ? Joined::open : near.distance(0) == 0 ? Joined::copy : Joined::yes;
    }
    /// The first neighbour with which there is enough weight; where all points were looked at, and haven't, the last one; else -1.
    template <class Found>
    ZWALK_HD int last_within(Found const& near) const {
        double sum = 0;
        for (int i = 0; i < near.size(); ++i)
            if ((sum += weights[near.index(i)]) >= enough) return i;
        return std::size_t(near.size()) == points ? near.size() - 1 : -1;
    }
};

/// flag[i] = whether query i has joined in this way.
struct FlagJoined {
    Joined const* joined;
    Joined is;
    std::uint8_t* flag;
    ZWALK_HD void operator()(std::size_t i) const { flag[i] = joined[i] == is; }
};

/// Rows of `dim` columns, of the points at[0], at[1], ...
template <class T>
struct TakeRows {
    DevicePoints<T> points;  ///< in the memory of the place
    pos_t const* at;
    T* rows;
    ZWALK_HD void operator()(std::size_t i) const {
        for (int j = 0; j < points.dim; ++j)
            rows[i * std::size_t(points.dim) + std::size_t(j)] = points[at[i]][j];
    }
};
template <class T>
DevicePoints<T> strided(DevicePoints<T> points) {
    return points;
}
template <class T>
DevicePoints<T> strided(Points<T> points) {
    return {points.data, points.size, points.dim};
}

/// A call, whose arrays are on a place P.
template <class T, class P>
class JoinQueries {
    using Points = CallPoints<T, P>;
    using Asked = Queries<T, P>;

  public:
    JoinQueries(Points& sources, Asked& queries, JoinAsked const& o)
        : place_(sources.place()),
          sources_(sources),
          queries_(queries),
          points_(*std::any_cast<JoinedPoints<T> const*>(o.points)),
          k_(o.k),
          neighbour_(place_.template buffer<index_t>(queries.points.size)),
          distance_(place_.template buffer<T>(queries.points.size)),
          joined_(place_.template buffer<Joined>(queries.points.size)) {}

    JoinFound<T> run() {
        JoinFound<T> r;
        std::size_t const n = queries_.points.size;
        // Where there are no points, nothing else is written.
        place_.for_each(n, Fill<index_t>{neighbour_.data(), -1});
        place_.for_each(n, Fill<T>{distance_.data(), infinity<T>});
        place_.for_each(n, Fill<Joined>{joined_.data(), Joined::yes});
        r.stats = look_at(queries_, k_, nullptr);
        double const start = now_seconds();
        Array<pos_t> open;
        if (points_.in_tree) {
            if (points_.weights) look_at_more();
            open = those(Joined::open);
        }
        download(place_, r.neighbours, std::move(neighbour_));
        download(place_, r.distances, std::move(distance_));
        download(place_, r.joined, std::move(joined_));
        if (open.size() > 0) look_at_all(open, r);
        r.stats.seconds.emplace_back("join", now_seconds() - start);
        r.stats.counts.emplace_back("open", open.size());
        return r;
    }

  private:
    template <class V>
    using Array = ArrayOn<P, V>;

    /// Joins queries to the best of their k nearest points.
    /// @param rows  which of all queries these are; null: all
    Stats look_at(Asked& queries, index_t k, pos_t const* rows) {
        JoinNearest<T> const join{.core = points_.core,
                                  .weights = points_.weights,
                                  .enough = points_.enough,
                                  .points = sources_.size_here(),
                                  .neighbour = neighbour_.data(),
                                  .distance = distance_.data(),
                                  .joined = joined_.data(),
                                  .rows = rows};
        NeighboursOf<Points> found(sources_, &queries, {.k = k}, Order::input, true);
        if constexpr (is_device<P>)
            found.show(
                [&](P& device, NeighbourChunk<T> const& chunk) { visit_rows(device, chunk, join); });
        else found.show(make_visitor<T>(join));
        JoinFound<T> r;
        found.finish(r);
        return std::move(r.stats);
    }
    /// Looks at more and more neighbours of those queries that haven't had enough weight.
    void look_at_more() {
        for (index_t k = k_;;) {
            auto const some = those(Joined::more);
            if (some.size() == 0) return;
            k = std::min(index_t(sources_.size_here()), 2 * k);
            auto const rows = rows_of_queries(some);
            Asked asked{{{}, PointsOn<T, P>(rows.data(), some.size(), sources_.dim())}};
            sort_if_queries(place_, asked);
            look_at(asked, k, some.data());
        }
    }
    /// For open queries, whose neighbours are bounds so far, the best of all points: a walk over nodes.
    void look_at_all(Array<pos_t> const& open, JoinFound<T>& r) {
        if constexpr (is_device<P>) {
            walk(place_, open, r);
        } else {
            Cpu own = place_.apart();  // the calling thread may be one of many that ask the same index
            own.run([&] { walk(own, open, r); });
        }
    }
    void walk(P& place, Array<pos_t> const& open, JoinFound<T>& r) {
        PreparedPoints<T, P> const& points = sources_.prepared();
        std::size_t const n = open.size();
        Buffer<pos_t> query(n);
        place.download(query.data(), open.data(), n);
        auto const rows = rows_of_queries(open);
        auto const targets = build_targets(place, PointsOn<T, P>(rows.data(), n, points.dim),
                                           points.tree, points.options);
        Buffer<pos_t> input(n);
        place.download(input.data(), targets.input.data(), n);
        Buffer<T> bounds(n);
        auto const square = [&](std::size_t i) {
            bounds[i] = smallest_square(points.unit, r.distances[query[input[i]]]);
        };
        auto const each_here = [&](auto const& f) {
            if constexpr (is_device<P>) Cpu().for_each(n, f);
            else place.for_each(n, f);
        };
        each_here(square);
        auto const bound = copy_to(place, std::span<T const>(bounds));
        auto nearest = place.template buffer<pos_t>(n);
        auto row = place.template buffer<index_t>(n);
        auto distance = place.template buffer<T>(n);
        sources_.template with_columns<void>([&]<int D>() {
            using Trait = NearestReachable<D, T>;
            Trait trait;
            trait.nearest = nearest.data();
            trait.distance2 = distance.data();
            WalkInputs<Trait> inputs;
            inputs.target_payload = {{{bound.data()}}};
            inputs.source_payload = {{{points_.core_square}}};
            CompiledWalk<Trait, P>::run(place, trait, points.period, targets, points.tree, inputs);
        });
        place.for_each(n, NameNearest<T, pos_t>{nearest.data(), points.tree.input.data(), row.data(),
                                                distance.data(), points.unit.unit()});
        Buffer<index_t> found(n);
        Buffer<T> away(n);
        place.download(found.data(), row.data(), n);
        place.download(away.data(), distance.data(), n);
        each_here([&](std::size_t i) {
            if (found[i] < 0) return;
            r.neighbours[query[input[i]]] = found[i];
            r.distances[query[input[i]]] = std::max(points_.core_here[found[i]], away[i]);
        });
    }

    Array<pos_t> those(Joined is) {
        std::size_t const n = joined_.size();
        auto flags = place_.template buffer<std::uint8_t>(n);
        place_.for_each(n, FlagJoined{joined_.data(), is, flags.data()});
        auto at = place_.template buffer<pos_t>(n ? place_.count(flags.data(), n) : 0);
        if (at.size() > 0) place_.positions(flags.data(), n, at.data());
        return at;
    }
    Array<T> rows_of_queries(Array<pos_t> const& at) {
        auto rows = place_.template buffer<T>(at.size() * std::size_t(queries_.points.dim));
        place_.for_each(at.size(), TakeRows<T>{strided(queries_.points), at.data(), rows.data()});
        return rows;
    }

    P& place_;
    Points& sources_;
    Asked& queries_;
    JoinedPoints<T> const& points_;
    index_t k_;
    Array<index_t> neighbour_;
    Array<T> distance_;
    Array<Joined> joined_;
};

template <class Points, class Queries>
ResultOf<JoinAlgorithm, Points> JoinAlgorithm::run(Points& sources, Queries* queries,
                                                   JoinAsked const& o) {
    return JoinQueries<typename Points::real, typename Points::WalkPlace>(sources, *queries, o).run();
}

}}}  // namespace zwalk::v0::detail
