// An input of which every rank has a part.
#pragma once
#include <vector>

#include "dist/spreads.hpp"
#include "support/points.hpp"
#include "zwalk/core/points.hpp"

namespace zwalk::test {

/// All rows of an input, and how they are spread.
template <int D, class T>
struct Input {
    ::test::Rows<D, T> rows;
    std::vector<std::size_t> begin;

    [[nodiscard]] Points<T> all() const { return Points<T>(rows); }
    [[nodiscard]] Points<T> of(int rank) const { return rows_of(rows, begin, rank); }
};

}  // namespace zwalk::test
