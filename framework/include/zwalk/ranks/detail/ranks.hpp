// Which rank has what: rows of the input, and positions in the z-order of all points.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "zwalk/exec/cpu.hpp"

namespace zwalk { inline namespace v0 {

/// Every rank has consecutive rows of the input (those of lower ranks come first), and consecutive positions of the
/// z-order of all N points. All numbers are those among all points: 64-bit. The same on all ranks.
class Ranks {
  public:
    Ranks() = default;
    /// Offsets by rank and the end N, as Comm::offsets() makes them.
    Ranks(std::vector<std::uint64_t> rows, std::vector<std::uint64_t> positions)
        : rows_(std::move(rows)), positions_(std::move(positions)) {}

    /// Number of the first row, or position, of a rank; N for `rank` = number of ranks. O(1).
    [[nodiscard]] std::uint64_t rows_before(int rank) const { return rows_[std::size_t(rank)]; }
    [[nodiscard]] std::uint64_t positions_before(int rank) const {
        return positions_[std::size_t(rank)];
    }
    /// How many ranks there are.
    [[nodiscard]] int count() const { return int(positions_.size()) - 1; }
    /// N.
    [[nodiscard]] std::uint64_t size() const { return positions_.back(); }
    /// The rank that has a row, or position, < N. O(log P).
    [[nodiscard]] int rank_of_row(std::uint64_t row) const { return owner(rows_, row); }
    [[nodiscard]] int rank_of_position(std::uint64_t position) const {
        return owner(positions_, position);
    }

  private:
    static int owner(std::vector<std::uint64_t> const& begin, std::uint64_t i) {
        return int(std::upper_bound(begin.begin(), begin.end(), i) - begin.begin()) - 1;
    }

    std::vector<std::uint64_t> rows_, positions_;
};

namespace detail {

/// f(r, i) for all i < begin.back(), where begin[r] <= i < begin[r + 1]: in any order and at the same time.
template <class F>
void for_each_of_ranks(Cpu const& cpu, std::span<std::uint64_t const> begin, F const& f) {
    constexpr std::size_t grain = 1 << 13;
    auto const part = [&](std::size_t i, std::size_t end) {
        auto r = std::size_t(std::upper_bound(begin.begin(), begin.end(), i) - begin.begin()) - 1;
        for (; i < end; ++i) {
            while (i >= begin[r + 1]) ++r;
            f(r, i);
        }
    };
    std::size_t const n = begin.back();
    if (n > grain) cpu.run([&] { parallel_for(n, grain, part); });
    else if (n) part(0, n);
}

}  // namespace detail
}}  // namespace zwalk::v0
