// A scatter plot: points in a frame, coloured by a value.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "colormap.hpp"
#include "surface.hpp"

namespace zwalk::apps {

/// A colour and what it stands for.
struct LegendEntry {
    Color color;
    std::string text;
};

/// A line in the plane of the points.
struct Segment {
    double x0, y0, x1, y1;
};

struct Scatter {
    std::vector<double> x, y;
    std::vector<Segment> segments;    ///< drawn below the points
    std::vector<double> values;       ///< one per point, or none: all points look the same
    std::vector<Color> colors;        ///< one per point, drawn in order; instead of values
    std::vector<LegendEntry> legend;  ///< of these colours
    std::string x_label, y_label, value_label, title;
    Colormap colormap = Colormap::magma;
    bool log = false;     ///< colour by the logarithm; values <= 0 get the lowest colour
    bool invert = false;  ///< small values bright and on top
    std::optional<std::pair<double, double>> range{};  ///< values at the ends of the colours
};

inline constexpr Color background = rgb(0x0d0f14);

/// Draws the plot over a whole picture of size x size pixels. Bright points lie on top; dots
/// shrink as they become many.
/// @throws InputError  a range that a logarithm can't show, or no finite values
void draw(Scatter const& plot, Surface& surface, int size);

}  // namespace zwalk::apps
