// DBSCAN on any place, and on ranks: which points are core points; their groups, as friends-of-friends have them; border points to the
// nearest of them.
#pragma once
#include <algorithm>
#include <string>
#include <utility>

#include "algorithm.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/within.hpp"
#include "zwalk/dbscan/trait.hpp"
#include "zwalk/fof/trait.hpp"
#include "zwalk/knn/neighbours_of.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class Points>
class Dbscan {
    using T = typename Points::real;
    template <class V>
    using Array = typename Points::template Array<V>;

  public:
    Dbscan(Points& points, DbscanOptions const& o)
        : points_(points), o_(o), epsilon_(points.length(o.epsilon)) {}

    ResultOf<DbscanAlgorithm, Points> run() {
        r_.core = find_core();
        auto const core_at = points_.where(r_.core, 1);
        r_.core_points = points_.total(core_at.size());
        r_.noise = points_.size() - r_.core_points;
        points_.end_phase("core");
        points_.here([&] {
            r_.labels = points_.place().template buffer<index_t>(points_.size_here());
            points_.place().for_each(r_.labels.size(), Fill<index_t>{r_.labels.data(), -1});
        });
        if (r_.core_points > 0) find_clusters(core_at);
        points_.in_order(r_.labels, o_.order);
        points_.in_order(r_.core, o_.order);
        points_.finish(r_, o_.order);
        r_.stats.counts.insert(
            r_.stats.counts.end(),
            {{"clusters", r_.clusters}, {"core_points", r_.core_points}, {"noise", r_.noise}});
        return std::move(r_);
    }

  private:
    Array<std::uint8_t> find_core() {
        auto const enough = std::uint64_t(o_.min_samples);
        if (enough <= points_.size() && enough > max_points)
            throw InputError("min_samples must be at most " + std::to_string(max_points) + ", but is " +
                             std::to_string(enough));
        if (enough <= points_.size()) return have_enough(points_, points_, pos_t(enough));
        return points_.here([&] {
            auto none = points_.place().template buffer<std::uint8_t>(points_.size_here());
            points_.place().zero(none.data(), none.size());
            return none;
        });
    }
    /// Flags of targets: 1 for those that have `enough` of the sources within epsilon.
    Array<std::uint8_t> have_enough(Points& targets, Points& sources, pos_t enough) {
        auto const all = pos_t(std::min<std::uint64_t>(sources.size(), no_pos));
        return targets.template each_target<std::uint8_t>(
            sources, epsilon_, [&]<int D>(std::uint8_t* flags) {
                EnoughNeighbours<D, T> trait;
                trait.radius2 = largest_square(T(epsilon_));
                trait.enough = enough;
                trait.sources = all;
                trait.core = flags;
                return trait;
            });
    }

    void find_clusters(Array<pos_t> const& core_at) {
        auto core = points_.some(core_at);
        auto const groups = core.linked(epsilon_, [&]<int D>() { return Fof<D, T>(T(epsilon_)); });
        points_.end_phase("clusters");

        auto const border_at = find_borders(core);
        auto const borders = points_.total(border_at.size());
        r_.noise -= borders;
        Array<index_t> nearest;  // core points
        if (borders > 0) nearest = nearest_point(points_, border_at, core);
        points_.end_phase("borders");

        // A cluster's label is the least row of its points, border points included.
        auto least = points_.rows_at(core_at);
        auto const joined = core.lower(least, nearest, points_.rows_at(border_at));
        auto const found = core.label(groups, least);
        r_.clusters = found.groups;
        auto const of_borders = joined.read(found.labels);
        points_.here([&] {
            auto const write = [&](Array<index_t> const& labels, Array<pos_t> const& at) {
                points_.place().for_each(at.size(),
                                         Scatter<index_t>{labels.data(), at.data(), r_.labels.data()});
            };
            write(found.labels, core_at);
            write(of_borders, border_at);
        });
        points_.end_phase("labels");
    }
    /// Positions of the points that are no core points, but have one within epsilon. By whole nodes, so that most noise needs no
    /// search for its nearest core point.
    Array<pos_t> find_borders(Points& core) {
        if (r_.noise == 0) return {};
        auto const other_at = points_.where(r_.core, 0);
        auto others = points_.targets(other_at, core);
        auto const border = points_.where(have_enough(others, core, 1), 1);
        return points_.here([&] {
            auto at = points_.place().template buffer<pos_t>(border.size());
            points_.place().for_each(border.size(),
                                     Gather<pos_t>{other_at.data(), border.data(), at.data()});
            return at;
        });
    }

    Points& points_;
    DbscanOptions const& o_;
    double const epsilon_;  // in the unit of the points
    ResultOf<DbscanAlgorithm, Points> r_;
};

template <class Points>
ResultOf<DbscanAlgorithm, Points> DbscanAlgorithm::run(Points& points, DbscanOptions const& options) {
    return Dbscan<Points>(points, options).run();
}

}}}  // namespace zwalk::v0::detail
