// Read once for a whole target where ZWALK_PCH is on (ZwalkPrecompile.cmake). Files include what they use all the same: most
// builds are without.
#include <fmt/format.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <complex>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#if __has_include(<boost/pfr/core.hpp>)  // not all of these targets know Boost
#include <boost/pfr/core.hpp>
#include <boost/sort/pdqsort/pdqsort.hpp>
#endif
