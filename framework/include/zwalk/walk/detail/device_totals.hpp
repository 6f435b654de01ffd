// The totals that the threads of a device add to become one there: a total each of a hundred thousand threads is more than a
// walk should move to the host and back.
#pragma once
#include <cstddef>

#include "zwalk/core/config.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class Total>
struct StartTotals {
    Total* totals;
    ZWALK_HD void operator()(std::size_t i) const { totals[i] = Total{}; }
};

/// Total i gets i + left, i + 2 left, ... of n.
template <class I, class Total>
struct CombineTotals {
    I trait;
    Total* totals;
    std::size_t n, left;
    ZWALK_HD void operator()(std::size_t i) const {
        for (std::size_t j = i + left; j < n; j += left) trait.combine(totals[i], totals[j]);
    }
};

/// Makes the first of n >= 1 totals that of all, in the same order each time.
template <class Device, class I, class Total>
void combine_totals(Device& device, I const& trait, Total* totals, std::size_t n) {
    constexpr std::size_t at_a_time = 8;  // totals of one thread, which waits for memory at each of them
    while (n > 1) {
        std::size_t const left = (n + at_a_time - 1) / at_a_time;
        device.for_each(left, CombineTotals<I, Total>{trait, totals, n, left});
        n = left;
    }
}

}}}  // namespace zwalk::v0::detail
