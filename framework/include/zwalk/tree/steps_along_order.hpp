// Distances along the z-order curve.
#pragma once
#include "zwalk/core/points.hpp"
#include "zwalk/core/space.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Squared distances from each point to the next one in z-order; -1 where these are equal.
template <int D, class T, class Space>
struct StepsAlongOrder {
    PointColumns<D, T> points;
    Space space;
    T* step2;
    ZWALK_HD void operator()(std::size_t at) const {
        auto const p = points.point(pos_t(at)), q = points.point(pos_t(at) + 1);
        bool equal = true;
        ZWALK_UNROLL
        for (int j = 0; j < D; ++j) equal = equal && p[j] == q[j];
        step2[at] = equal ? T(-1) : distance2(space, p, q);
    }
};

}}}  // namespace zwalk::v0::detail
