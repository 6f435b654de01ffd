// Shapes as text.
#include <fmt/format.h>

#include <cmath>

#include "../io/output.hpp"
#include "surface.hpp"

namespace zwalk::apps {
namespace {

std::string hex(Color c) {
    auto byte = [](float x) { return int(std::lround(x * 255)); };
    return fmt::format("#{:02x}{:02x}{:02x}", byte(c.r), byte(c.g), byte(c.b));
}

std::string escaped(std::string const& text) {
    std::string out;
    for (char c : text) {
        if (c == '&') out += "&amp;";
        else if (c == '<') out += "&lt;";
        else if (c == '>') out += "&gt;";
        else out += c;
    }
    return out;
}

class SvgSurface : public Surface {
  public:
    SvgSurface(int size, Color background) {
        body_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{0}\" "
            "viewBox=\"0 0 {0} {0}\" font-family=\"sans-serif\">\n",
            size);
        rectangle(0, 0, size, size, background);
    }

    void rectangle(double x, double y, double w, double h, Color color) override {
        end_dots();
        body_ += fmt::format(
            "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" "
            "fill=\"{}\"/>\n",
            x, y, w, h, hex(color));
    }
    void line(double x0, double y0, double x1, double y1, double width, Color color) override {
        end_dots();
        body_ += fmt::format(
            "<path d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}\" stroke=\"{}\" "
            "stroke-width=\"{:.2f}\" stroke-linecap=\"round\"/>\n",
            x0, y0, x1, y1, hex(color), width);
    }
    /// Dots of one colour in a row become one path of strokes without length and with round ends,
    /// a third of the bytes of circles.
    void dot(double x, double y, double radius, Color color, double alpha) override {
        std::string const style =
            fmt::format("stroke=\"{}\" stroke-width=\"{:.2f}\" stroke-opacity=\"{:.2f}\"", hex(color),
                        2 * radius, alpha);
        // Inside one path overlaps do not add up, so transparent dots need one each.
        if (style != dots_ || alpha < 1) {
            end_dots();
            dots_ = style;
            body_ += fmt::format("<path {} stroke-linecap=\"round\" d=\"", style);
        }
        body_ += fmt::format("M{:.1f} {:.1f}h0", x, y);
    }
    void text(double x, double y, std::string const& text, double height, Align align, bool upwards,
              Color color) override {
        end_dots();
        char const* const anchor = align == Align::left     ? "start"
                                   : align == Align::centre ? "middle"
                                                            : "end";
        // Capitals of common fonts are about 0.72 of the font's size.
        body_ += fmt::format(
            "<text x=\"{0:.2f}\" y=\"{1:.2f}\" font-size=\"{2:.2f}\" fill=\"{3}\" "
            "text-anchor=\"{4}\"{5}>{6}</text>\n",
            x, y, height / .72, hex(color), anchor,
            upwards ? fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", x, y) : "", escaped(text));
    }
    void save(std::filesystem::path const& path) override {
        end_dots();
        io::Writer out(path);
        out.write(body_ + "</svg>\n");
        out.close();
    }

  private:
    void end_dots() {
        if (!dots_.empty()) body_ += "\"/>\n";
        dots_.clear();
    }

    std::string body_, dots_;
};

}  // namespace

std::unique_ptr<Surface> make_svg_surface(int size, Color background) {
    return std::make_unique<SvgSurface>(size, background);
}

}  // namespace zwalk::apps
