#include "icicle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scale.hpp"

namespace zwalk::apps {
namespace {

constexpr Color frame_color = rgb(0x5a6172), text_color = rgb(0xd8dce6);

/// Where distances are on the picture: their logarithm, the largest on top.
class Axis {
  public:
    Axis(Icicle const& plot, double top, double height) : top_(top), height_(height) {
        double lo = std::numeric_limits<double>::infinity(), hi = 0;
        for (IcicleBar const& bar : plot.bars)
            for (auto const& leave : bar.leaves) {
                double const distance = 1 / leave.first;
                if (!(distance > 0) || std::isinf(distance)) continue;
                lo = std::min(lo, distance);
                hi = std::max(hi, distance);
            }
        if (hi == 0) lo = hi = 1;  // all points are copies, or there are none
        ends_ = {std::log(lo * .9), std::log(hi * 1.1)};
    }
    /// lambda 0: the top; infinite: the bottom.
    [[nodiscard]] double at(double lambda) const {
        double const distance = lambda > 0 ? -std::log(lambda) : ends_.hi;
        return top_ + height_ * (ends_.hi - std::clamp(distance, ends_.lo, ends_.hi)) / ends_.length();
    }
    [[nodiscard]] std::vector<double> ticks() const {
        std::vector<double> all{std::exp(ends_.lo), std::exp(ends_.hi)};
        Scale const scale(all, true, false, {});
        return scale.inner_ticks();
    }

  private:
    double top_, height_;
    Interval ends_{};
};

/// The bar's shape, in steps that can be seen. Each begins at the top of the bar, and the bar half a pixel
/// above, so that no seams show.
void draw_bar(IcicleBar const& bar, double centre, double unit, Axis const& axis, Surface& s) {
    double points = bar.points, drawn = points, y = axis.at(bar.birth);
    double const top = y - .5;
    auto const step = [&](double to) {
        if (to > y) s.rectangle(centre - drawn * unit / 2, top, drawn * unit, to - top, bar.color);
        y = std::max(y, to);
        drawn = points;
    };
    for (auto const& [lambda, count] : bar.leaves) {
        double const here = axis.at(lambda);
        if (here > y && (drawn - points) * unit > .5) step(here);
        points -= count;
    }
    if (!bar.leaves.empty()) step(axis.at(bar.leaves.back().first));
}

}  // namespace

void draw(Icicle const& plot, Surface& s, int pixels) {
    double const size = pixels, text = size * .0165, left = size * .1, width = size * .86,
                 top = size * .08, height = size * .86;
    Axis const axis(plot, top, height);
    auto const& bars = plot.bars;
    double const unit = bars.empty() ? 0 : width / bars[0].points;
    // Bars that one comes apart into lie side by side, in its middle.
    std::vector<double> inside(bars.size(), 0), next(bars.size(), 0);
    for (IcicleBar const& bar : bars)
        if (bar.parent >= 0) inside[std::size_t(bar.parent)] += bar.points;
    for (std::size_t i = 0; i < bars.size(); ++i) {
        double centre = left + width / 2;
        if (bars[i].parent >= 0) {
            double& begin = next[std::size_t(bars[i].parent)];
            centre = begin + bars[i].points * unit / 2;
            begin += bars[i].points * unit;
        }
        next[i] = centre - inside[i] * unit / 2;
        draw_bar(bars[i], centre, unit, axis, s);
    }
    for (double const distance : axis.ticks()) {
        double const y = axis.at(1 / distance);
        s.line(left - size * .006, y, left, y, size / 800, frame_color);
        s.text(left - size * .011, y + text / 2, label(distance, 3), text, Align::right, false,
               text_color);
    }
    s.line(left, top, left, top + height, size / 800, frame_color);
    s.text(size * .03, top + height / 2, "distance", text, Align::centre, true, text_color);
    s.text(left, top - size * .022, plot.title, text * 1.25, Align::left, false, text_color);
}

}  // namespace zwalk::apps
