#include "zwalk/radius/radius.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "images.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/run/calls.hpp"
#include "zwalk/tree/device_tree_bytes.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

namespace {

/// Throws InputError unless it is a radius. `of_row`: "", or " of row 7".
template <class T>
void check_radius(double r, std::string const& of_row) {
    if (!(r >= 0) || std::isinf(r))
        throw InputError(
            detail::text("the radius{} must be a finite number >= 0, but is {}", of_row, r));
    if (std::isinf(T(r)))
        throw InputError(
            detail::text("the radius {}{} is too large for the precision of the points", r, of_row));
}

}  // namespace

template <class T>
void check_radius_options(RadiusOptions const& o, bool with_queries, bool each) {
    if (each && o.radius != 0)
        throw InputError(
            "radius is one for all points, radii are one for each: leave out either of them");
    check_radius<T>(o.radius, "");
    if (with_queries && (o.exclude_self || o.larger))
        throw InputError(detail::text(
            "{0} needs the points to be their own queries: leave out either the queries or {0}",
            o.exclude_self ? "exclude_self" : "larger"));
}

template <class T>
void check_radii(RadiusOptions const& o, std::size_t targets, bool with_queries, bool each,
                 std::uint64_t row) {
    std::size_t const radii = o.radii.size();
    if (each && radii != targets)
        throw InputError(detail::text("there are {} radii, but {} {}: give one for each", radii, targets,
                                      with_queries ? "queries" : "points"));
    if (!each && o.larger && targets > 0)
        throw InputError("larger is of two radii: it needs radii, one for each point");
    auto const bad = std::find_if_not(o.radii.begin(), o.radii.end(),
                                      [](double r) { return r >= 0 && !std::isinf(T(r)); });
    if (bad != o.radii.end())
        check_radius<T>(*bad, detail::text(" of row {}", row + std::uint64_t(bad - o.radii.begin())));
}

template <class T>
void RadiusAlgorithm::check(RadiusAsked const& o, CallSets const& sets) {
    refuse_images(o, "ranks");  // other places did so before
    bool const with_queries = sets.others.has_value(), each = !o.radii.empty();
    auto const targets = sets.others.value_or(sets.points);
    check_radius_options<T>(o, with_queries, each);
    if (!sets.on_ranks) check_radii<T>(o, targets.size, with_queries, each, 0);
    if (with_queries) check_query_columns(targets.dim, sets.points.dim);
}

std::uint64_t RadiusAlgorithm::device_bytes(CallSets const& sets, int columns, std::size_t item_bytes,
                                            RadiusAsked const& o) {
    double const points = double(sets.points.size),
                 queries = sets.others ? double(sets.others->size) : 0.;
    auto const own = device_tree_bytes(columns, item_bytes, o.tree);
    // Radii are there twice for a moment, and some of them for nodes.
    double const radii = o.radii.empty() ? 0. : 3. * double(item_bytes);
    double const beside = 2 * sizeof(pos_t) + sizeof(size_type) + own.walk + radii;
    double const build = std::max(own.sort, own.build), targets = sets.others ? queries : points;
    // All but the lists: trees, what a walk has per node, counts.
    return whole_bytes(device_tree_padding + points * std::max(build, own.tree) + queries * build +
                       targets * beside);
}

template <class T, class Where>
RadiusResult<T> find_images(Points<T> sources, Points<T> const* queries, RadiusAsked const& o,
                            Where const& where) {
    return among_images<T>(
        sources, queries, o, [&](Points<T> images, Points<T> asking, RadiusOptions const& open) {
            return Called<RadiusCall, Points<T>, Where>::run(images, &asking, {open, o.work}, where);
        });
}

#define ZWALK_RADIUS(T)                                                                                \
    ZWALK_CALLS(RadiusCall, T)                                                                         \
    template void check_radius_options<T>(RadiusOptions const&, bool, bool);                           \
    template void check_radii<T>(RadiusOptions const&, std::size_t, bool, bool, std::uint64_t);        \
    template RadiusResult<T> find_images(Points<T>, Points<T> const*, RadiusAsked const&, Cpu const&); \
    template RadiusResult<T> find_images(Points<T>, Points<T> const*, RadiusAsked const&, Cuda const&);
ZWALK_RADIUS(float)
ZWALK_RADIUS(double)

}}}  // namespace zwalk::v0::detail
