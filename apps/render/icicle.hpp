// The condensed tree of a clustering as an icicle plot.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "surface.hpp"

namespace zwalk::apps {

/// A cluster: a bar that narrows as points leave it, going down from larger to smaller distances.
struct IcicleBar {
    std::ptrdiff_t parent = -1;  ///< its index; parents come before their children
    double points = 0;
    double birth = 0;  ///< lambda; 0: from the top of the plot
    /// When points leave: lambda, ascending, and how many do.
    std::vector<std::pair<double, double>> leaves;
    Color color{};
};

struct Icicle {
    std::vector<IcicleBar> bars;
    std::string title;
};

/// Draws the plot over a whole picture of size x size pixels. The vertical axis is distance, 1 / lambda, on a
/// logarithmic scale; the width of a bar is the number of points that are still in it.
void draw(Icicle const& plot, Surface& surface, int size);

}  // namespace zwalk::apps
