// Masses and velocities that come with the points of a catalogue.
#pragma once
#include <cstddef>
#include <cstdint>

#include "zwalk/core/masses.hpp"
#include "zwalk/fof/catalogue.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Which of them there are.
struct Beside {
    bool masses = false, velocities = false;

    Beside() = default;
    template <class T, class P>
    explicit Beside(CatalogueOptions<T, P> const& o)
        : masses(!o.masses.empty()), velocities(o.velocities.size > 0) {}
};

/// Throws InputError unless there are as many velocities of as many columns as points.
void check_velocities_shape(std::size_t points, int dim, std::size_t velocities, int columns);

/// check_catalogue_options() for points of which the first is row `first_row` of all. They may be none although others have
/// masses and velocities.
template <class T>
void check_beside(Points<T> points, CatalogueOptions<T> const& options, Beside given,
                  std::uint64_t first_row);

extern template void check_beside(Points<float>, CatalogueOptions<float> const&, Beside, std::uint64_t);
extern template void check_beside(Points<double>, CatalogueOptions<double> const&, Beside,
                                  std::uint64_t);

}}}  // namespace zwalk::v0::detail
