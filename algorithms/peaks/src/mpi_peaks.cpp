#include "compiled_dims.hpp"
#include "driver.hpp"
#include "zwalk/density/rank_kth_distance.hpp"

namespace zwalk::inline v0::detail {
ZWALK_RANK_CALL(PeaksCall, float)
ZWALK_RANK_CALL(PeaksCall, double)
}  // namespace zwalk::inline v0::detail
