// The two engines of a spanning tree's rounds (docs/kernels.md, Rounds), each on one thread.
//
//   bench_emst_engines [N] [kind]
//
// prints seconds of the rounds, float, three dimensions, the least of three calls: by the engine for threads, whose
// first rounds run while neighbours are found (what that takes beyond the neighbours alone is added), and by the
// engine for devices on a HostDevice. Searches, which are walks, are left out.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "emst/src/device_driver.hpp"
#include "support/points.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/exec/host_device.hpp"
#include "zwalk/knn/knn.hpp"

namespace {

using namespace zwalk;

double seconds_of(Stats const& stats, std::string const& phase) {
    for (auto const& [name, seconds] : stats.seconds)
        if (name == phase) return seconds;
    return 0;
}
template <class F>
double least_of_three(F const& f) {
    return std::min({f(), f(), f()});
}

struct Nothing {
    void operator()(index_t, Neighbours<float> const&) const {}
};

}  // namespace

int main(int argc, char** argv) {
    std::size_t const n = argc > 1 ? std::size_t(std::strtod(argv[1], nullptr)) : 300000;
    auto const rows = test::make_points<3, float>(argc > 2 ? argv[2] : "uniform", n, 1);
    Points<float> const points(rows);
    Cpu const one(1);
    HostDevice<> device;
    DevicePoints<float> const there(points.data, points.size, 3);
    PreparedPoints<float, HostDevice<>> const prepared{
        build_tree(device, there, 3, {}), 3, {}, Extent<float>(0), {}};
    for (int m : {1, 5}) {
        EmstOptions const options{.min_samples = m};
        KnnOptions const lists{.k = index_t(detail::listed_neighbours(pos_t(n), pos_t(m))),
                               .exclude_self = true,
                               .order = Order::z};
        double const alone =
            least_of_three([&] { return seconds_of(knn_visit(points, Nothing{}, lists, one), "walk"); });
        double const threads = least_of_three([&] {
            auto const stats = emst(points, options, one).stats;
            return seconds_of(stats, "neighbours") - alone + seconds_of(stats, "rounds");
        });
        double const devices = least_of_three([&] {
            detail::RunPoints<float, HostDevice<>> kept(prepared);
            return seconds_of(detail::EmstAlgorithm::run<3>(device, kept, options).stats, "rounds");
        });
        std::printf(
            "min_samples %d: rounds for threads %.4f s (neighbours alone: %.4f s), for devices %.4f s\n",
            m, threads, alone, devices);
    }
}
