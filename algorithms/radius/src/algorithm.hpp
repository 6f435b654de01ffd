// Radius search in the form that run/driver.hpp needs; the driver is in driver.hpp.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "zwalk/radius/radius.hpp"
#include "zwalk/radius/trait.hpp"
#include "zwalk/ranks/agree_on.hpp"
#include "zwalk/run/driver.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Throws InputError: a radius, if there is one for all; options that don't go together.
/// @param each  there are radii on some rank, if not here
template <class T>
void check_radius_options(RadiusOptions const& options, bool with_queries, bool each);
/// Throws InputError unless there is a radius for each target, a good one, or, if none is wanted, nothing that needs them.
/// @param row  of the first of the radii in the input of all ranks
template <class T>
void check_radii(RadiusOptions const& options, std::size_t targets, bool with_queries, bool each,
                 std::uint64_t row);
/// Squares of radii that have been checked, in the precision of the points (core/within.hpp) and in their unit.
template <class T>
std::vector<OwnRadius<T>> own_radii(std::span<double const> radii, LengthUnit<T> const& unit);

struct RadiusAlgorithm : RadiusCall {
    static constexpr char const* name = "radius search";
    static constexpr char const* others_name = "queries";
    static constexpr OthersAre others_are = OthersAre::targets;

    template <class T>
    static void check(RadiusAsked const& asked, CallSets const& sets);
    static std::array<Option, 8> agreed(RadiusAsked const& o, Option const& place, bool with_queries) {
        return {Option("the radius", o.radius),
                Option("larger", o.larger),
                Option("images", o.images),
                Option("exclude_self", o.exclude_self),
                Option("distances", o.distances),
                Option("order", int(o.order)),
                Option("having queries", with_queries),
                place};
    }
    static std::uint64_t device_bytes(CallSets const& sets, int columns, std::size_t item_bytes,
                                      RadiusAsked const& o);
    template <class P>
    static TreeOptions tree_options(RadiusAsked const& o) {
        return o.tree;
    }
    template <class Points>
    static ResultOf<RadiusAlgorithm, Points> run(Points& points, Points* queries,
                                                 RadiusAsked const& asked);
};

}}}  // namespace zwalk::v0::detail
