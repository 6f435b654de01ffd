// Traits of examples/traits by zwalk: CPU seconds from points in memory to results in memory. bench/traits_peers.py runs SciPy
// and scikit-learn on the same points, and compares.
//
//   bench_traits TASK N threads kind [repeats]      TASK: hausdorff, kernel_density, sph_density
//   ... --error 1e-3                                of a kernel density, for each source
//   ... --write FOLDER                              leaves points and results as raw doubles
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "measure.hpp"
#include "support/points.hpp"
#include "traits/hausdorff.hpp"
#include "traits/kernel_density.hpp"
#include "traits/sph_density.hpp"
#include "zwalk/run/cpu.hpp"

namespace {

using namespace zwalk;

struct Settings {
    double points = 1e5, error = 1e-3;
    int threads = 1, repeats = 3;
    std::string task, kind = "uniform";
    std::filesystem::path write;
};

/// CPU seconds of all threads: other work on the machine changes these less than seconds on the wall.
double cpu_now() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// Runs solve() and says what it took; its result goes to a file, if one is asked for.
void measure(Settings const& s, std::function<std::vector<double>()> const& solve) {
    for (int i = 0; i < s.repeats; ++i) {
        double const start = bench::now(), cpu_start = cpu_now();
        auto const result = solve();
        fmt::print("cpu={:.4f} seconds={:.4f}\n", cpu_now() - cpu_start, bench::now() - start);
        if (!s.write.empty() && i == 0)
            bench::write_raw<double>(s.write / "result", {result.data(), result.size()});
    }
}

template <int D>
testing::Rows<D, double> points_of(Settings const& s, std::uint64_t seed, char const* name) {
    auto const rows = testing::make_points<D, double>(s.kind, std::size_t(s.points), seed);
    if (!s.write.empty())
        bench::write_raw<double>(s.write / name,
                                 {rows.empty() ? nullptr : rows[0].data(), rows.size() * D});
    return rows;
}

/// The largest distance of a target from its nearest source.
void hausdorff(Settings const& s) {
    auto const targets = points_of<3>(s, 1, "targets"), sources = points_of<3>(s, 2, "sources");
    // A few targets say which distance is reached in any case.
    auto some = targets;
    some.resize(std::min<std::size_t>(some.size(), 200));
    Cpu place(s.threads);
    measure(s, [&] {
        auto const tree = make_tree<3>(place, sources);
        examples::Hausdorff<3, double> trait;
        for (Points<double> const rows : {some, targets}) {
            auto const walked = tree.targets(rows);
            auto nearest2 = walked.array<double>();
            trait.nearest2 = nearest2.data();
            walked.walk_against(tree, trait);
            auto const found = nearest2.in_input_order();
            trait.enough2 = *std::max_element(found.begin(), found.end());
        }
        return std::vector<double>{std::sqrt(trait.enough2)};
    });
}

/// Mean kernel at each point, with a standard deviation of .05, in two dimensions.
void kernel_density(Settings const& s) {
    auto const points = points_of<2>(s, 1, "points");
    Cpu place(s.threads);
    measure(s, [&] {
        auto const tree = make_tree<2>(place, points, {.tree = {.leaf_size = 8}});
        auto sum = tree.array<double>();
        examples::KernelDensity<2, double> trait;
        trait.scale = -.5 / (.05 * .05);
        trait.error = s.error;
        trait.sources = double(points.size());
        trait.sum = sum.data();
        tree.walk(trait);
        auto mean = sum.in_input_order();
        for (double& x : mean) x /= double(points.size());
        return mean;
    });
}

struct TakeLast {
    double* length;
    void operator()(auto const& p, auto const& found) const {
        found.each([&](int, Key<double> key) { length[p.index] = std::sqrt(key.d2); });
    }
};
/// Densities of particles, each smoothed over the distance to its 32nd neighbour (itself the first).
void sph_density(Settings const& s) {
    auto const points = points_of<3>(s, 1, "points");
    Cpu place(s.threads);
    measure(s, [&] {
        auto const tree = make_tree<3>(place, points);
        auto lengths = tree.array(0.);
        tree.nearest({.k = 32}, TakeLast{lengths.data()});
        std::vector<examples::Particle<double>> particles;
        for (double const h : lengths.in_input_order()) particles.push_back({h, 1.});
        auto density = tree.array<double>();
        examples::SphDensities<double, false> trait;
        trait.density = density.data();
        tree.walk(trait, tree.payload(particles));
        return density.in_input_order();
    });
}

}  // namespace

int main(int argc, char** argv) {
    std::map<std::string, void (*)(Settings const&)> const tasks{
        {"hausdorff", hausdorff}, {"kernel_density", kernel_density}, {"sph_density", sph_density}};
    Settings s;
    CLI::App app("traits of examples/traits by zwalk");
    app.add_option("task", s.task)->required()->check(CLI::IsMember(tasks));
    app.add_option("N", s.points, "points, e.g. 1e5")->check(CLI::Range(1., 1e9));
    app.add_option("threads", s.threads)->check(CLI::PositiveNumber);
    app.add_option("kind", s.kind, "of points")->check(CLI::IsMember(testing::kinds()));
    app.add_option("repeats", s.repeats)->check(CLI::PositiveNumber);
    app.add_option("--error", s.error, "of a kernel density, for each source");
    app.add_option("--write", s.write, "write points and results to this folder");
    CLI11_PARSE(app, argc, argv);
    try {
        tasks.at(s.task)(s);
    } catch (std::exception const& error) {
        fmt::print(stderr, "bench_traits: {}\n", error.what());
        return 1;
    }
}
