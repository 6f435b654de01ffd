#include "compiled_dims.hpp"
#include "driver.hpp"
#include "rank_batches.hpp"
#include "zwalk/knn/rank_neighbours_of.hpp"
#include "zwalk/run/rank_calls.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
ZWALK_RANK_CALL(KnnCall, float)
ZWALK_RANK_CALL(KnnCall, double)
ZWALK_RANK_CALL(KnnBatchesCall, float)
ZWALK_RANK_CALL(KnnBatchesCall, double)
}}}  // namespace zwalk::v0::detail
