// The k nearest neighbours of the points of a call, a verb for drivers beside those of CallPoints (run/call_points.hpp): in rows, shown
// to a visitor, or one value of each. On ranks: rank_neighbours_of.hpp.
//
//   NeighboursOf<Points> found(sources, queries, search, order, whole_call)
//                                  queries: a pointer to Points::Queries, null: the points are their own. Rows are in `order`, and
//                                  name sources by rows of the input or, with Order::z, by positions among all. Of `search` k,
//                                  exclude_self and within count, in the unit of the points. whole_call: this is all that is done,
//                                  so on ranks it is the phase "walk", and trees are given back
//   found.rows()              (c)  NeighbourRows
//   found.show(visitor)       (c)  shows the neighbours of each to a Visitor, a member type, and returns of how many
//   found.each<V>(use)        (c)  an array in `order` of what visitors write: use.operator()<P>(value, f) calls f(visitor) with one,
//                                  for the place P, that writes value[row]
//   found.finish(r)           (c)  the end of a call: r gets what it reports, and with Order::z the rows of targets and sources
//
// (c): collective, on ranks.
#pragma once
#include <cstddef>
#include <utility>

#include "zwalk/knn/search.hpp"
#include "zwalk/run/call_points.hpp"
#include "zwalk/run/prepared_points.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Rows of k neighbours, nearest first, with distances in the unit of the input.
template <class T, class P>
struct NeighbourRows {
    std::size_t rows = 0;
    ArrayOn<P, index_t> indices;
    ArrayOn<P, T> distances;
};

template <class Points>
class NeighboursOf;

template <class T, class P>
class NeighboursOf<CallPoints<T, P>> {
    using Points = CallPoints<T, P>;

  public:
    using Visitor = VisitorOn<T, P>;

    NeighboursOf(Points& sources, Queries<T, P>* queries, NearestSearch const& search, Order order,
                 bool = false)
        : sources_(sources) {
        asked_.search = search;
        asked_.order = order;
        asked_.queries = queries;
        if constexpr (!is_device<P>)
            if (queries) asked_.way = way_of(*queries);
    }

    NeighbourRows<T, P> rows() {
        find();
        auto const& unit = sources_.unit();
        if (!unit.is_plain())
            Preparation<T, P>::multiply(sources_.place(), found_.distances.data(),
                                        found_.distances.size(), unit.unit());
        return {found_.rows, std::move(found_.indices), std::move(found_.distances)};
    }
    std::size_t show(Visitor const& visitor) {
        asked_.visitor = in_unit<T, P>(visitor, sources_.unit());
        find();
        return found_.rows;
    }
    template <class V, class Use>
    ArrayOn<P, V> each(Use const& use) {
        auto values = sources_.place().template buffer<V>(asked_.queries ? asked_.queries->points.size
                                                                         : sources_.size_here());
        use.template operator()<P>(values.data(), [&](Visitor const& visitor) { show(visitor); });
        return values;
    }
    /// What an index keeps on CPUs has its order already, and a visit hands over no rows.
    template <class R>
    void finish(R& r) {
        if constexpr (requires { r.source_order; }) {
            RunPoints<T, P>& all = *sources_.of_call();
            r.row_order = std::move(found_.row_order);
            if (asked_.order == Order::z && !asked_.visitor && (is_device<P> || !all.kept()))
                r.source_order = all.take_order(sources_.place());
        }
        r.stats = std::move(found_.stats);
    }

  private:
    /// How queries are answered. A tree of points that came with the call has been made for a walk.
    IndexWay way_of(Queries<T, P> const& queries) const {
        if (queries.here) return IndexWay::here;
        if (RunPoints<T, P> const* const all = sources_.of_call(); all && !all->kept())
            return IndexWay::walk;
        auto const way = sources_.template with_columns<IndexWay>(
            [&]<int D>() { return index_way(queries.points.size, sources_.size_here(), D); });
        return way == IndexWay::here && !queries.in_order ? IndexWay::descents : way;
    }
    void find() {
        auto const find_in = [&](RunPoints<T, P>& sources) {
            found_ = sources_.template with_columns<NearestFound<T, P>>([&]<int D>() {
                return Instance<NearestSearching, D, T, P>::run(sources_.place(), sources, asked_);
            });
        };
        if (RunPoints<T, P>* const all = sources_.of_call()) return find_in(*all);
        RunPoints<T, P> some(sources_.prepared());
        find_in(some);
    }

    Points& sources_;
    NearestAsked<T, P> asked_;
    NearestFound<T, P> found_;
};

/// Which one of `sources` is nearest to each of the points at positions `at`, ascending; of equally near ones the first in z-order.
/// Numbers are positions in `sources`, of which there is one at least; on ranks those among the points of all ranks. Collective.
template <class Points>
typename Points::template Array<index_t> nearest_point(Points& points,
                                                       typename Points::template Array<pos_t> const& at,
                                                       Points& sources) {
    auto queries = points.queries(at, sources);
    return NeighboursOf<Points>(sources, &queries, {.k = 1}, Order::z).rows().indices;
}

}}}  // namespace zwalk::v0::detail
