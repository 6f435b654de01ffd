// The reductions on a device: the part of a visit that knows no dimension.
#pragma once
#include "zwalk/knn/knn_cuda.hpp"
#include "zwalk/knn/reduce.hpp"
#include "zwalk/nearest/device_visit.hpp"

namespace zwalk::inline v0::detail {

/// One number for each target of a run of k neighbours, into value[row]. The data has `axes` columns.
template <class T, class Device>
void device_reduce(Device& device, NeighbourRun<T> const& run, Reduction what, int axes, index_t k,
                   T* value) {
    if (what == Reduction::radius) return visit_rows(device, run, KthDistance<T>{value, k});
    if (what == Reduction::density) return visit_rows(device, run, BallDensity<T>{value, axes});
    visit_rows(device, run, SphDensity<T>{value, axes});
}

}  // namespace zwalk::inline v0::detail
