// Peaks: the points that are brighter than all others within a radius. A trait of one's own, on a GPU.
//
// The same struct walks on a CPU: the program checks itself by the reference walk. (Fast walks on CPU threads are for
// host compilers: see examples/places.)
#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <vector>

#include <zwalk/run/cuda.cuh>
#include <zwalk/walk/reference.hpp>

using namespace zwalk;

struct Star {
    float light;
};
struct Lights {
    float faintest, brightest;
};

struct Peaks : Types<3, float, Star, Lights> {
    static constexpr Uses uses{.summary = true};
    float radius2;
    unsigned char* peak;  // one per point

    ZWALK_HD Lights summarize(Point const& p) const { return {p.payload.light, p.payload.light}; }
    ZWALK_HD Lights merge(Lights a, Lights b) const {
        return {min_of(a.faintest, b.faintest), max_of(a.brightest, b.brightest)};
    }
    ZWALK_HD Decision decide(Node const& t, Node const& s, Bounds d) const {
        bool const matters = d.lo2 <= radius2 && s.summary.brightest > t.summary.faintest;
        return matters ? Decision::descend : Decision::discard;
    }
    using Fold = bool;
    ZWALK_HD Fold begin(Target const&, State) const { return true; }
    ZWALK_HD void visit(Fold& is_peak, Target const& p, Point const& q, float d2) const {
        is_peak = is_peak && !(d2 <= radius2 && q.payload.light > p.payload.light);
    }
    ZWALK_HD void end(Fold const& is_peak, Target const& p) const { peak[p.index] = is_peak; }
};

Peaks peaks_to(unsigned char* peak) {
    Peaks trait;
    trait.radius2 = .05f * .05f;
    trait.peak = peak;
    return trait;
}

int main() {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(0, 1);
    std::vector<std::array<float, 3>> positions(50000);
    std::vector<Star> stars(positions.size());
    for (auto& p : positions) p = {uniform(random), uniform(random), uniform(random)};
    for (Star& star : stars) star.light = uniform(random);

    Cpu host;
    auto const tree = make_tree<3>(host, positions);
    auto const light = tree.payload(stars);
    auto peak = tree.array<unsigned char>();
    reference_walk(peaks_to(peak.data()), Open<3, float>{}, tree.tree(), tree.tree(),
                   {light.view(), light.view()});
    auto const expected = peak.in_input_order();
    std::printf("%d peaks on the CPU\n", int(std::count(expected.begin(), expected.end(), 1)));
    if (cuda_devices() == 0) {
        std::puts("no CUDA device: not run there");
        return 0;
    }

    CudaDevice gpu;
    auto const tree_there = make_tree<3>(gpu, positions);
    auto peak_there = tree_there.array<unsigned char>();
    tree_there.walk(peaks_to(peak_there.data()), tree_there.payload(stars));
    bool const same = peak_there.in_input_order() == expected;
    std::printf("%s on %s\n", same ? "the same" : "OTHERS", cuda_device_name(0).c_str());
    return same ? 0 : 1;
}
