#include "zwalk/core/interrupt.hpp"

namespace zwalk::inline v0 {

void Interrupt::stop() { throw Interrupted("interrupted"); }

}  // namespace zwalk::inline v0
