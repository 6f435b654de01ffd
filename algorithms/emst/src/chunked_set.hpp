// A set of numbers that threads filter chunk by chunk.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Some of the numbers of each chunk, closed up: chunks shrink by themselves, without a scan.
class ChunkedSet {
  public:
    static constexpr std::size_t chunk = 1 << 10;  ///< numbers per chunk

    ChunkedSet() = default;
    /// All of 0, ..., n - 1.
    explicit ChunkedSet(pos_t n) : member_(n), size_((n + chunk - 1) / chunk) {
        parallel_for(chunks(), 1, [&](std::size_t c, std::size_t end) {
            for (; c < end; ++c) {
                size_[c] = pos_t(std::min(n - c * chunk, chunk));
                std::iota(member_.begin() + c * chunk, member_.begin() + c * chunk + size_[c],
                          pos_t(c * chunk));
            }
        });
    }
    [[nodiscard]] std::size_t chunks() const { return size_.size(); }
    /// Calls visit(number) for each, and keeps those for which it returns true.
    template <class Visit>
    void filter(Visit const& visit) {
        parallel_for(chunks(), 1, [&](std::size_t c, std::size_t end) {
            for (; c < end; ++c) filter_chunk(c, visit);
        });
    }
    template <class Visit>
    void filter_chunk(std::size_t c, Visit const& visit) {
        pos_t* const member = member_.data() + c * chunk;
        pos_t kept = 0;
        for (pos_t m = 0, n = size_[c]; m < n; ++m) {
            pos_t const i = member[m];
            if (visit(i)) member[kept++] = i;
        }
        size_[c] = kept;
    }

  private:
    Buffer<pos_t> member_;
    std::vector<pos_t> size_;
};

}}}  // namespace zwalk::v0::detail
