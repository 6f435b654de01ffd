#include "colormap.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "zwalk/core/error.hpp"

namespace zwalk::apps {
namespace {

// Samples at equal steps of viridis and magma by Stefan van der Walt and Nathaniel Smith (CC0).
using Table = std::array<std::uint32_t, 17>;
constexpr Table viridis_table = {0x440154, 0x48186a, 0x472d7b, 0x424086, 0x3b528b, 0x33638d,
                                 0x2c728e, 0x26828e, 0x21918c, 0x1fa088, 0x28ae80, 0x3fbc73,
                                 0x5ec962, 0x84d44b, 0xaddc30, 0xd8e219, 0xfde725};
constexpr Table magma_table = {0x000004, 0x0a0822, 0x1d1147, 0x36106b, 0x51127c, 0x6a1c81,
                               0x832681, 0x9c2e7f, 0xb73779, 0xd0416f, 0xe75263, 0xf56b5c,
                               0xfc8961, 0xfea772, 0xfec488, 0xfde2a3, 0xfcfdbf};

Color mix(Color a, Color b, float t) {
    return {a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

Color sample(Table const& table, double t) {
    double const x = t * double(table.size() - 1);
    auto const i = std::min(std::size_t(x), table.size() - 2);
    return mix(rgb(table[i]), rgb(table[i + 1]), float(x - double(i)));
}

}  // namespace

Colormap colormap_named(std::string const& name) {
    if (name == "viridis") return Colormap::viridis;
    if (name == "magma") return Colormap::magma;
    if (name == "gray") return Colormap::gray;
    throw InputError("--colormap must be viridis, magma or gray, not '" + name + "'");
}

Color color_of(Colormap map, double t) {
    t = std::clamp(t, 0., 1.);
    if (map == Colormap::viridis) return sample(viridis_table, t);
    if (map == Colormap::magma) return sample(magma_table, t);
    return mix(rgb(0x2a2d33), rgb(0xffffff), float(t));
}

Color distinct_color(std::size_t i) {
    // Hues a golden section apart never come close again soon; two lightnesses take turns.
    double const hue = std::fmod(.58 + double(i) * .6180339887498949, 1.) * 6;
    float const low = i % 2 ? .45F : .2F, ramp = float(1 - std::abs(std::fmod(hue, 2.) - 1));
    float const middle = low + (1 - low) * ramp;
    switch (int(hue)) {
        case 0:
            return {1, middle, low};
        case 1:
            return {middle, 1, low};
        case 2:
            return {low, 1, middle};
        case 3:
            return {low, middle, 1};
        case 4:
            return {middle, low, 1};
        default:
            return {1, low, middle};
    }
}

}  // namespace zwalk::apps
