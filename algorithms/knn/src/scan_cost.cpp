#include "zwalk/knn/detail/scan_cost.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "zwalk/exec/isa.hpp"
#include "zwalk/nearest/ways.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

// CPU seconds on one thread of an AMD EPYC (Zen 4) with AVX-512, for floats. All of them are fits to what bench/scan_cost.py measures: it
// prints them anew, and how far a choice by these is from the best one. Only ratios matter.

constexpr double begin_scan = 2.3e-5;
constexpr double transpose = 1.3e-9;   // a coordinate of a source into columns
constexpr double pair = 2.3e-10;       // a pair, apart from its axes: bounds that are compared
constexpr double pair_axis = 2.4e-11;  // an axis of it: two operations on 16 lanes
constexpr double settle = 8.7e-8;      // one neighbour of a query: chosen, sorted, written
constexpr double group = 8;            // queries that are measured together, even where there are fewer

constexpr double begin_tree = 2.8e-5;
constexpr double sort_point = 2.2e-8;  // a source, sorted and put into nodes
constexpr double sort_axis = 1.2e-9;   // an axis of it, for each doubling of the points
constexpr double ask = 2.9e-8;         // a query, for each neighbour and axis
constexpr double met_axis = 6e-11;     // an axis of a pair that meets there
constexpr double more_axes = 6;        // what such a pair takes apart from its axes

/// Lists of more neighbours take threads more than 30 MB each. Up to 5000 the times are as foreseen.
constexpr index_t most_neighbours = 1000;

/// How much longer pairs take than with AVX-512: measured (ZWALK_ISA=avx2, baseline). Without an instruction for fma each one is a
/// call; elsewhere than on x86-64 the baseline has one, for 4 lanes (an estimate).
double slowness(Isa isa) {
    if (isa == Isa::avx512) return 1;
    if (isa == Isa::avx2) return 1.25;
#if defined(__x86_64__) && !defined(__FMA__)
    return 50;
#else
    return 2.5;
#endif
}

}  // namespace

double scan_seconds(ScanShape const& s) {
    double const n = double(s.sources), m = double(s.queries), axes = double(s.dim),
                 real = double(s.item_bytes) / 4;
    double const pairs = n * std::ceil(m / group) * group * slowness(best_isa());
    double const work = n * axes * real * transpose + pairs * real * (pair + axes * pair_axis) +
                        m * double(s.k) * settle;
    return begin_scan + work / s.threads;
}

double tree_seconds(ScanShape const& s, double near) {
    double const n = double(s.sources), m = double(s.queries), axes = double(s.dim),
                 real = double(s.item_bytes) / 4;
    double const build = n * (sort_point + axes * sort_axis * std::log2(n + 1));
    // The square root: boxes are looser than balls, the more so the more axes there are for the points to be cut along.
    double const pairs = m * n * std::sqrt(near) * slowness(best_isa());
    double const work =
        build + m * ask * (double(s.k) + axes) + pairs * real * (axes + more_axes) * met_axis;
    return begin_tree + work / s.threads;
}

double usual_share(ScanShape const& s) {
    return std::min(1., 2 * std::pow(1.5, s.dim) / double(std::max<std::size_t>(1, s.sources)));
}

bool prefers_scan(ScanShape const& shape, std::function<double()> const& near) {
    auto const asked = [](char const* name) {
        char const* const value = std::getenv(name);
        return std::string_view(value ? value : "");
    };
    if (auto const scan = asked("ZWALK_SCAN"); scan == "0" || scan == "1") return scan == "1";
    if (!asked("ZWALK_ALL_PAIRS").empty() || !asked_descents().empty()) return false;
    if (std::min(shape.k, index_t(shape.sources)) > most_neighbours) return false;
    double const scan = scan_seconds(shape);
    if (scan <= tree_seconds(shape, 0)) return true;
    return scan <= tree_seconds(shape, 1) && scan <= tree_seconds(shape, near());
}

}}}  // namespace zwalk::v0::detail
