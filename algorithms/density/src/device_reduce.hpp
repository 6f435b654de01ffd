// The reductions on a device: the part of a visit that depends on no dimension.
#pragma once
#include "zwalk/density/detail/reduce_run.hpp"

namespace zwalk::inline v0::detail {

template <class T, class Device>
void device_reduce(Device& device, NeighbourRun<T> const& run, Reduction what, int axes, index_t k,
                   T* value) {
    with_reduction(what, value, axes, k, [&](auto const& f) { visit_rows(device, run, f); });
}

}  // namespace zwalk::inline v0::detail
