// Compiler portability: function markers that a kernel written once needs on every backend, and what is on.
#pragma once

#if defined(__CUDACC__)
#define ZWALK_HD __host__ __device__
#define ZWALK_INLINE __host__ __device__ __forceinline__
#else
#define ZWALK_HD
#define ZWALK_INLINE inline __attribute__((always_inline))
#endif

#if defined(__CUDA_ARCH__)
#define ZWALK_UNROLL _Pragma("unroll")
#else
#define ZWALK_UNROLL
#endif

// The thread sanitizer is on.
#if defined(__SANITIZE_THREAD__)
#define ZWALK_TSAN
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ZWALK_TSAN
#endif
#endif
