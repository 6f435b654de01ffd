#include "compiled_dims.hpp"
#include "driver.hpp"
#include "zwalk/knn/rank_nearest_point.hpp"

namespace zwalk::inline v0::detail {
ZWALK_RANK_CALL(DbscanCall, float)
ZWALK_RANK_CALL(DbscanCall, double)
}  // namespace zwalk::inline v0::detail
