// One block of 16 float sources in 3-D, in portable forms: its distances, and which of them are within a limit. What each becomes is
// counted in its machine code, for CPUs that aren't here, too (docs/performance/cpus.md):
//
//   aarch64-linux-gnu-g++ -O2 -ffp-contract=off -std=c++20 -I framework/include -c bench/simd_forms.cpp -o forms.o
//   aarch64-linux-gnu-objdump -d forms.o --disassemble=plain_loops | grep -c '^ .*:'
#include <cmath>
#include <cstdint>
#include <cstring>
#include <experimental/simd>
#if __has_include(<hwy/highway.h>)
#include <hwy/highway.h>
#endif

#include "zwalk/exec/simd.hpp"

namespace {

constexpr int width = zwalk::simd_width<float>;

}  // namespace

/// As kernels are written.
extern "C" std::uint32_t plain_loops(float const* const* column, float const* q, float limit,
                                     float* d2) {
    ZWALK_SIMD_LOOP
    for (int l = 0; l < width; ++l) d2[l] = 0;
    ZWALK_AXES_LOOP
    for (int j = 0; j < 3; ++j) {
        float const x = q[j];
        float const* const sources = column[j];
        ZWALK_SIMD_LOOP
        for (int l = 0; l < width; ++l) {
            float const dx = sources[l] - x;
            d2[l] = std::fma(dx, dx, d2[l]);
        }
    }
    return zwalk::Simd<zwalk::Isa::baseline>::at_most(d2, limit);
}

/// With C++'s parallelism TS.
extern "C" std::uint32_t parallelism_ts(float const* const* column, float const* q, float limit,
                                        float* d2) {
    namespace stdx = std::experimental;
    using Lanes = stdx::fixed_size_simd<float, width>;
    Lanes sum = 0;
    for (int j = 0; j < 3; ++j) {
        Lanes const dx = Lanes(column[j], stdx::element_aligned) - q[j];
        sum = stdx::fma(dx, dx, sum);
    }
    sum.copy_to(d2, stdx::element_aligned);
    auto const within = sum <= limit;
    std::uint32_t bits = 0;
    for (int l = 0; l < width; ++l) bits |= std::uint32_t(within[std::size_t(l)]) << l;
    return bits;
}

/// With the vectors of g++ and clang, which have no fma.
extern "C" std::uint32_t vector_extensions(float const* const* column, float const* q, float limit,
                                           float* d2) {
    using Lanes = float __attribute__((vector_size(64)));
    using Words = std::int32_t __attribute__((vector_size(64)));
    Lanes sum = {};
    for (int j = 0; j < 3; ++j) {
        Lanes dx;
        std::memcpy(&dx, column[j], sizeof dx);
        dx -= q[j];
        for (int l = 0; l < width; ++l) sum[l] = std::fma(dx[l], dx[l], sum[l]);
    }
    std::memcpy(d2, &sum, sizeof sum);
    constexpr Words place = {1 << 0, 1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                             1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
    Words const bit = (sum <= limit) & place;
    std::uint32_t bits = 0;
    for (int l = 0; l < width; ++l) bits |= std::uint32_t(bit[l]);
    return bits;
}

#if __has_include(<hwy/highway.h>)
/// With Highway (libhwy-dev), which wants -march=armv8-a+crypto for NEON, -maes -mpclmul for AVX2.
extern "C" std::uint32_t highway(float const* const* column, float const* q, float limit, float* d2) {
    namespace hn = hwy::HWY_NAMESPACE;
    hn::ScalableTag<float> const lanes;
    constexpr int some = int(hn::MaxLanes(hn::ScalableTag<float>()));
    std::uint32_t bits = 0;
#pragma GCC unroll 8
    for (int begin = 0; begin < width; begin += some) {
        auto sum = hn::Zero(lanes);
#pragma GCC unroll 8
        for (int j = 0; j < 3; ++j) {
            auto const dx = hn::Sub(hn::LoadU(lanes, column[j] + begin), hn::Set(lanes, q[j]));
            sum = hn::MulAdd(dx, dx, sum);
        }
        hn::StoreU(sum, lanes, d2 + begin);
        std::uint8_t within[8] = {};
        hn::StoreMaskBits(lanes, hn::Le(sum, hn::Set(lanes, limit)), within);
        std::uint16_t word;
        std::memcpy(&word, within, sizeof word);
        bits |= std::uint32_t(word) << begin;
    }
    return bits;
}
#endif
