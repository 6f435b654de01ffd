// The imports for pair counts, which meeting.cpp compiles.
#pragma once
#include "need.hpp"
#include "zwalk/run/rank_meeting.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

extern template struct Meeting<PairsNeed, float>;
extern template struct Meeting<PairsNeed, double>;

}}}  // namespace zwalk::v0::detail
