#include "scatter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "font.hpp"
#include "scale.hpp"

namespace zwalk::apps {
namespace {

constexpr Color frame_color = rgb(0x5a6172), text_color = rgb(0xd8dce6), dot_color = rgb(0x9ecbff),
                segment_color = rgb(0xe0a458);
constexpr int shades = 1024;

struct Rectangle {
    double x, y, width, height;
};

/// Extent with a margin, so that no dot touches the frame.
Interval extent(std::vector<double> const& v) {
    Interval e{0, 1};
    if (!v.empty()) {
        auto const [lo, hi] = std::minmax_element(v.begin(), v.end());
        e = {*lo, *hi};
    }
    double margin = .02 * e.length();
    if (margin <= 0) margin = .5 * std::max(1e-300, std::abs(e.lo) > 0 ? std::abs(e.lo) : 1);
    return {e.lo - margin, e.hi + margin};
}

/// Indices ordered by shade, darkest first; points without a shade (NaN) are left out.
std::vector<std::uint32_t> by_shade(std::vector<std::uint16_t> const& shade) {
    std::array<std::size_t, shades + 2> begin{};
    for (auto s : shade) ++begin[s + 1U];
    for (std::size_t s = 1; s < begin.size(); ++s) begin[s] += begin[s - 1];
    std::vector<std::uint32_t> order(shade.size());
    std::size_t const drawn = begin[shades];
    for (std::size_t i = 0; i < shade.size(); ++i) order[begin[shade[i]]++] = std::uint32_t(i);
    order.resize(drawn);
    return order;
}

struct Layout {
    double size, text;
    Rectangle frame;
    Interval x, y;

