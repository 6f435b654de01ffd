// Gravity by zwalk: seconds, and errors against direct sums; with --accuracies the table of algorithms/gravity/src/accuracy.cpp.
//
//   bench_gravity N accuracy threads kind            kind: uniform, clustered, plummer
//   bench_gravity N 0 threads kind --order 4 --opening 2
//   bench_gravity N 0 threads kind --table           99 % errors for all orders and openings
//   ... --write FOLDER                               leaves points and masses as .npy for other engines, and stops
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <string>

#include "gravity/direct.hpp"
#include "gravity/plummer.hpp"
#include "io/npy.hpp"
#include "measure.hpp"
#include "zwalk/gravity/gravity.hpp"

namespace {

using namespace zwalk;

struct Settings {
    double points = 1e5, accuracy = 1e-3, softening = 1e-3, opening = 0, box = 0;
    int threads = 1, order = 0, repeats = 3, samples = 500;
    TreeOptions tree{};
    std::string kind = "uniform", real = "double";
    bool table = false;
    std::filesystem::path write;
};

template <class T>
testing::Rows<3, T> points_of(Settings const& s) {
    if (s.kind == "plummer") return test::plummer<T>(std::size_t(s.points), 1);
    return testing::make_points<3, T>(s.kind, std::size_t(s.points), 1);
}

template <class T>
void measure(Settings const& s) {
    auto const rows = points_of<T>(s);
    std::vector<double> const masses(rows.size(), 1 / double(rows.size()));
    Points<T> const points(rows);
    if (!s.write.empty()) {
        io::write_npy<T>(s.write / "points.npy", {points.size, 3},
                         std::span(points.data, 3 * points.size));
        io::write_npy<double>(s.write / "masses.npy", {masses.size()}, masses);
        return;
    }
    auto const one = [&](GravityOptions const& o) {
        double const start = bench::now();
        std::clock_t const cpu_start = std::clock();
        auto const r = gravity(rows, o, Cpu(s.threads));
        double const seconds = bench::now() - start;
        // Of all threads: other work on the machine changes it less.
        double const of_cpus = double(std::clock() - cpu_start) / CLOCKS_PER_SEC;
        if (s.box > 0) {  // direct sums are those of open space
            fmt::print("order {} opening {:.3f}: {:.4f} s, of CPUs {:.4f};", r.expansion_order,
                       r.opening, seconds, of_cpus);
            for (auto const& [phase, t] : r.stats.seconds) fmt::print(" {} {:.4f}", phase, t);
            return fmt::print("\n");
        }
        auto const e = test::gravity_errors(points, masses, s.softening, r, std::size_t(s.samples));
        auto const share = [](std::vector<double> const& all, double q) {
            return test::GravityErrors::of(all, q);
        };
        fmt::print(
            "order {} opening {:.3f}: {:.4f} s, of CPUs {:.4f}; accelerations: median {:.1e}, 99 % "
            "{:.1e}, largest "
            "{:.1e}; "
            "potentials: 99 % {:.1e};",
            r.expansion_order, r.opening, seconds, of_cpus, share(e.acceleration, .5),
            share(e.acceleration, .99), e.acceleration.back(), share(e.potential, .99));
        for (auto const& [phase, t] : r.stats.seconds) fmt::print(" {} {:.4f}", phase, t);
        fmt::print("\n");
    };
    GravityOptions o{.masses = masses,
                     .softening = s.softening,
                     .accuracy = s.accuracy,
                     .expansion_order = s.order,
                     .opening = s.opening,
                     .box = {s.box},
                     .tree = s.tree};
    if (!s.table) {
        for (int i = 0; i < s.repeats; ++i) one(o);
        return;
    }
    for (o.expansion_order = 1; o.expansion_order <= 5; ++o.expansion_order)
        for (double const opening : {.7, 1., 1.4, 2., 2.8, 4., 5.6}) {
            o.opening = opening;
            one(o);
        }
}

}  // namespace

int main(int argc, char** argv) {
    Settings s;
    CLI::App app("gravity by zwalk");
    app.add_option("N", s.points, "points, e.g. 1e5")->check(CLI::Range(1., 1e9));
    app.add_option("accuracy", s.accuracy);
    app.add_option("threads", s.threads)->check(CLI::PositiveNumber);
    app.add_option("kind", s.kind, "of points");
    app.add_option("repeats", s.repeats);
    app.add_option("--order", s.order);
    app.add_option("--opening", s.opening);
    app.add_option("--softening", s.softening);
    app.add_option("--leaf", s.tree.leaf_size, "most points of a leaf");
    app.add_option("--coarsening", s.tree.coarsening, "by which that grows from plane to plane");
    app.add_option("--samples", s.samples, "points whose errors are looked at");
    app.add_option("--real", s.real)->check(CLI::IsMember({"float", "double"}));
    app.add_option("--box", s.box, "period of all axes; no errors then");
    app.add_flag("--table", s.table, "all orders and openings");
    app.add_option("--write", s.write, "write the input to this folder, and stop");
    CLI11_PARSE(app, argc, argv);
    if (s.accuracy == 0) s.accuracy = 1e-3;
    try {
        s.real == "float" ? measure<float>(s) : measure<double>(s);
    } catch (std::exception const& error) {
        fmt::print(stderr, "bench_gravity: {}\n", error.what());
        return 1;
    }
}
