// The dimensions that walks on a device of the host are compiled for (instances.cpp).
#pragma once
#include "zwalk/exec/host_device.hpp"
#include "zwalk/run/dims.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Floats in three columns, doubles in two.
template <class T>
using TestDims = Dims<sizeof(T) == 4 ? 3 : 2>;

template <class T, bool checked>
struct DimsFor<T, HostDevice<checked>> {
    using type = TestDims<T>;
};

}}}  // namespace zwalk::v0::detail
