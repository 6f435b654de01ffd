// Simd's operations that close lanes up, by each instruction set, for every set of lanes.
#include "zwalk/exec/simd.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace zwalk;

namespace {

/// f(bits, n): each set of lanes, and a place to begin at.
template <class T, class F>
void each_set(F const& f) {
    for (std::uint32_t bits = 0; bits < 1U << simd_width<T>; ++bits) f(bits, std::size_t(bits % 11));
}

template <Isa isa, class T>
void check_append() {
    constexpr pos_t width = simd_width<T>, first = 4'000'000'000;
    alignas(64) T lanes[width];
    for (pos_t l = 0; l < width; ++l) lanes[l] = T(l) + T(.5);
    std::vector<T> a(11 + 2 * width);
    std::vector<pos_t> b(a.size());
    each_set<T>([&](std::uint32_t bits, std::size_t n) {
        std::fill(a.begin(), a.end(), T(-1));
        std::fill(b.begin(), b.end(), pos_t(7));
        std::size_t const end = Simd<isa>::append(bits, lanes, first, a.data(), b.data(), n);
        std::size_t at = n;
        for (pos_t l = 0; l < width; ++l)
            if (bits >> l & 1) {
                REQUIRE(a[at] == lanes[l]);
                REQUIRE(b[at] == first + l);
                ++at;
            }
        REQUIRE(end == at);
        for (std::size_t i = 0; i < a.size(); ++i)
            if (i < n || i >= end + width) REQUIRE((a[i] == T(-1) && b[i] == 7));
    });
}

template <Isa isa, class T>
void check_compress() {
    constexpr pos_t width = simd_width<T>;
    each_set<T>([&](std::uint32_t bits, std::size_t n) {
        std::vector<T> a(n + 2 * width);
        std::vector<pos_t> b(a.size());
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = T(i), b[i] = pos_t(3 * i);
        // The outputs begin before the inputs, in the same memory.
        unsigned const count = Simd<isa>::compress(bits, a.data() + n, b.data() + n, a.data(), b.data());
        unsigned at = 0;
        for (pos_t l = 0; l < width; ++l)
            if (bits >> l & 1) {
                REQUIRE(a[at] == T(n + l));
                REQUIRE(b[at] == pos_t(3 * (n + l)));
                ++at;
            }
        REQUIRE(count == at);
    });
}

template <Isa isa>
void check_all() {
    if (isa > best_isa()) return;
    CAPTURE(name_of(isa));
    check_append<isa, float>();
    check_append<isa, double>();
    check_compress<isa, float>();
    check_compress<isa, double>();
}

}  // namespace

TEST_CASE("lanes are closed up") {
    check_all<Isa::baseline>();
    check_all<Isa::avx2>();
    check_all<Isa::avx512>();
}
