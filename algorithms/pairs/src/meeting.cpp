#include "meeting.hpp"

#include "compiled_dims.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template struct Meeting<PairsNeed, float>;
template struct Meeting<PairsNeed, double>;

}}}  // namespace zwalk::v0::detail
