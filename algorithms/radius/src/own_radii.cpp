// A radius for each target, as walks compare it.
#include "algorithm.hpp"
#include "zwalk/core/parallel.hpp"
#include "zwalk/core/within.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T>
std::vector<OwnRadius<T>> own_radii(std::span<double const> radii, LengthUnit<T> const& unit) {
    std::vector<OwnRadius<T>> squares(radii.size());
    parallel_for(radii.size(), 4096, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) squares[i] = {largest_square(T(unit.limit(radii[i])))};
    });
    return squares;
}

template std::vector<OwnRadius<float>> own_radii(std::span<double const>, LengthUnit<float> const&);
template std::vector<OwnRadius<double>> own_radii(std::span<double const>, LengthUnit<double> const&);

}}}  // namespace zwalk::v0::detail
