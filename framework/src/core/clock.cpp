#include "zwalk/core/clock.hpp"

#include <chrono>

#include "zwalk/core/config.hpp"
#include "zwalk/core/work_span.hpp"

namespace zwalk { inline namespace v0 {

double now_seconds() {
#if !defined(ZWALK_TSAN)
    if (auto const* const foreseen = WorkSpan::current()) return foreseen->now();
#endif
    using clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}

}}  // namespace zwalk::v0
