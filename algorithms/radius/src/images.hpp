// Radius search that finds every image of a source in a periodic box, not only the nearest one: in open space, among copies.
#pragma once
#include <algorithm>
#include <vector>

#include "algorithm.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/core/validate.hpp"
#include "zwalk/run/queries.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/extent.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Sources, moved by all whole periods by which they may come within a distance of the targets.
template <class T>
struct SourceImages {
    int dim = 0;
    std::vector<T> rows;          ///< those of one source after the other
    std::vector<index_t> source;  ///< of each
    /// For each source the image that is where it is; -1: it is too far from the targets.
    std::vector<index_t> unmoved;

    [[nodiscard]] Points<T> points() const { return {rows.data(), source.size(), dim}; }
};

/// @param targets  where they are
/// @param period   infinite on open axes
/// @throws InputError  more of them than one device can hold
template <class T>
SourceImages<T> images_of(Points<T> sources, Extent<T> const& targets, std::vector<T> const& period,
                          double distance);

/// Throws InputError if options of a search among images don't go together.
void check_images(RadiusOptions const& options, RadiusWork work);

/// Entries of images become those of their sources.
template <class T>
void name_sources(RadiusResult<T>& result, SourceImages<T> const& images);
/// Points lose the entry that is themselves.
template <class T>
void leave_out_self(RadiusResult<T>& result, SourceImages<T> const& images);

/// The search: ask(sources, queries, options) does one in open space.
template <class T, class Ask>
RadiusResult<T> among_images(Points<T> sources, Points<T> const* queries, RadiusAsked const& o,
                             Ask const& ask) {
    check_images(o, o.work);
    bool const each = !o.radii.empty();
    check_radius_options<T>(o, bool(queries), each);
    check_radii<T>(o, queries ? queries->size : sources.size, bool(queries), each, 0);
    check_points(sources, "points");
    if (queries) {
        check_points(*queries, "queries");
        check_query_columns(queries->dim, sources.dim);
    }
    Points<T> const targets = queries ? *queries : sources;
    Extent<T> const of_targets = find_extent(targets),
                    of_sources = queries ? find_extent(sources) : of_targets;
    Extent<T> of_all = of_targets;
    of_all.add(of_sources);
    double const distance = each ? *std::max_element(o.radii.begin(), o.radii.end()) : o.radius;
    auto const images =
        images_of(sources, of_targets, checked_period_of_both(o.box, of_sources, of_all), distance);
    RadiusOptions open = o;
    open.box.clear();
    open.images = open.exclude_self = false;
    auto found = ask(images.points(), targets, open);
    if (o.exclude_self) leave_out_self(found, images);
    name_sources(found, images);
    found.stats.counts.emplace_back("images", images.source.size());
    return found;
}

}}}  // namespace zwalk::v0::detail
