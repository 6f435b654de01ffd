// Radius search as run/algorithm.hpp wants an algorithm; the driver is in driver.hpp.
#pragma once
#include "zwalk/lists/lists.hpp"
#include "zwalk/radius/radius_cuda.hpp"
#include "zwalk/run/algorithm.hpp"
#include "zwalk/run/queries.hpp"

namespace zwalk::inline v0::detail {

/// What a search is asked. Of the options radius, exclude_self, distances and order are looked at.
template <class T, class P>
struct RadiusTask {
    RadiusOptions options;
    PointsOn<T, P> const* queries = nullptr;  ///< null: the points are their own queries
    RadiusWork work = RadiusWork::search;
    ListVisitor<T> visitor{};  ///< of a visit, on CPU threads
    ListedPart<Empty> part{};  ///< on ranks, whose order is that of z
};

/// @throws InputError  no radius, or exclude_self with queries
template <class T>
void check_radius_options(RadiusOptions const& options, bool with_queries);
/// All but the lists: trees, what a walk has per node, counts.
SearchNeed radius_need(SearchShape const& shape);

struct RadiusAlgorithm {
    template <class T, class P>
    using Task = RadiusTask<T, P>;
    template <class T, class P>
    using Result = RadiusResult<T, P>;

    // What run/search.hpp wants to know.
    template <class T>
    static void check(RadiusOptions const& options, bool with_queries) {
        check_radius_options<T>(options, with_queries);
    }
    template <class T, class P>
    static SearchNeed device_need(SearchShape const& shape, RadiusTask<T, P> const&) {
        return radius_need(shape);
    }
    template <class T, class P>
    static void take_queries(P&, Queries<T, P> const& queries, RadiusTask<T, P>& task) {
        task.queries = &queries.points;
    }

    template <class T, class P>
    static void to_unit(RadiusTask<T, P>& task, LengthUnit<T> const& unit) {
        task.options.radius = unit.limit(task.options.radius);
        task.visitor.unit = unit.unit();
    }
    template <class T, class P>
    static void from_unit(P& place, RadiusResult<T, P>& r, LengthUnit<T> const& unit) {
        Preparation<T, P>::multiply(place, r.distances.data(), r.distances.size(), unit.unit());
    }

    template <int D, class T, class P>
    static RadiusResult<T, P> run(P& place, RunPoints<T, P>& points, RadiusTask<T, P> const& task);
};

}  // namespace zwalk::inline v0::detail
