#include "scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "zwalk/core/error.hpp"

namespace zwalk::apps {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Powers of ten inside the interval, thinned out if they are many.
std::vector<double> decades(Interval i) {
    std::vector<double> out;
    double const lo = std::ceil(std::log10(i.lo)), hi = std::log10(i.hi);
    double const step = std::max(1., std::ceil((hi - lo) / 8));
    for (double e = lo; e <= hi; e += step) out.push_back(std::pow(10., e));
    return out;
}

/// "1.50e-04" -> "1.5e-4"
std::string scientific(double v, int digits) {
    std::string const s = fmt::format("{:.{}e}", v, digits - 1);
    auto const e = s.find('e');
    std::string mantissa = s.substr(0, e);
    if (mantissa.find('.') != mantissa.npos) {
        mantissa.erase(mantissa.find_last_not_of('0') + 1);
        if (mantissa.back() == '.') mantissa.pop_back();
    }
    return fmt::format("{}e{}", mantissa, std::stoi(s.substr(e + 1)));
}

}  // namespace

std::vector<double> ticks(Interval i, int count) {
    double const raw = i.length() / count, power = std::pow(10., std::floor(std::log10(raw)));
    double const step = power * (raw / power < 1.5   ? 1
                                 : raw / power < 3.5 ? 2
                                 : raw / power < 7.5 ? 5
                                                     : 10);
    std::vector<double> out;
    for (double t = std::ceil(i.lo / step); t * step <= i.hi && out.size() < 50; ++t)
        out.push_back(t == 0 ? 0 : t * step);
    return out;
}

std::string label(double v, int digits) {
    double const a = std::abs(v);
    if (v == 0) return "0";
    if (a < 1e-3 || a >= 1e6) return scientific(v, digits);
    if (a < 1) return fmt::format("{:.{}g}", v, digits);
    // All digits before the point, even where they are more than `digits`.
    double const scale = std::pow(10., std::max(0., digits - 1 - std::floor(std::log10(a))));
    return fmt::format("{:.7g}", std::round(v * scale) / scale);
}

Scale::Scale(std::vector<double> const& values, bool log, bool invert,
             std::optional<std::pair<double, double>> range)
    : log_(log), invert_(invert), ends_{infinity, -infinity} {
    if (range) {
        ends_ = {range->first, range->second};
        if (log && ends_.lo <= 0) throw InputError("--range must lie above 0 with --log");
        return;
    }
    for (double v : values)
        if (std::isfinite(v) && (!log || v > 0)) ends_ = {std::min(ends_.lo, v), std::max(ends_.hi, v)};
    if (values.empty()) ends_ = {0, 1};
    if (ends_.lo > ends_.hi)
        throw InputError(log ? "--values has no finite number above 0 to colour by (--log)"
                             : "--values has no finite number to colour by");
}

double Scale::value(double v) const { return !log_ ? v : v > 0 ? std::log(v) : -infinity; }

double Scale::position(double v) const {
    double const a = value(ends_.lo), b = value(ends_.hi);
    return b > a ? std::clamp((value(v) - a) / (b - a), 0., 1.) : .5;
}

std::vector<double> Scale::inner_ticks() const {
    std::vector<double> out;
    if (!(ends_.hi > ends_.lo)) return out;
    for (double t : log_&& ends_.hi / ends_.lo > 100 ? decades(ends_) : ticks(ends_, 5))
        if (position(t) > .05 && position(t) < .95) out.push_back(t);
    return out;
}

}  // namespace zwalk::apps
