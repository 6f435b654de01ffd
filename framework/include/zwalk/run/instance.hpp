// For files that compile drivers: what all drivers do around their walks. Include the place first (cpu_instance.hpp,
// cuda_instance.cuh, or a HostDevice with device_build.hpp and device_walk.hpp).
#pragma once
#include "zwalk/run/algorithm.hpp"
#include "zwalk/run/counts.hpp"
#include "zwalk/run/detail/compiled_walk.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Compiles one driver. Others, which it may call, are those of other files.
#define ZWALK_INSTANCE(A, D, T, P)                                               \
    template <>                                                                  \
    A::Result<T, P> Instance<A, D, T, P>::run(P& place, RunPoints<T, P>& points, \
                                              A::Task<T, P> const& task) {       \
        return A::run<D>(place, points, task);                                   \
    }

}}}  // namespace zwalk::v0::detail
