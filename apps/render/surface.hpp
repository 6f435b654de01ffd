// What a picture is drawn on: pixels (PNG) or shapes (SVG).
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace zwalk::apps {

struct Color {
    float r, g, b;  ///< 0 to 1, sRGB
};

constexpr Color rgb(std::uint32_t hex) {
    return {float(hex >> 16 & 255) / 255, float(hex >> 8 & 255) / 255, float(hex & 255) / 255};
}

enum class Align { left, centre, right };

/// Coordinates in pixels, y downwards; what is drawn later covers what was drawn before.
class Surface {
  public:
    virtual ~Surface() = default;
    virtual void rectangle(double x, double y, double width, double height, Color color) = 0;
    virtual void line(double x0, double y0, double x1, double y1, double width, Color color) = 0;
    virtual void dot(double x, double y, double radius, Color color, double alpha) = 0;
    /// (x, y): where the baseline begins, has its middle or ends. `upwards`: turned to the left.
    virtual void text(double x, double y, std::string const& text, double height, Align align,
                      bool upwards, Color color) = 0;
    virtual void save(std::filesystem::path const& path) = 0;
};

/// @throws InputError  when the program was built without libpng
std::unique_ptr<Surface> make_png_surface(int size, Color background);
std::unique_ptr<Surface> make_svg_surface(int size, Color background);

}  // namespace zwalk::apps
