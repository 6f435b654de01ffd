// Masses that repeat on a lattice, and a background of the same mean density that cancels them: the field of all images that
// are too far to be sources of a walk.
//
// The potential of a unit mass, its images and its part of the background is -G(d), periodic, with zero mean (Ewald 1921; as in
// Hernquist, Bouchet and Suto 1991, ApJS 75, 231). Without the images of the first few shells around the box it is smooth within
// it, so a few derivatives at 0 say all, and the sum over masses needs only their moments about the middle of the box.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>

#include "zwalk/gravity/detail/expansion.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Numbers of images on either side of a box, along each axis.
using Shells = std::array<int, 3>;
/// The shells that are sources of a walk: all others are three of the longest period away from the box.
inline Shells shells_of(std::array<double, 3> const& box) {
    double const longest = *std::max_element(box.begin(), box.end());
    Shells shells{};
    for (std::size_t j = 0; j < 3; ++j) shells[j] = int(std::ceil(3 * longest / box[j]));
    return shells;
}
/// f({i, j, k}) for all from -of to of, each.
template <class F>
void each_within(Shells const& of, F const& f) {
    for (int i = -of[0]; i <= of[0]; ++i)
        for (int j = -of[1]; j <= of[1]; ++j)
            for (int k = -of[2]; k <= of[2]; ++k) f(std::array<int, 3>{i, j, k});
}

/// Order of the expansion of what they leave. Terms fall as (d / 4)^n for points d periods apart.
inline constexpr int lattice_order = 12;
using LatticeCoefficients = Coefficients<lattice_order, double>;

/// Derivatives at 0 of G(d) less 1 / |d - n| for all n within `shells`.
LatticeCoefficients lattice_derivatives(std::array<double, 3> const& box, Shells const& shells);

/// The frame of masses that repeat.
struct LatticeFrame {
    std::array<double, 3> box;
    Vec<3, double> middle;  ///< that moments are about, of the masses' extent

    [[nodiscard]] double per_length() const { return 1 / *std::max_element(box.begin(), box.end()); }
    /// x in units of the longest period, from the middle.
    [[nodiscard]] Vec<3, double> scaled(Vec<3, double> const& x) const {
        double const u = per_length();
        return {(x[0] - middle[0]) * u, (x[1] - middle[1]) * u, (x[2] - middle[2]) * u};
    }
};
struct LatticeMass {
    Vec<3, double> at;
    double mass;
};
/// Moments of masses row(0), ..., row(n - 1). Those of several sets add up to that of all.
LatticeCoefficients lattice_moments(LatticeFrame const& frame, std::size_t n,
                                    std::function<LatticeMass(std::size_t)> const& row);

/// The field of all images of masses beyond some shells, with that of the background.
class LatticeField {
  public:
    LatticeField(LatticeFrame const& frame, LatticeCoefficients const& moments);
    /// Minus the potential, and the acceleration.
    [[nodiscard]] Pull<double> at(Vec<3, double> const& x) const;

  private:
    LatticeFrame frame_;
    LatticeCoefficients field_{};
};

}}}  // namespace zwalk::v0::detail
