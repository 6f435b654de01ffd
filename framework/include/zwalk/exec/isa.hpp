// Instruction sets of one CPU family in one program: kernels are compiled for each, and the best one
// that the machine has is chosen when a walk starts.
//
//   with_isa(best_isa(), [&]<Isa isa>() { kernel<isa>(...); });
//
// The kernel is compiled once per Isa, with everything that it calls inlined into it: SIMD loops in plain
// C++ become vector code of that instruction set, and no function that could run elsewhere is compiled
// for it, so there is nothing for a linker to mix up. Operations that a loop can't express in C++
// (compressing, bits of a comparison) are in exec/simd.hpp.
//
// g++ inlines whole call trees on request (gnu::flatten). clang has flags for that: those of the CMake target zwalk::kernels,
// which define ZWALK_INLINED_KERNELS, too (cmake/ZwalkKernels.cmake). It leaves a function apart that is for no instruction
// set if one of its calls stays a call, and vectors or structs of two registers go through that. So what kernels call by its
// address returns no struct.
#pragma once
#include "zwalk/core/config.hpp"

// By clang without those flags kernels are compiled once, for the instruction set of -march, if that is AVX2 or AVX-512. Elsewhere
// they are plain C++ for the flags' CPU, which best_isa() calls baseline.
#if defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define ZWALK_ISA_OF_FLAGS avx512
#elif defined(__AVX2__) && defined(__FMA__) && defined(__BMI2__)
#define ZWALK_ISA_OF_FLAGS avx2
#endif
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__) && \
    (!defined(__clang__) || defined(ZWALK_INLINED_KERNELS) || defined(ZWALK_ISA_OF_FLAGS))
#define ZWALK_X86_KERNELS 1
// Features, not architectures: a caller's own -march may be larger, and these only add to it.
#define ZWALK_TARGET_AVX2 "avx2,fma,bmi,bmi2,popcnt,lzcnt,f16c"
#if defined(__clang__)
#define ZWALK_WIDE_VECTORS  // a flag of it, but no target
#else
#define ZWALK_WIDE_VECTORS ",prefer-vector-width=512"
#endif
#define ZWALK_TARGET_AVX512 \
    ZWALK_TARGET_AVX2 ",avx512f,avx512bw,avx512dq,avx512vl,avx512cd" ZWALK_WIDE_VECTORS
#else
#define ZWALK_X86_KERNELS 0
#endif
// There, under sanitizers, and where ZWALK_ONE_ISA is defined (most tests), kernels are compiled once, by ZWALK_ISA_ONLY for the
// set of -march, and without inlining whole call trees: each of the two takes long, under sanitizers minutes per file. The
// results are the same bits.
#if (defined(__clang__) && !defined(ZWALK_INLINED_KERNELS)) || defined(__SANITIZE_ADDRESS__) || \
    defined(__SANITIZE_THREAD__) || defined(ZWALK_ONE_ISA)
#define ZWALK_FLATTEN
#define ZWALK_ISA_CALL_OF(isa) call_##isa
#define ZWALK_ISA_CALL(isa) ZWALK_ISA_CALL_OF(isa)
#if ZWALK_X86_KERNELS && defined(ZWALK_ISA_OF_FLAGS)
#define ZWALK_ISA_ONLY ZWALK_ISA_CALL(ZWALK_ISA_OF_FLAGS)
#else
#define ZWALK_ISA_ONLY call_baseline
#endif
#elif defined(__clang__)
#define ZWALK_FLATTEN
#else
#define ZWALK_FLATTEN gnu::flatten,
#endif

namespace zwalk { inline namespace v0 {

/// What kernels may be compiled for, in ascending order. `baseline` is that of the compiler's flags.
enum class Isa : unsigned char { baseline, avx2, avx512 };

/// The best one that this CPU and this build have, found once. The environment variable ZWALK_ISA
/// (baseline, avx2 or avx512) selects a lower one; results are the same bits for all.
Isa best_isa();
char const* name_of(Isa isa);

namespace detail {

template <class F>
[[gnu::noinline]] auto call_baseline(F const& f) {
    return f.template operator()<Isa::baseline>();
}
#if ZWALK_X86_KERNELS
template <class F>
[[ gnu::target(ZWALK_TARGET_AVX2), ZWALK_FLATTEN gnu::noinline ]] auto call_avx2(F const& f) {
    return f.template operator()<Isa::avx2>();
}
template <class F>
[[ gnu::target(ZWALK_TARGET_AVX512), ZWALK_FLATTEN gnu::noinline ]] auto call_avx512(F const& f) {
    return f.template operator()<Isa::avx512>();
}
#endif

}  // namespace detail

/// f<isa>(), compiled for that instruction set. `isa` must be one that the CPU has. (With ZWALK_ISA_ONLY: see
/// above.)
template <class F>
ZWALK_CPU_INLINE auto with_isa([[maybe_unused]] Isa isa, F const& f) {
#if defined(ZWALK_ISA_ONLY)
    return detail::ZWALK_ISA_ONLY(f);
#else
#if ZWALK_X86_KERNELS
    if (isa == Isa::avx512) return detail::call_avx512(f);
    if (isa == Isa::avx2) return detail::call_avx2(f);
#endif
    return detail::call_baseline(f);
#endif
}

}}  // namespace zwalk::v0
