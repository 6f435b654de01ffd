#include "zwalk/core/clock.hpp"

#include <chrono>

namespace zwalk { inline namespace v0 {

double now_seconds() {
    using clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}

}}  // namespace zwalk::v0
