// The least and largest coordinate along each axis, of many points at a time.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>

#include "zwalk/core/config.hpp"
#include "zwalk/core/vec.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/zorder/key.hpp"

namespace zwalk { inline namespace v0 {

/// Extends `lo` and `hi`, of `dim` axes, by points that lie one behind the other. As many as there are lanes are compared with those before
/// number by number, whatever axis each belongs to: so SIMD loops pay for any number of axes. O(count dim).
template <class T>
void add_to_extent(T* lo, T* hi, std::size_t dim, T const* rows, std::size_t count) {
    constexpr auto lanes = std::size_t(simd_width<T>);
    auto const add = [&](T const* least, T const* largest) {
        for (std::size_t j = 0; j < dim; ++j) {
            lo[j] = min_of(lo[j], least[j]);
            hi[j] = max_of(hi[j], largest[j]);
        }
    };
    if (count >= 2 * lanes) {
        std::array<T, lanes * max_dim> least, largest;
        std::size_t const all = lanes * dim;
        std::copy_n(rows, all, least.begin());
        std::copy_n(rows, all, largest.begin());
        for (rows += all, count -= lanes; count >= lanes; count -= lanes, rows += all)
            for (std::size_t i = 0; i < all; i += lanes) {
                ZWALK_SIMD_LOOP
                for (std::size_t l = i; l < i + lanes; ++l) {
                    least[l] = min_of(least[l], rows[l]);
                    largest[l] = max_of(largest[l], rows[l]);
                }
            }
        for (std::size_t i = 0; i < all; i += dim) add(least.data() + i, largest.data() + i);
    }
    for (; count > 0; --count, rows += dim) add(rows, rows);
}

}}  // namespace zwalk::v0
