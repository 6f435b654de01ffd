// Ways in which the rows of an input can be spread over ranks.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "zwalk/core/points.hpp"

namespace zwalk::test {

inline std::vector<std::string> const& spreads() {
    static std::vector<std::string> const all{"even",
                                              "all on the first",
                                              "all on the last",
                                              "none on the first",
                                              "none on the last",
                                              "one each",
                                              "uneven"};
    return all;
}

/// Offsets of the rows of each of `ranks`, of n rows in all.
inline std::vector<std::size_t> spread(std::string const& how, std::size_t n, int ranks) {
    auto const p = std::size_t(ranks);
    std::vector<std::size_t> begin(p + 1);
    for (std::size_t r = 0; r <= p; ++r) {
        begin[r] = n * r / p;
        if (how == "all on the first") begin[r] = r ? n : 0;
        if (how == "all on the last") begin[r] = 0;
        if (how == "none on the first") begin[r] = r <= 1 || p == 1 ? 0 : n * (r - 1) / (p - 1);
        if (how == "none on the last") begin[r] = p == 1 ? 0 : std::min(n, n * r / (p - 1));
        if (how == "one each") begin[r] = std::min(r, n);
        if (how == "uneven") begin[r] = n * r * r * r / (p * p * p);
    }
    begin[p] = n;
    return begin;
}

/// The rows of a rank.
template <std::size_t D, class T>
Points<T> rows_of(std::vector<std::array<T, D>> const& rows, std::vector<std::size_t> const& begin,
                  int rank) {
    auto const r = std::size_t(rank);
    return std::span<std::array<T, D> const>(rows).subspan(begin[r], begin[r + 1] - begin[r]);
}

}  // namespace zwalk::test
