#include "zwalk/core/interrupt.hpp"

namespace zwalk { inline namespace v0 {

void Interrupt::stop() { throw Interrupted("interrupted"); }

}}  // namespace zwalk::v0
