// Pieces of a range that have numbers.
#pragma once
#include <cstddef>

#include "zwalk/core/parallel.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Pieces of [0, n), for loops that go through the same ones more than once: say, to count in each, and then to write what was counted
/// behind that of the pieces before. As many for any number of threads.
class NumberedPieces {
  public:
    /// Of at least `grain` elements, unless there is but one.
    NumberedPieces(std::size_t n, std::size_t grain) : n_(n), size_(n < 2 * grain ? 1 : n / grain) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    /// Where piece p begins, which is where the one before it ends. p n / size(), without overflow.
    [[nodiscard]] std::size_t begin(std::size_t p) const {
        return p * (n_ / size_) + p * (n_ % size_) / size_;
    }
    /// f(p, begin, end) for each piece p, in parallel. Call inside Cpu::run.
    template <class F>
    void each(F const& f) const {
        parallel_for(size_, 1, [&](std::size_t p, std::size_t last) {
            for (; p < last; ++p) f(p, begin(p), begin(p + 1));
        });
    }

  private:
    std::size_t n_, size_;
};

}}}  // namespace zwalk::v0::detail
