// A font of strokes: letters at any size without a font library.
#pragma once
#include <string>
#include <vector>

namespace zwalk::apps {

/// A line of a letter, in units of the height of a capital; (0, 0) is where the baseline begins,
/// y grows downwards.
struct Stroke {
    double x0, y0, x1, y1;
};

/// The strokes of a line of text. Characters that the font lacks are left blank.
std::vector<Stroke> strokes_of(std::string const& text);

/// The width of a line of text in the same unit.
double text_width(std::string const& text);

}  // namespace zwalk::apps
