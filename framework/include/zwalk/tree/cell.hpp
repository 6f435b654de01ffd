// The Morton cell of a node: its extent and volume (paper section II-B, eqs. 5 and 6).
#pragma once
#include <cstdint>

#include "zwalk/core/config.hpp"

namespace zwalk { inline namespace v0 {

/// Eq. 6: l_i, where the cell of level `level` in `dim` dimensions spans 2^l_i along axis i. The
/// l_i sum to the level, because the volume is 2^level, and they differ by one at most.
///
/// With level = (msb + 1) D - k (eq. 5) the first k axes span 2^msb and the others 2^(msb + 1):
/// l_i = floor(level / D) + (i >= D - (level mod D)). The paper prints `i >= (level mod D)`, which
/// does not sum to the level.
ZWALK_INLINE int extent_level(std::int32_t level, int axis, int dim) {
    int quotient = level / dim, remainder = level % dim;  // C++ rounds towards zero: floor it
    if (remainder < 0) {
        --quotient;
        remainder += dim;
    }
    return quotient + (axis >= dim - remainder ? 1 : 0);
}

}}  // namespace zwalk::v0
