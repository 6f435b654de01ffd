// Pixels with anti-aliased edges, written by libpng.
#include <png.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "../io/output.hpp"
#include "font.hpp"
#include "surface.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::apps {
namespace {

class PngSurface : public Surface {
  public:
    PngSurface(int size, Color background)
        : size_(size), pixels_(std::size_t(size) * std::size_t(size), background) {}

    void rectangle(double x, double y, double w, double h, Color color) override {
        // Coverage of a pixel is the product of its coverages along x and y.
        cover(
            x, y, x + w, y + h,
            [=](double px, double py) {
                double const cx = std::min(px + .5, x + w) - std::max(px - .5, x);
                double const cy = std::min(py + .5, y + h) - std::max(py - .5, y);
                return std::max(cx, 0.) * std::max(cy, 0.);
            },
            color, 1);
    }

    void line(double x0, double y0, double x1, double y1, double width, Color color) override {
        double const r = width / 2, dx = x1 - x0, dy = y1 - y0, length2 = dx * dx + dy * dy;
        cover(
            std::min(x0, x1) - r, std::min(y0, y1) - r, std::max(x0, x1) + r, std::max(y0, y1) + r,
            [=](double px, double py) {
                double t = length2 > 0 ? ((px - x0) * dx + (py - y0) * dy) / length2 : 0;
                t = std::clamp(t, 0., 1.);
                return r + .5 - std::hypot(px - x0 - t * dx, py - y0 - t * dy);
            },
            color, 1);
    }

    void dot(double x, double y, double radius, Color color, double alpha) override {
        cover(
            x - radius, y - radius, x + radius, y + radius,
            [=](double px, double py) {
                return radius + .5 - std::sqrt((px - x) * (px - x) + (py - y) * (py - y));
            },
            color, alpha);
    }

    void text(double x, double y, std::string const& text, double height, Align align, bool upwards,
              Color color) override {
        double const width = text_width(text) * height;
        double const shift = align == Align::left ? 0 : align == Align::centre ? -width / 2 : -width;
        auto place = [&](double u, double v, double& px, double& py) {
            u = u * height + shift, v *= height;
            px = upwards ? x + v : x + u;
            py = upwards ? y - u : y + v;
        };
        for (Stroke const& s : strokes_of(text)) {
            double x0, y0, x1, y1;
            place(s.x0, s.y0, x0, y0);
            place(s.x1, s.y1, x1, y1);
            line(x0, y0, x1, y1, std::max(1.1, height * .13), color);
        }
    }

    void save(std::filesystem::path const& path) override;

  private:
    /// Blends `color` into the pixels of a rectangle; coverage(x, y) at their centres is cut to
    /// [0, 1].
    template <class Coverage>
    void cover(double x0, double y0, double x1, double y1, Coverage const& coverage, Color color,
               double alpha) {
        int const left = std::max(0, int(std::floor(x0 - .5))),
                  top = std::max(0, int(std::floor(y0 - .5)));
        int const right = std::min(size_ - 1, int(std::ceil(x1 + .5))),
                  bottom = std::min(size_ - 1, int(std::ceil(y1 + .5)));
        for (int j = top; j <= bottom; ++j)
            for (int i = left; i <= right; ++i) {
                auto const a = float(std::clamp(coverage(i + .5, j + .5), 0., 1.) * alpha);
                if (a <= 0) continue;
                Color& p = pixels_[std::size_t(j) * std::size_t(size_) + std::size_t(i)];
                p = {p.r + (color.r - p.r) * a, p.g + (color.g - p.g) * a, p.b + (color.b - p.b) * a};
            }
    }

    int size_;
    std::vector<Color> pixels_;
};

void write_piece(png_structp png, png_bytep data, png_size_t bytes) {
    static_cast<io::Writer*>(png_get_io_ptr(png))->write(data, bytes);
}

/// libpng must not return from its error function; an exception leaves it as well as longjmp.
[[noreturn]] void fail(png_structp, png_const_charp what) {
    throw Error(std::string("cannot encode the picture: ") + what);
}

/// Owns libpng's two structures.
struct Encoder {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, fail, nullptr);
    png_infop info = png ? png_create_info_struct(png) : nullptr;
    Encoder() {
        if (!info) throw std::bad_alloc();
    }
    Encoder(Encoder const&) = delete;
    Encoder& operator=(Encoder const&) = delete;
    ~Encoder() { png_destroy_write_struct(&png, &info); }
};

void PngSurface::save(std::filesystem::path const& path) {
    io::Writer out(path);
    Encoder const e;
    auto const size = png_uint_32(size_);
    png_set_write_fn(e.png, &out, write_piece, [](png_structp) {});
    png_set_IHDR(e.png, e.info, size, size, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(e.png, e.info);
    std::vector<png_byte> row(std::size_t(size_) * 3);
    for (std::size_t j = 0; j < std::size_t(size_); ++j) {
        for (std::size_t i = 0; i < std::size_t(size_); ++i) {
            Color const c = pixels_[j * std::size_t(size_) + i];
            row[3 * i] = png_byte(c.r * 255 + .5F);
            row[3 * i + 1] = png_byte(c.g * 255 + .5F);
            row[3 * i + 2] = png_byte(c.b * 255 + .5F);
        }
        png_write_row(e.png, row.data());
    }
    png_write_end(e.png, nullptr);
    out.close();
}

}  // namespace

std::unique_ptr<Surface> make_png_surface(int size, Color background) {
    return std::make_unique<PngSurface>(size, background);
}

}  // namespace zwalk::apps
