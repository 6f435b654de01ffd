// An input of which every rank has a part.
#pragma once
#include <vector>

#include "support/points.hpp"
#include "zwalk/core/points.hpp"

namespace zwalk::test {

/// All rows of an input, and how they are spread.
template <int D, class T>
struct Input {
    ::test::Rows<D, T> rows;
    std::vector<std::size_t> begin;

    [[nodiscard]] Points<T> all() const { return {rows.data()->data(), rows.size(), D}; }
    [[nodiscard]] Points<T> of(int rank) const {
        auto const r = std::size_t(rank);
        return {rows.data()->data() + begin[r] * D, begin[r + 1] - begin[r], D};
    }
};

}  // namespace zwalk::test
