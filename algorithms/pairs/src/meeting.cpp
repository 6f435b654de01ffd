#include "meeting.hpp"

#include "compiled_dims.hpp"

namespace zwalk::inline v0::detail {

template struct Meeting<PairsNeed, float>;
template struct Meeting<PairsNeed, double>;

}  // namespace zwalk::inline v0::detail
