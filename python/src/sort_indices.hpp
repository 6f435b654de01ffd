// Indices in ascending order.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "zwalk/core/index.hpp"

namespace zwalk::python {

/// Sorts indices none of which is there twice. Long lists are bits between the least and the largest index, which come out in order:
/// no comparison is a branch that nobody can foresee. An object for each thread, whose bits are all 0 between two calls.
class SortIndices {
  public:
    void operator()(index_t* begin, index_t* end) {
        constexpr std::size_t few = 32, words_for_each = 8;  // measured: else std::sort takes no longer
        auto const size = std::size_t(end - begin);
        if (size < few) return std::sort(begin, end);
        index_t least = *begin, most = *begin;
        for (index_t const* i = begin; i != end; ++i) {
            least = std::min(least, *i);
            most = std::max(most, *i);
        }
        auto const first = std::size_t(least) / 64, words = std::size_t(most) / 64 - first + 1;
        if (words > words_for_each * size) return std::sort(begin, end);
        if (bits_.size() < words) bits_.resize(words);
        for (index_t const* i = begin; i != end; ++i)
            bits_[std::size_t(*i) / 64 - first] |= std::uint64_t(1) << (*i % 64);
        for (std::size_t w = 0; w < words; ++w)
            for (std::uint64_t left = std::exchange(bits_[w], 0); left != 0; left &= left - 1)
                *begin++ = index_t((first + w) * 64) + std::countr_zero(left);
    }

  private:
    std::vector<std::uint64_t> bits_;
};

}  // namespace zwalk::python
