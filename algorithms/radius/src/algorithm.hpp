// Radius search in the form that run/algorithm.hpp needs; the driver is in driver.hpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "zwalk/lists/lists.hpp"
#include "zwalk/radius/radius.hpp"
#include "zwalk/radius/trait.hpp"
#include "zwalk/run/algorithm.hpp"
#include "zwalk/run/queries.hpp"

namespace zwalk::inline v0::detail {

/// The task of a search. Its options radius, radii, larger, exclude_self, distances and order are read, no others.
/// @tparam each  targets have radii of their own
template <class T, class P, bool each = false>
struct RadiusTask {
    RadiusOptions options;
    PointsOn<T, P> const* queries = nullptr;  ///< null: the points are their own queries
    RadiusWork work = RadiusWork::search;
    ListVisitor<T> visitor{};  ///< of a visit, on CPU threads
    /// On ranks, whose order is that of z.
    ListedPart<std::conditional_t<each, OwnRadii<T>, Empty>> part{};
    /// On ranks, instead of options.radii: those of the queries or, without, of all points of the tree, by position.
    std::span<OwnRadius<T> const> own_radii{};
    T most2 = 0;           ///< with these: WithinRadii::most2
    LengthUnit<T> unit{};  ///< of the points; options.radii are in that of the input
};

/// @param each  there are radii on some rank, if not here
/// @param row   of the first of the radii in the input of all ranks
/// @throws InputError  no radius, or a bad one; options that don't go together
template <class T>
void check_radius_options(RadiusOptions const& options, bool with_queries, bool each,
                          std::uint64_t row = 0);
/// Throws InputError unless there is a radius for each target, or, if none is wanted, nothing that needs them.
void check_number_of_radii(RadiusOptions const& options, std::size_t targets, bool with_queries,
                           bool each);
/// Squares of radii that have been checked, in the precision of the points (core/within.hpp) and in their unit.
template <class T>
std::vector<OwnRadius<T>> own_radii(std::span<double const> radii, LengthUnit<T> const& unit);
template <class T>
T largest_of(std::span<OwnRadius<T> const> radii);
/// All but the lists: trees, what a walk has per node, counts.
SearchNeed radius_need(SearchShape const& shape, bool each);

/// @tparam each  targets have radii of their own: a walk of its own, which others needn't wait for
template <bool each>
struct RadiusSearch {
    template <class T, class P>
    using Task = RadiusTask<T, P, each>;
    template <class T, class P>
    using Result = RadiusResult<T, P>;

    // The functions that run/search.hpp calls.
    template <class T>
    static void check(RadiusOptions const& options, bool with_queries) {
        check_radius_options<T>(options, with_queries, each);
    }
    template <class T, class P>
    static SearchNeed device_need(SearchShape const& shape, RadiusTask<T, P, each> const&) {
        return radius_need(shape, each);
    }
    template <class T, class P>
    static void take_queries(P&, Queries<T, P> const& queries, RadiusTask<T, P, each>& task) {
        task.queries = &queries.points;
    }

    template <class T, class P>
    static void to_unit(RadiusTask<T, P, each>& task, LengthUnit<T> const& unit) {
        task.options.radius = unit.limit(task.options.radius);
        task.unit = unit;
        task.visitor.unit = unit.unit();
    }
    template <class T, class P>
    static void from_unit(P& place, RadiusResult<T, P>& r, LengthUnit<T> const& unit) {
        Preparation<T, P>::multiply(place, r.distances.data(), r.distances.size(), unit.unit());
    }

    template <int D, class T, class P>
    static RadiusResult<T, P> run(P& place, RunPoints<T, P>& points, RadiusTask<T, P, each> const& task);
};
using RadiusAlgorithm = RadiusSearch<false>;
using RadiiAlgorithm = RadiusSearch<true>;

}  // namespace zwalk::inline v0::detail
