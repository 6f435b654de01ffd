// fof_catalogue() in two steps, for whoever makes rows elsewhere: what it refuses, and the rows by threads.
#pragma once

#include <cstddef>
#include <vector>

#include "moments.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/fof/catalogue.hpp"
#include "zwalk/tree/box.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Throws InputError unless these groups are of so many points.
inline void check_groups(std::size_t points, std::size_t grouped) {
    if (points != grouped)
        throw InputError(
            detail::text("the groups are those of {} points, but there are {}", grouped, points));
}

/// Throws InputError if a catalogue has a box, and not that of its groups.
inline void check_same_box(FofOptions const& groups, std::vector<double> const& box) {
    if (!box.empty() && box != groups.box)
        throw InputError("the catalogue has another box than the groups");
}

/// Adds phases that came before all others.
inline void begin_with(Stats& stats, Stats const& before) {
    stats.seconds.insert(stats.seconds.begin(), before.seconds.begin(), before.seconds.end());
}

/// The axes of so many points in a box. @throws InputError  as checked_period()
template <class T>
Axes axes_of(std::vector<double> const& box, Extent<T> const& extent, std::size_t points) {
    return {points > 0 ? checked_period(box, extent) : std::vector<T>(), extent};
}
template <class T>
Axes axes_of(std::vector<double> const& box, Points<T> points) {
    return axes_of(box, box.empty() ? Extent<T>(points.dim) : find_extent(points), points.size);
}

/// The options of a catalogue of points, once they have been checked, in the box of its groups.
template <class T>
CatalogueOptions<T> checked_in_box(Points<T> points, FofOptions const& groups,
                                   CatalogueOptions<T> options, Cpu const& cpu) {
    check_same_box(groups, options.box);
    check_shape(points.size, points.dim, "points");
    cpu.run([&] { check_catalogue_options(points, options); });
    options.box = groups.box;
    return options;
}

/// The catalogue of groups that have been checked, with options that have been.
template <class T>
FofCatalogue catalogue_by_threads(Points<T> points, FofResult<> const& groups,
                                  CatalogueOptions<T> const& options, Cpu const& cpu);

extern template FofCatalogue catalogue_by_threads(Points<float>, FofResult<> const&,
                                                  CatalogueOptions<float> const&, Cpu const&);
extern template FofCatalogue catalogue_by_threads(Points<double>, FofResult<> const&,
                                                  CatalogueOptions<double> const&, Cpu const&);

}}}  // namespace zwalk::v0::detail
