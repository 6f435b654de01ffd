#include "compiled_dims.hpp"
#include "driver.hpp"
#include "meeting.hpp"
#include "zwalk/run/rank_calls.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
ZWALK_RANK_CALL(PairsCall, float)
ZWALK_RANK_CALL(PairsCall, double)
}}}  // namespace zwalk::v0::detail
