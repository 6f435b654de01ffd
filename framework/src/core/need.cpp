#include "zwalk/core/need.hpp"

#include <algorithm>
#include <limits>

namespace zwalk { inline namespace v0 {
namespace {

std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
    std::uint64_t const most = std::numeric_limits<std::uint64_t>::max();
    return b > most - a ? most : a + b;
}

}  // namespace

std::uint64_t Need::working() const { return std::max({sort, build, walk}); }

std::uint64_t Need::peak() const {
    return saturating_sum(saturating_sum(input, program),
                          std::max({sort, build, saturating_sum(walk, result)}));
}

}}  // namespace zwalk::v0
