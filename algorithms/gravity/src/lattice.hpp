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

namespace zwalk::inline v0::detail {

/// Numbers of images on either side of a box, along each axis.
using Shells = std::array<int, 3>;
/// That are sources of a walk: all others are three of the longest period away from the box.
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

/// The field of all images of masses beyond some shells, with that of the background.
class LatticeField {
  public:
    struct Mass {
        Vec<3, double> at;
        double mass;
    };
    /// @param middle  of the masses
    /// @param row     row(i): mass i
    LatticeField(std::array<double, 3> const& box, Vec<3, double> const& middle, std::size_t n,
                 std::function<Mass(std::size_t)> const& row);
    /// Minus the potential, and the acceleration.
    [[nodiscard]] Pull<double> at(Vec<3, double> const& x) const;

  private:
    [[nodiscard]] Vec<3, double> scaled(Vec<3, double> const& x) const;

    Vec<3, double> middle_;
    double per_length_;
    LatticeCoefficients field_{};
};

}  // namespace zwalk::inline v0::detail
