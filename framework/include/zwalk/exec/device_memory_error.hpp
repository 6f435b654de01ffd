// The error of a device that has no memory left.
#pragma once
#include <new>

#include "zwalk/core/error.hpp"

namespace zwalk { inline namespace v0 {

/// A device has not so much memory. What is thrown where a GPU refuses to allocate; a DeviceMemory of your own may throw it, too, or
/// std::bad_alloc: work that threads of the host can do as well is then done by them.
class DeviceMemoryError : public Error {
  public:
    using Error::Error;
};

namespace detail {

/// f(), which is a std::optional; nothing where an allocation fails.
template <class F>
auto unless_out_of_memory(F const& f) -> decltype(f()) {
    try {
        return f();
    } catch (DeviceMemoryError const&) {
    } catch (std::bad_alloc const&) {
    }
    return {};
}

}  // namespace detail
}}  // namespace zwalk::v0
