// Radius search on any place, and on ranks: radii of targets, then lists of what is within.
#pragma once
#include <algorithm>
#include <utility>

#include "algorithm.hpp"
#include "zwalk/core/within.hpp"
#include "zwalk/run/lists_of.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class Points>
class RadiusSearch {
    using T = typename Points::real;

  public:
    /// @param queries  null: the points are their own
    RadiusSearch(Points& points, Points* queries, RadiusAsked const& o)
        : points_(points), targets_(queries ? *queries : points), with_queries_(queries), o_(o) {}

    ResultOf<RadiusAlgorithm, Points> run() {
        look_at_radii();
        double const radius = points_.length(o_.radius);
        // A count leaves the point itself out at the end: on ranks nodes that came without points can't be told from its own.
        bool const excludes = o_.exclude_self && o_.work != RadiusWork::count;
        ListsOf<Points> lists(targets_, points_, radius, o_.order);
        if (each_) {
            T const most2 = o_.larger ? largest_of_all() : T(0);
            find(lists, [&]<int D>() {
                WithinRadii<D, T> within;
                within.most2 = most2;
                within.larger = o_.larger;
                within.exclude_self = excludes;
                return within;
            });
        } else {
            find(lists, [&]<int D>() { return WithinRadius<D, T>(T(radius), excludes, o_.once); });
        }
        lists.finish(r_);
        r_.stats.counts.emplace_back("found", r_.found);
        return std::move(r_);
    }

  private:
    /// Finds out whether targets have radii of their own, on any rank.
    void look_at_radii() {
        // Where there is a radius for all, others are refused already. A rank without rows has none either way.
        each_ = o_.radius == 0 && targets_.total(o_.radii.size()) > 0;
        bool const each = each_;
        if (each || o_.larger)
            targets_.check_rows([&](std::uint64_t first_row) {
                check_radii<T>(o_, targets_.rows_here(), with_queries_, each, first_row);
            });
    }
    /// The square of the largest radius: all steps to it keep the order of lengths.
    [[nodiscard]] T largest_of_all() {
        double const own = o_.radii.empty() ? 0 : *std::max_element(o_.radii.begin(), o_.radii.end());
        return largest_square(T(points_.length(targets_.largest(own))));
    }
    template <class Make>
    void find(ListsOf<Points>& lists, Make const& make) {
        auto const radii = [&](std::size_t) { return own_radii<T>(o_.radii, points_.unit()); };
        if (o_.work == RadiusWork::count) {
            auto found = lists.count(radii, make, o_.exclude_self ? 1 : 0);
            r_.counts = std::move(found.counts);
            r_.found = found.found;
        } else if (o_.work == RadiusWork::search) {
            auto found = lists.find(radii, make, o_.distances);
            r_.found = found.rows.size();
            r_.offsets = std::move(found.offsets);
            r_.indices = std::move(found.rows);
            r_.distances = std::move(found.distances);
        } else {
            auto visitor = o_.visitor.template get<T>();
            visitor.unit = points_.unit().unit();
            visitor.in_order = o_.in_order && !o_.once;
            lists.visit(radii, make, visitor);
        }
    }

    Points& points_;
    Points& targets_;
    bool const with_queries_;
    RadiusAsked const& o_;
    bool each_ = false;  // targets have radii of their own
    ResultOf<RadiusAlgorithm, Points> r_;
};

template <class Points>
ResultOf<RadiusAlgorithm, Points> RadiusAlgorithm::run(Points& points, Points* queries,
                                                       RadiusAsked const& asked) {
    return RadiusSearch<Points>(points, queries, asked).run();
}

}}}  // namespace zwalk::v0::detail
