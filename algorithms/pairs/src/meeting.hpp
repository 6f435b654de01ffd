// The imports for pair counts, which meeting.cpp compiles.
#pragma once
#include "need.hpp"
#include "zwalk/run/rank_meeting.hpp"

namespace zwalk::inline v0::detail {

extern template struct Meeting<PairsNeed, float>;
extern template struct Meeting<PairsNeed, double>;

}  // namespace zwalk::inline v0::detail
