#include "zwalk/core/interrupt.hpp"

namespace zwalk { inline namespace v0 {

// Here, so that a shared library and those that use it have one.
constinit thread_local Interrupt const* Interrupt::current_ = nullptr;

void Interrupt::stop() { throw Interrupted("interrupted"); }

}}  // namespace zwalk::v0
