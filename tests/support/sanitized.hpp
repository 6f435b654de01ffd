// Sizes of tests under sanitizers, where they take some ten times as long.
#pragma once
#include <cstddef>

#if defined(__has_feature)  // clang
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ZWALK_TEST_SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ZWALK_TEST_SANITIZED 1
#endif

namespace test {

#ifdef ZWALK_TEST_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// n, but under sanitizers a `part`-th of it: for tests that need many points only to be hard enough.
constexpr std::size_t fewer(std::size_t n, std::size_t part) { return sanitized ? n / part : n; }

}  // namespace test
