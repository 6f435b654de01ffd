// Peaks: the points that are brighter than all others within a radius. A trait of one's own, on a GPU.
//
// The same struct walks on a CPU, which is how this program checks itself.
#include <cstdio>
#include <random>
#include <vector>

#include <zwalk/exec/device_columns.hpp>
#include <zwalk/tree/cuda_build.cuh>
#include <zwalk/tree/joint.hpp>
#include <zwalk/walk/device_walk.hpp>
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
    unsigned char* peak;  // one per point, z-order

    ZWALK_HD Lights summarize(Point const& p) const { return {p.payload.light, p.payload.light}; }
    ZWALK_HD Lights merge(Lights a, Lights b) const {
        return {min_of(a.faintest, b.faintest), max_of(a.brightest, b.brightest)};
    }
    ZWALK_HD Decision decide(Node const& t, Node const& s, Distance d) const {
        bool const matters = d.lo2 <= radius2 && s.summary.brightest > t.summary.faintest;
        return matters ? Decision::descend : Decision::discard;
    }
    using Fold = bool;
    ZWALK_HD Fold begin(Point const&, State) const { return true; }
    ZWALK_HD void visit(Fold& is_peak, Point const& p, Point const& q, float d2) const {
        is_peak = is_peak && !(d2 <= radius2 && q.payload.light > p.payload.light);
    }
    ZWALK_HD void end(Fold const& is_peak, Point const& p) const { peak[p.index] = is_peak; }
};

int main() {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(0, 1);
    std::vector<std::array<float, 3>> positions(50000);
    std::vector<Star> stars(positions.size());
    for (auto& p : positions) p = {uniform(random), uniform(random), uniform(random)};
    for (Star& star : stars) star.light = uniform(random);

    Cpu const cpu;
    auto const tree = cpu.run([&] { return build_tree(cpu, Points<float>(positions), 3); });
    Columns<Star> const light(std::span<Star const>(stars), tree.input);
    std::vector<unsigned char> peak(positions.size());
    Peaks peaks;
    peaks.radius2 = .05f * .05f;
    peaks.peak = peak.data();
    cpu.run([&] { reference_walk(peaks, Open<3, float>{}, tree, tree, {light.view(), light.view()}); });
    std::printf("%d peaks on the CPU\n", int(std::count(peak.begin(), peak.end(), 1)));

    if (cuda_devices() == 0) {
        std::puts("no CUDA device: not run there");
        return 0;
    }
    CudaDevice device;
    auto rows = device.buffer<float>(3 * positions.size());
    device.upload(rows.data(), positions[0].data(), rows.size());
    auto const there =
        device_build(device, DevicePoints<float>(rows.data(), positions.size(), 3), 3, TreeOptions{});
    DeviceColumns<Star> const light_there(device, light);  // one z-order on both
    auto peak_there = device.buffer<unsigned char>(positions.size());
    peaks.peak = peak_there.data();
    device_walk(device, peaks, Open<3, float>{}, there, there, {light_there.view(), light_there.view()});
    std::vector<unsigned char> found(positions.size());
    device.download(found.data(), peak_there.data(), found.size());
    bool const same = found == peak;
    std::printf("%s on %s\n", same ? "the same" : "OTHERS", cuda_device_name(0).c_str());
    return same ? 0 : 1;
}
