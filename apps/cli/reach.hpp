// Distances in a periodic box.
#pragma once
#include <string>
#include <vector>

namespace zwalk::apps {

/// A distance that a command goes by, and the option that gives it.
struct Reach {
    enum class On { all, line_of_sight, others };
    std::string option;
    double length = 0;
    On on = On::all;         ///< the axes that it is measured on
    int line_of_sight = -1;  ///< the last, if below 0
};

/// The note on a distance that is more than half of the box, where a second image of a point may be as near as the first:
/// only the nearest is found. "" if it isn't.
std::string reach_note(Reach const& reach, std::vector<double> const& box, int dim);

}  // namespace zwalk::apps
