// The least and largest coordinates of points on a device (exec/device.hpp), in one pass over them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "zwalk/core/device_points.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/zorder/detail/float_bits.hpp"

namespace zwalk { inline namespace v0 {
namespace detail {

/// Least and largest value of a set; +infinity and -infinity without values. If some are NaN or infinite, one of these two is.
template <class T>
struct Interval {
    T lo = infinity<T>, hi = -infinity<T>;
};

/// x of ordered_bits(x); -0 is +0.
template <class T>
T from_ordered_bits(typename FloatLayout<T>::Bits bits) {
    auto const sign = FloatLayout<T>::sign_mask;
    return bit_cast_to<T>((bits & sign) != 0 ? bits & ~sign : ~bits);
}

/// Takes the coordinates of points into words in the memory of the device: of axis j word 2 j is the complement of the bits of
/// its least one, as ordered_bits() has them, and the next word are those of its largest one. Larger bits win, NaN's among them:
/// they lie beyond infinity. 0 is less than all, and what words are before.
template <class T>
struct TakeExtent {
    static constexpr int width = 32;
    static constexpr bool persistent = false;
    static constexpr pos_t rows_of_lane = 8;             ///< that are on their way at a time
    static constexpr pos_t rows = width * rows_of_lane;  ///< of a group, likewise
    static constexpr pos_t most_groups = 8192;  ///< so many fill a GPU, and write one after another
    static constexpr int together = 3;          ///< axes that are taken in one pass

    DevicePoints<T> points;  ///< at least one
    pos_t groups;
    std::uint64_t* word;

    static pos_t groups_for(std::size_t points) {
        return pos_t(std::min<std::size_t>((points - 1) / rows + 1, most_groups));
    }
    template <class G>
    ZWALK_INLINE void operator()(G const& g, pos_t i, pos_t) const {
        for (int axis = 0; axis < points.dim; axis += together) take(g, i, axis);
    }

  private:
    using Bits = typename FloatLayout<T>::Bits;

    template <class G>
    ZWALK_INLINE void take(G const& g, pos_t i, int axis) const {
        typename G::template var<Bits> most[2 * together];
        ZWALK_UNROLL
        for (int m = 0; m < 2 * together; ++m) g.lanes([&](int l) { most[m][l] = 0; });
        // Behind the last row and the last axis are these once more: branches would keep loads from being on their way together.
        std::size_t column[together];
        ZWALK_UNROLL
        for (int a = 0; a < together; ++a)
            column[a] = std::size_t(min_of(axis + a, points.dim - 1)) * points.column_stride;
        pos_t const last = pos_t(points.size - 1), tiles = last / rows + 1;
        for (pos_t tile = i; tile < tiles; tile += groups) {
            ZWALK_UNROLL
            for (pos_t step = 0; step < rows_of_lane; ++step)
                g.lanes([&](int l) {
                    pos_t const row = min_of(tile * rows + step * width + pos_t(l), last);
                    T const* const x = points[row].x;
                    ZWALK_UNROLL
                    for (int a = 0; a < together; ++a) {
                        Bits const bits = ordered_bits(x[column[a]]);
                        most[2 * a][l] = max_of(most[2 * a][l], Bits(~bits));
                        most[2 * a + 1][l] = max_of(most[2 * a + 1][l], bits);
                    }
                });
        }
        for (int mask = width / 2; mask > 0; mask /= 2) {
            ZWALK_UNROLL
            for (int m = 0; m < 2 * together; ++m)
                g.exchange(most[m], mask,
                           [&](int l, Bits const& other) { most[m][l] = max_of(most[m][l], other); });
        }
        ZWALK_UNROLL
        for (int m = 0; m < 2 * together; ++m)
            g.where([&](int l) { return l == 0 && axis + m / 2 < points.dim; },
                    [&](int l) { atomic_max(word + 2 * axis + m, most[m][l]); });
    }
};

}  // namespace detail

/// Least and largest coordinate of every axis, on the host. One wait, if there are points.
template <class T, class Device>
std::vector<detail::Interval<T>> device_extent(Device& device, DevicePoints<T> points) {
    using Bits = typename FloatLayout<T>::Bits;
    using Kernel = detail::TakeExtent<T>;
    std::vector<detail::Interval<T>> extent(std::size_t(points.dim));
    if (points.size == 0) return extent;
    std::vector<std::uint64_t> words(2 * extent.size());
    auto found = device.template buffer<std::uint64_t>(words.size());
    device.zero(found.data(), words.size());
    pos_t const groups = Kernel::groups_for(points.size);
    device.launch(groups, Kernel{points, groups, found.data()});
    device.download(words.data(), found.data(), words.size());
    for (std::size_t j = 0; j < extent.size(); ++j)
        extent[j] = {detail::from_ordered_bits<T>(Bits(~Bits(words[2 * j]))),
                     detail::from_ordered_bits<T>(Bits(words[2 * j + 1]))};
    return extent;
}

}}  // namespace zwalk::v0
