// Stands in for png_surface.cpp in builds without libpng.
#include "surface.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::apps {

std::unique_ptr<Surface> make_png_surface(int, Color) {
    throw InputError("this build has no PNG (configure with -DZWALK_PNG=ON); write a .svg instead");
}

}  // namespace zwalk::apps
