// What points in a periodic box feel of all that is too far for a walk: lattice.hpp for points of a tree. For host compilers.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "lattice.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/gravity/trait.hpp"
#include "zwalk/tree/extent.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T>
std::array<double, 3> box_of_periods(std::vector<T> const& period) {
    return {double(period[0]), double(period[1]), double(period[2])};
}
/// The frame for points of this extent.
template <class T>
LatticeFrame lattice_frame(std::vector<T> const& period, Extent<T> const& extent) {
    LatticeFrame frame{box_of_periods(period), {}};
    for (std::size_t j = 0; j < 3; ++j) {
        double const lo = double(extent.lo[j]), hi = double(extent.hi[j]);
        frame.middle[int(j)] = lo + (hi - lo) / 2;
    }
    return frame;
}
/// The moments of points with these masses.
template <class T>
LatticeCoefficients lattice_moments(LatticeFrame const& frame, PointColumns<3, T> const& points,
                                    std::span<PointMass<T> const> masses) {
    return lattice_moments(frame, masses.size(), [&](std::size_t i) {
        auto const x = points.point(pos_t(i));
        return LatticeMass{{double(x[0]), double(x[1]), double(x[2])}, double(masses[i].mass)};
    });
}
/// What points feel of a field.
template <class T>
std::vector<Pull<T>> pulls_of(LatticeField const& field, PointColumns<3, T> const& points,
                              std::size_t n) {
    std::vector<Pull<T>> pulls(n);
    parallel_for(n, 256, [&](std::size_t i, std::size_t end) {
        for (; i < end; ++i) {
            auto const x = points.point(pos_t(i));
            auto const pull = field.at({double(x[0]), double(x[1]), double(x[2])});
            pulls[i] = {T(pull.sum), {T(pull.gradient[0]), T(pull.gradient[1]), T(pull.gradient[2])}};
        }
    });
    return pulls;
}

}}}  // namespace zwalk::v0::detail
