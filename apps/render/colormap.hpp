// Colours for numbers.
#pragma once
#include <cstddef>
#include <string>

#include "surface.hpp"

namespace zwalk::apps {

enum class Colormap { viridis, magma, gray };

/// @throws InputError  no such colour map
Colormap colormap_named(std::string const& name);

/// The colour of t in [0, 1].
Color color_of(Colormap map, double t);

/// Colours for things in no order: any number of them, neighbours far apart in hue.
Color distinct_color(std::size_t i);

}  // namespace zwalk::apps
