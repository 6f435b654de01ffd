#include "compiled_dims.hpp"
#include "driver.hpp"
#include "zwalk/run/rank_calls.hpp"
#include "zwalk/run/rank_lists_of.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
ZWALK_RANK_CALL(RadiusCall, float)
ZWALK_RANK_CALL(RadiusCall, double)
}}}  // namespace zwalk::v0::detail
