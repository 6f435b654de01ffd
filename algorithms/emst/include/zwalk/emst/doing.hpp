// What points do while a spanning tree grows, wherever it does.
#pragma once
#include <cstdint>

namespace zwalk::inline v0::detail {

/// What a point does in a round.
enum class Doing : std::uint8_t {
    offering,  ///< it has a candidate
    sleeping,  ///< its list is used up: all that is known is that its edges are behind `proven`
    retired    ///< another point has all its edges, and they are less
};

}  // namespace zwalk::inline v0::detail
