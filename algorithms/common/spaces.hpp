// The space that a box stands for, for host and device code.
#pragma once
#include <vector>

#include "zwalk/core/space.hpp"

namespace zwalk::inline v0::detail {

/// Space for kernels compiled for D axes: padded axes are open.
template <int D, class T>
Periodic<D, T> periodic_space(std::vector<T> const& period) {
    Periodic<D, T> space;
    for (std::size_t j = 0; j < D; ++j) space.box[j] = j < period.size() ? period[j] : infinity<T>;
    return space;
}

/// Above this dimension walks in open space run through the periodic kernels (with infinite periods):
/// two operations more per axis, half the kernels to compile.
inline constexpr int max_open_dim = 8;

/// f(space) for a space of these periods (none: open).
template <int D, class T, class F>
auto with_space(std::vector<T> const& period, F const& f) {
    if constexpr (D <= max_open_dim)
        if (period.empty()) return f(Open<D, T>{});
    return f(periodic_space<D>(period));
}

}  // namespace zwalk::inline v0::detail
