#include "compiled_dims.hpp"
#include "driver.hpp"
#include "zwalk/run/rank_calls.hpp"
#include "zwalk/run/rank_lists_of.hpp"

namespace zwalk::inline v0::detail {
ZWALK_RANK_CALL(RadiusCall, float)
ZWALK_RANK_CALL(RadiusCall, double)
}  // namespace zwalk::inline v0::detail
