#include "zwalk/knn/scan_cost.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "zwalk/core/points.hpp"
#include "zwalk/exec/isa.hpp"
#include "zwalk/nearest/ways.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

double scan_seconds(ScanShape const&) { return 0; }
double tree_seconds(ScanShape const&) { return 1; }

bool prefers_scan(ScanShape const& shape) {
    auto const asked = [](char const* name) {
        char const* const value = std::getenv(name);
        return std::string_view(value ? value : "");
    };
    if (auto const scan = asked("ZWALK_SCAN"); !scan.empty()) return scan != "0";
    if (!asked("ZWALK_ALL_PAIRS").empty() || !asked_descents().empty()) return false;
    return scan_seconds(shape) < tree_seconds(shape);
}

}}}  // namespace zwalk::v0::detail
