// A walk of one's own trait to look at: a table by plane, and a page for a browser.
//
//   trace walk.html
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "traits/nearest_brighter.hpp"
#include "zwalk/run/cpu.hpp"
#include "zwalk/walk/trace.hpp"

namespace {

using namespace zwalk;
using examples::Star;

/// The trait of the tutorial, why it decides, and what its nodes hold: for pages only.
struct Explained : examples::NearestBrighter {
    static char const* reason(Node const& t, Node const& s, Bounds, Decision d) {
        if (s.summary.brightest <= t.summary.faintest) return "no star in it is brighter";
        return d == Decision::discard ? "further than a brighter star of each"
                                      : "may be the nearest brighter";
    }
    static std::string describe(Node const& node) {
        return "light from " + std::to_string(node.summary.faintest) + " to " +
               std::to_string(node.summary.brightest);
    }
};

}  // namespace

int main(int argc, char** argv) {
    std::mt19937 random(2);
    std::uniform_real_distribution<float> uniform(0, 1);
    std::vector<std::array<float, 3>> points(300);
    std::vector<Star> stars(points.size());
    for (auto& p : points) p = {uniform(random), uniform(random), uniform(random)};
    for (Star& star : stars) star.light = uniform(random);

    // tutorial-begin trace
    zwalk::Tracing place;  // instead of zwalk::Cpu
    auto const tree = make_tree<3>(place, points, {.tree = tree_to_look_at(points.size())});
    auto const lights = tree.payload(stars);
    auto brighter = tree.array<pos_t>();
    Explained trait;
    trait.brighter = brighter.data();
    tree.walk(trait, lights);
    zwalk::Trace const& trace = place.trace();
    std::printf("%s", trace.table_text().c_str());
    if (argc > 1) zwalk::write_page(argv[1], trace, {.title = "The nearest brighter star"});
    // tutorial-end trace

    // What doesn't add up would be a mistake of the walk.
    std::uint64_t settled = trace.met;
    for (auto const& plane : trace.table())
        settled += plane.of(Decision::discard).points + plane.of(Decision::accept).points;
    return settled == trace.all_pairs() && trace.met < trace.all_pairs() / 2 ? 0 : 1;
}
