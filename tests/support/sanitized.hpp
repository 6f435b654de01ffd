// Sizes of tests under sanitizers, where they take some ten times as long.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <vector>

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

/// `all`, but under sanitizers every `part`-th of them, beginning with the first: for tests that do with each the same again.
template <class T>
std::vector<T> some(std::vector<T> all, std::size_t part) {
    if (!sanitized) return all;
    std::vector<T> kept;
    for (std::size_t i = 0; i < all.size(); i += part) kept.push_back(all[i]);
    return kept;
}
template <class T>
std::vector<T> some(std::initializer_list<T> all, std::size_t part) {
    return some(std::vector<T>(all), part);
}

}  // namespace test