    [[nodiscard]] double px(double v) const { return frame.x + (v - x.lo) / x.length() * frame.width; }
    [[nodiscard]] double py(double v) const {
        return frame.y + frame.height - (v - y.lo) / y.length() * frame.height;
    }
};

/// Equal scales on both axes unless that would make a sliver of the frame.
Layout layout_of(Scatter const& p, double size) {
    Layout l{size, size * .0165, {}, extent(p.x), extent(p.y)};
    Rectangle const room = {size * .085, size * .07,
                            size * (p.values.empty() && p.legend.empty() ? .88 : .775), size * .84};
    l.frame = room;
    double const aspect = l.x.length() / l.y.length();
    if (aspect > .25 && aspect < 4) {
        if (room.width / room.height > aspect) l.frame.width = room.height * aspect;
        else l.frame.height = room.width / aspect;
        l.frame.x += (room.width - l.frame.width) / 2;
        l.frame.y += (room.height - l.frame.height) / 2;
    }
    return l;
}

/// The text, or as much of its beginning as fits into a width, with dots. The fonts of an SVG's reader may
/// be a little wider than ours.
std::string shortened(std::string text, double height, double width) {
    auto const fits = [&](std::string const& t) { return 1.1 * text_width(t) * height <= width; };
    if (fits(text)) return text;
    while (!text.empty() && !fits(text + "...")) {
        while ((text.back() & 0xc0) == 0x80 && text.size() > 1)
            text.pop_back();  // all of a UTF-8 letter
        text.pop_back();
    }
    return text + "...";
}

void draw_axes(Scatter const& p, Layout const& l, Surface& s) {
    auto const& f = l.frame;
    double const w = l.size / 800, tick = l.size * .006, right = f.x + f.width, bottom = f.y + f.height;
    s.line(f.x, f.y, right, f.y, w, frame_color);
    s.line(f.x, bottom, right, bottom, w, frame_color);
    s.line(f.x, f.y, f.x, bottom, w, frame_color);
    s.line(right, f.y, right, bottom, w, frame_color);
    for (double t : ticks(l.x, 6)) {
        s.line(l.px(t), bottom, l.px(t), bottom + tick, w, frame_color);
        s.text(l.px(t), bottom + tick * 1.6 + l.text, label(t, 5), l.text, Align::centre, false,
               text_color);
    }
    for (double t : ticks(l.y, 6)) {
        s.line(f.x - tick, l.py(t), f.x, l.py(t), w, frame_color);
        s.text(f.x - tick * 1.8, l.py(t) + l.text / 2, label(t, 5), l.text, Align::right, false,
               text_color);
    }
    s.text(f.x + f.width / 2, bottom + l.size * .052, p.x_label, l.text, Align::centre, false,
           text_color);
    s.text(f.x - l.size * .062, f.y + f.height / 2, p.y_label, l.text, Align::centre, true, text_color);
    // The name of the values ends at the right margin of the same line.
    double const room =
        .985 * l.size - f.x - (p.values.empty() ? 0 : (1.1 * text_width(p.value_label) + 2) * l.text);
    s.text(f.x, f.y - l.size * .022, shortened(p.title, l.text * 1.25, room), l.text * 1.25, Align::left,
           false, text_color);
}

void draw_bar(Scatter const& p, Scale const& scale, Layout const& l, Surface& s) {
    double const x = l.frame.x + l.frame.width + l.size * .02, width = l.size * .02, y = l.frame.y,
                 height = l.frame.height, edge = x + width;
    constexpr int steps = 256;
    for (int i = 0; i < steps; ++i) {
        double const t = (i + .5) / steps;
        // From each step to the bar's end, so that no seams show between steps.
        s.rectangle(x, y, width, height * (steps - i) / steps,
                    color_of(p.colormap, p.invert ? 1 - t : t));
    }
    auto mark = [&](double v, double position) {
        double const at = y + height * (1 - position);
        s.line(edge, at, edge + l.size * .005, at, l.size / 800, frame_color);
        s.text(edge + l.size * .01, at + l.text / 2, label(v, 2), l.text, Align::left, false,
               text_color);
    };
    mark(scale.ends().lo, 0);
    mark(scale.ends().hi, 1);
    for (double v : scale.inner_ticks()) mark(v, scale.position(v));
    s.text(l.size * .985, l.frame.y - l.size * .022, p.value_label, l.text, Align::right, false,
           text_color);
}

double dot_radius(Layout const& l, std::size_t n) {
    double const area = l.frame.width * l.frame.height;
    return std::clamp(.42 * std::sqrt(area / double(std::max<std::size_t>(n, 1))), .62 * l.size / 800,
                      .0045 * l.size);
}

void draw_plain_dots(Scatter const& p, Layout const& l, Surface& s) {
    double const r = dot_radius(l, p.x.size()), area = l.frame.width * l.frame.height;
    // So transparent that even density fills the frame by half: more is denser, and shows.
    double const layers = double(p.x.size()) * std::numbers::pi * (r + .3) * (r + .3) / area;
    double const alpha = std::clamp(.55 / layers, .04, .9);
    for (std::size_t i = 0; i < p.x.size(); ++i) s.dot(l.px(p.x[i]), l.py(p.y[i]), r, dot_color, alpha);
}

void draw_coloured_dots(Scatter const& p, Scale const& scale, Layout const& l, Surface& s) {
    std::vector<std::uint16_t> shade(p.x.size());
    for (std::size_t i = 0; i < shade.size(); ++i)
        shade[i] = std::uint16_t(
            std::isnan(p.values[i]) ? shades : int(scale.shade(p.values[i]) * (shades - 1) + .5));
    double const r = dot_radius(l, p.x.size());
    for (auto i : by_shade(shade))
        s.dot(l.px(p.x[i]), l.py(p.y[i]), r, color_of(p.colormap, double(shade[i]) / (shades - 1)), 1);
}

void draw_own_colours(Scatter const& p, Layout const& l, Surface& s) {
    double const r = dot_radius(l, p.x.size());
    for (std::size_t i = 0; i < p.x.size(); ++i) s.dot(l.px(p.x[i]), l.py(p.y[i]), r, p.colors[i], 1);
    double const x = l.frame.x + l.frame.width + l.size * .03;
    double y = l.frame.y + l.text;
    for (LegendEntry const& entry : p.legend) {
        s.dot(x, y - l.text * .35, l.size * .006, entry.color, 1);
        s.text(x + l.size * .015, y, entry.text, l.text, Align::left, false, text_color);
        y += l.text * 1.7;
    }
    s.text(l.size * .985, l.frame.y - l.size * .022, p.value_label, l.text, Align::right, false,
           text_color);
}

void draw_segments(Scatter const& p, Layout const& l, Surface& s) {
    for (Segment const& e : p.segments)
        s.line(l.px(e.x0), l.py(e.y0), l.px(e.x1), l.py(e.y1), l.size / 1000, segment_color);
}

}  // namespace

void draw(Scatter const& plot, Surface& surface, int size) {
    Layout const layout = layout_of(plot, size);
    draw_segments(plot, layout, surface);
    if (!plot.colors.empty()) {
        draw_own_colours(plot, layout, surface);
    } else if (plot.values.empty()) {
        draw_plain_dots(plot, layout, surface);
    } else {
        Scale const scale(plot.values, plot.log, plot.invert, plot.range);
        draw_coloured_dots(plot, scale, layout, surface);
        draw_bar(plot, scale, layout, surface);
    }
    draw_axes(plot, layout, surface);
}

}  // namespace zwalk::apps
