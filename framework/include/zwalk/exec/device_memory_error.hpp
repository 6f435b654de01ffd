// The error of a device that has no memory left.
#pragma once
#include "zwalk/core/error.hpp"

namespace zwalk { inline namespace v0 {

/// A device has not so much memory. What is thrown where a GPU refuses to allocate; a DeviceMemory of your own may throw it, too, or
/// std::bad_alloc: work that threads of the host can do as well is then done by them.
class DeviceMemoryError : public Error {
  public:
    using Error::Error;
};

}}  // namespace zwalk::v0
