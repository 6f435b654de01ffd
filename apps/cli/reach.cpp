#include "reach.hpp"

#include <fmt/format.h>

namespace zwalk::apps {

std::string reach_note(Reach const& reach, std::vector<double> const& box, int dim) {
    int const line = reach.line_of_sight < 0 ? dim - 1 : reach.line_of_sight;
    for (int axis = 0; axis < dim && !box.empty(); ++axis) {
        double const length = box[box.size() == 1 ? 0 : std::size_t(axis)];
        bool const along = axis == line;
        bool const counts =
            reach.on == Reach::On::all || along == (reach.on == Reach::On::line_of_sight);
        if (counts && length > 0 && reach.length > length / 2)
            return fmt::format(
                "{} {} is more than half of the box, whose length is {} on axis {}: of the images of a "
                "point only the nearest is found",
                reach.option, reach.length, length, axis);
    }
    return "";
}

}  // namespace zwalk::apps
