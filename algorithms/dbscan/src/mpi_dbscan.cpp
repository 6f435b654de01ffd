#include "compiled_dims.hpp"
#include "driver.hpp"
#include "zwalk/knn/rank_neighbours_of.hpp"
#include "zwalk/run/rank_calls.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
ZWALK_RANK_CALL(DbscanCall, float)
ZWALK_RANK_CALL(DbscanCall, double)
}}}  // namespace zwalk::v0::detail
