// Read once for a whole target where ZWALK_PCH is on (ZwalkPrecompile.cmake). Files include what they use all the same: most
// builds are without.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>
