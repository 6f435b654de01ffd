#include "compiled_dims.hpp"
#include "driver.hpp"
#include "rank_near_field.hpp"
#include "zwalk/run/rank_calls.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
ZWALK_RANK_CALL(GravityCall, float)
ZWALK_RANK_CALL(GravityCall, double)
}}}  // namespace zwalk::v0::detail
