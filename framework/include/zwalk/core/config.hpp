// Compiler portability: function markers that a kernel written once needs on every backend, and what is on.
#pragma once

#if __cplusplus < 202002L
#error "zwalk: this needs C++20: pass -std=c++20, or link zwalk::zwalk by CMake"
#endif

#if defined(__CUDACC__)
#define ZWALK_HD __host__ __device__
#define ZWALK_INLINE __host__ __device__ __forceinline__
// Before a template that is for host and device, and calls what its caller gives it, which may be for either.
#define ZWALK_ANY_CALLABLE _Pragma("nv_exec_check_disable")
#else
#define ZWALK_HD
#define ZWALK_INLINE inline __attribute__((always_inline))
#define ZWALK_ANY_CALLABLE
#endif
// As ZWALK_INLINE, of the host alone. nvcc compiles that, too: what GPUs of ranks import for their walks is decided on the host.
#define ZWALK_CPU_INLINE inline __attribute__((always_inline))

#if defined(__CUDA_ARCH__)
#define ZWALK_UNROLL _Pragma("unroll")
#define ZWALK_ROLLED _Pragma("unroll 1")
#else
#define ZWALK_UNROLL
#define ZWALK_ROLLED
#endif

// The thread sanitizer is on.
#if defined(__SANITIZE_THREAD__)
#define ZWALK_TSAN
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ZWALK_TSAN
#endif
#endif
