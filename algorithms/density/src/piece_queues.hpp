// Which points of a group a piece is shown to.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/index.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Points that wait for pieces, each for one at a time.
class PieceQueues {
  public:
    PieceQueues(std::size_t pieces, std::size_t points) : last_(pieces, nobody), before_(points) {}

    /// What they take of memory.
    static std::uint64_t bytes(std::size_t pieces, std::uint64_t points) {
        return (pieces + points) * sizeof(pos_t);
    }
    void wait(std::size_t point, std::size_t piece) {
        before_[point] = last_[piece];
        last_[piece] = pos_t(point);
    }
    /// All that wait for a piece, the last one first, and do no more. Returns how many. O(these).
    std::size_t leave(std::size_t piece, pos_t* who) {
        std::size_t count = 0;
        for (pos_t at = last_[piece]; at != nobody; at = before_[at]) who[count++] = at;
        last_[piece] = nobody;
        return count;
    }

  private:
    static constexpr pos_t nobody = std::numeric_limits<pos_t>::max();
    std::vector<pos_t> last_;  // of each piece
    Buffer<pos_t> before_;     // of each point, in the same queue
};

}}}  // namespace zwalk::v0::detail
