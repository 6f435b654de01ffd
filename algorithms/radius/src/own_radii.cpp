// A radius for each target, as walks compare it.
#include <algorithm>

#include "algorithm.hpp"
#include "zwalk/core/parallel.hpp"
#include "zwalk/core/within.hpp"

namespace zwalk::inline v0::detail {

template <class T>
std::vector<OwnRadius<T>> own_radii(std::span<double const> radii, LengthUnit<T> const& unit) {
    std::vector<OwnRadius<T>> squares(radii.size());
    parallel_for(radii.size(), 4096, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) squares[i] = {largest_square(T(unit.limit(radii[i])))};
    });
    return squares;
}
template <class T>
T largest_of(std::span<OwnRadius<T> const> radii) {
    T most2 = 0;
    for (OwnRadius<T> const& r : radii) most2 = std::max(most2, r.radius2);
    return most2;
}

template std::vector<OwnRadius<float>> own_radii(std::span<double const>, LengthUnit<float> const&);
template std::vector<OwnRadius<double>> own_radii(std::span<double const>, LengthUnit<double> const&);
template float largest_of(std::span<OwnRadius<float> const>);
template double largest_of(std::span<OwnRadius<double> const>);

}  // namespace zwalk::inline v0::detail
