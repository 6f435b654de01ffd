#include "zwalk/walk/inputs.hpp"

#include "zwalk/core/error.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

void throw_not_monotone() {
    throw Error(
        "decide() of this trait accepts or discards a pair of nodes, but descends into a pair of their "
        "parts, whose points the other rank hasn't sent. Let decide() depend on what only gets sharper "
        "on the way down (range, diag2, count), not on what can go either way, such as the distance to "
        "a centre of mass");
}

}}}  // namespace zwalk::v0::detail
