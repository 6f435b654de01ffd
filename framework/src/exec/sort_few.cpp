#include "zwalk/exec/sort_few.hpp"

#include <algorithm>
#include <boost/sort/pdqsort/pdqsort.hpp>
#include <limits>

#include "zwalk/exec/isa.hpp"
#include "zwalk/exec/simd.hpp"

namespace zwalk { inline namespace v0 {
namespace {

// Why not a library's sort: for 8, 24 and 48 random keys pdqsort takes 48, 220 and 520 ns, counting 8 to 16, 40 to 53 and 135 to
// 164 (AVX-512 and AVX2).
constexpr std::size_t lanes = 8;

/// Whether 64-bit integers can be compared lane by lane: SSE2 has no instruction for it.
template <Isa isa>
constexpr bool compares_lanes() {
#if defined(__AVX2__)
    return true;
#else
    return isa != Isa::baseline;
#endif
}

template <Isa isa>
ZWALK_CPU_INLINE void sort_by_counting(std::span<std::uint64_t> keys) {
    constexpr std::uint64_t sign = std::uint64_t(1)
                                   << 63;  // only signed numbers are compared lane by lane
    std::size_t const n = keys.size(), whole = (n + lanes - 1) / lanes * lanes;
    alignas(64) std::int64_t key[few_keys];
    for (std::size_t i = 0; i < n; ++i) key[i] = std::int64_t(keys[i] ^ sign);
    for (std::size_t i = n; i < whole; ++i) key[i] = std::numeric_limits<std::int64_t>::max();
    for (std::size_t begin = 0; begin < n; begin += lanes) {
        alignas(64) std::int64_t less[lanes] = {};  // how many keys are less than each of this block
        for (std::size_t j = 0; j < n; ++j) {
            ZWALK_SIMD_LOOP
            for (std::size_t l = 0; l < lanes; ++l) less[l] += key[j] < key[begin + l];
        }
        for (std::size_t l = 0, end = std::min(lanes, n - begin); l < end; ++l)
            keys[std::size_t(less[l])] = std::uint64_t(key[begin + l]) ^ sign;
    }
}

}  // namespace

void sort_few(std::span<std::uint64_t> keys, Isa isa) {
    if (keys.size() < 2) return;
    with_isa(isa, [&]<Isa of_kernel>() {
        if constexpr (compares_lanes<of_kernel>())
            if (keys.size() <= few_keys) return sort_by_counting<of_kernel>(keys);
        boost::sort::pdqsort_branchless(keys.begin(), keys.end());
    });
}

}}  // namespace zwalk::v0
