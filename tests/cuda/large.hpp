// How large the larger sets of the device tests are.
#pragma once
#include <cstddef>
#include <cstdlib>

namespace test {

/// Small under compute-sanitizer.
inline std::size_t large() {
    char const* const asked = std::getenv("ZWALK_TEST_POINTS");
    return asked ? std::strtoull(asked, nullptr, 10) : 200000;
}

}  // namespace test
