// Every algorithm on a GPU. Sets of points by number and kind, each with each setting that is given:
//
//   bench_cuda MODE [POINTS...] [--kind KIND...] [--box] [--repeats R] [--leaf-size L...] [settings of the mode]
//
//   self, separate   kNN among themselves, rows in z-order; kNN of as many queries           -k K...
//   batch            kNN of few queries against an index, 20 calls a run; they descend one by one, and are
//                    walked (ZWALK_DESCENTS)                                                 -k, --queries N...
//   host             kNN with rows that end up in ordinary memory of the host: the copy alone, and a call with
//                    points of the host                                                      -k
//   fof              groups                                                      --length B..., --order input|z
//   catalogue        groups of points of the host, in the order of groups, and their catalogue; all comes back
//   emst             spanning trees, their points in the GPU's memory                        --min-samples M...
//   hdbscan          clusters of points of the host: tree and hierarchy by the GPU, the rest by threads
//   dbscan           clusters                                                    --length E..., --min-samples M...
//   peaks            the decision graph of density peaks                                     -k K...
//   radius           counts and lists of neighbours                                          --length R...
//   pairs            pairs in 20 bins, logarithmic over a factor of 100                      --length MOST...
//   gravity          of masses of 1, softened by 1e-5 of the box                             --accuracy A...
//   all              all but batch and host
//
// Points are floats in 3-D: uniform in a box of 1, or clustered, 1 % of N clumps of all sizes from 1e-5 to 0.1 of the box;
// with --box it is periodic. Lengths are in mean spacings of uniform points. Where nothing else is said points and
// results are in the memory of the GPU. The first run warms up. Prints a line per run, seconds by phase and counts (kernels
// launched and waits among them), and the fastest one again as `best`.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "figures.hpp"
#include "zwalk/dbscan/dbscan.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/fof/catalogue.hpp"
#include "zwalk/fof/fof.hpp"
#include "zwalk/gravity/gravity.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/pairs/pairs.hpp"
#include "zwalk/peaks/peaks.hpp"
#include "zwalk/radius/radius.hpp"
#include "zwalk/tree/joint.hpp"

namespace {

using namespace zwalk;

struct Settings {
    std::string mode = "self";
    std::vector<double> points{1e6};
    std::vector<std::string> kinds{"uniform"};
    bool box = false;
    int repeats = 3;
    std::vector<pos_t> leaf_sizes{0};
    std::vector<index_t> k{16};
    std::vector<double> queries{1000};
    std::vector<double> lengths;  // empty: what suits the mode
    std::string order = "input";
    std::vector<int> min_samples;  // likewise
    std::vector<double> accuracies{1e-3};
};

void check(cudaError_t result) {
    if (result != cudaSuccess) throw std::runtime_error(cudaGetErrorString(result));
}

/// Points in the memory of the GPU.
class OnGpu {
  public:
    explicit OnGpu(Buffer<float> const& rows) : size_(rows.size() / 3) {
        void* there = nullptr;
        check(cudaMalloc(&there, rows.size() * sizeof(float)));
        memory_.reset(static_cast<float*>(there));
        check(cudaMemcpy(there, rows.data(), rows.size() * sizeof(float), cudaMemcpyHostToDevice));
    }
    [[nodiscard]] DevicePoints<float> view() const { return {memory_.get(), size_, 3}; }

  private:
    struct Free {
        void operator()(float* memory) const { cudaFree(memory); }
    };
    std::unique_ptr<float, Free> memory_;
    std::size_t size_;
};

/// The first GPU, with the library's pool of memory for all runs.
Cuda gpu() { return {}; }

/// One set of points, and what is wanted of it.
struct Case {
    Settings const& s;
    std::string kind;
    std::size_t n;

    [[nodiscard]] Buffer<float> rows(std::size_t count, std::uint64_t seed) const {
        auto rows = bench::many_points(kind, count, seed);
        if (s.box && kind != "uniform")  // clumps reach out of the box
            for (float& x : rows) x -= std::floor(x), x = x < 1 ? x : 0;
        return rows;
    }
    [[nodiscard]] OnGpu points() const { return OnGpu(rows(n, 1)); }
    [[nodiscard]] std::vector<double> box() const {
        return s.box ? std::vector<double>{1, 1, 1} : std::vector<double>{};
    }
    /// In mean spacings, and what they are.
    [[nodiscard]] std::vector<double> lengths(double otherwise) const {
        return s.lengths.empty() ? std::vector{otherwise} : s.lengths;
    }
    [[nodiscard]] double times_spacing(double length) const { return length / std::cbrt(double(n)); }
    [[nodiscard]] std::vector<int> min_samples(int otherwise) const {
        return s.min_samples.empty() ? std::vector{otherwise} : s.min_samples;
    }
    [[nodiscard]] std::string name(std::string const& what, std::string const& setting) const {
        return fmt::format("{} {} points={} {}", what, kind, n, setting);
    }
    [[nodiscard]] std::string tail(pos_t leaf_size) const {
        return fmt::format("{}{}", s.box ? " box=1" : "",
                           leaf_size ? fmt::format(" leaf_size={}", leaf_size) : "");
    }
};

/// Runs `compute` repeats + 1 times, and prints what it took; `name` says what it was. If it moves so many bytes, then how
/// fast.
template <class Compute>
void measure_one(std::string const& name, int repeats, Compute const& compute, std::size_t bytes = 0) {
    double least = infinity<double>;
    std::string best;
    for (int i = 0; i <= repeats; ++i) {
        double const start = now_seconds();
        auto const r = compute();
        double const seconds = now_seconds() - start;
        auto line = bench::figures(name, seconds, r.stats);
        if (bytes) line += fmt::format(" gigabytes_per_second={:.2f}", double(bytes) / seconds / 1e9);
        fmt::print("run {} {}\n", i, line);
        std::fflush(stdout);  // a later run may be stopped
        if (i && seconds < least) least = seconds, best = line;
    }
    if (!best.empty()) fmt::print("best {}\n", best);
    std::fflush(stdout);
}

/// The same with each size of leaves.
template <class Compute>
void measure(Case const& c, std::string const& name, Compute const& compute) {
    for (pos_t const leaf_size : c.s.leaf_sizes) {
        TreeOptions const tree{.leaf_size = leaf_size};
        measure_one(name + c.tail(leaf_size), c.s.repeats, [&] { return compute(tree); });
    }
}

void self(Case const& c) {
    auto const points = c.points();
    for (index_t const k : c.s.k)
        measure(c, c.name("knn self", fmt::format("k={}", k)), [&](TreeOptions const& tree) {
            return knn(points.view(), {.k = k, .box = c.box(), .order = Order::z, .tree = tree}, gpu());
        });
}

void separate(Case const& c) {
    auto const points = c.points();
    OnGpu const queries(c.rows(c.n, 2));
    for (index_t const k : c.s.k)
        measure(c, c.name("knn separate", fmt::format("k={}", k)), [&](TreeOptions const& tree) {
            return knn(points.view(), queries.view(), {.k = k, .box = c.box(), .tree = tree}, gpu());
        });
}

void batch(Case const& c) {
    constexpr int calls = 20;
    CudaIndex<float> const index(c.points().view(), {.box = c.box()}, gpu());
    for (index_t const k : c.s.k)
        for (double const asked : c.s.queries) {
            auto const size = std::size_t(asked);
            OnGpu const queries(c.rows(size, 2));
            for (char const* descents : {"1", "0"}) {
                setenv("ZWALK_DESCENTS", descents, 1);
                measure_one(
                    fmt::format("knn batch {} sources={} queries={} k={} descents={} points={}{}",
                                c.kind, c.n, size, k, descents, calls * size, c.tail(0)),
                    c.s.repeats, [&] {
                        for (int i = 1; i < calls; ++i) (void)knn(index, queries.view(), {.k = k});
                        return knn(index, queries.view(), {.k = k});
                    });
            }
            unsetenv("ZWALK_DESCENTS");
        }
}

void host(Case const& c) {
    struct Copied {
        Buffer<index_t> indices;
        Buffer<float> distances;
        Stats stats{};
    };
    auto const rows = c.rows(c.n, 1);
    for (index_t const k : c.s.k) {
        auto const setting = fmt::format("k={}", k);
        auto const entries = c.n * std::size_t(k), bytes = entries * (sizeof(index_t) + sizeof(float));
        KnnOptions const options{.k = k, .box = c.box()};
        {
            OnGpu const points(rows);
            auto const there = knn(points.view(), options, gpu());
            auto const device = open_cuda(gpu());
            auto const copy = [&] {
                Copied here{Buffer<index_t>(entries), Buffer<float>(entries)};
                cuda_download(*device, here.indices.data(), there.indices.data(),
                              entries * sizeof(index_t));
                cuda_download(*device, here.distances.data(), there.distances.data(),
                              entries * sizeof(float));
                return here;
            };
            measure_one(c.name("copy to host", setting) + c.tail(0), c.s.repeats, copy, bytes);
        }
        measure_one(c.name("knn host", setting) + c.tail(0), c.s.repeats,
                    [&] { return knn(Points<float>(rows.data(), c.n, 3), options, gpu()); });
    }
}

void fof(Case const& c) {
    auto const points = c.points();
    for (double const b : c.lengths(.2)) {
        auto const setting = fmt::format("b={} order={}", b, c.s.order);
        measure(c, c.name("fof", setting), [&](TreeOptions const& tree) {
            return zwalk::fof(points.view(),
                              {.linking_length = c.times_spacing(b),
                               .box = c.box(),
                               .order = c.s.order == "z" ? Order::z : Order::input,
                               .tree = tree},
                              gpu());
        });
    }
}

void catalogue(Case const& c) {
    auto const rows = c.rows(c.n, 1);
    Points<float> const points(rows.data(), c.n, 3);
    for (double const b : c.lengths(.2))
        measure(c, c.name("fof catalogue", fmt::format("b={}", b)), [&](TreeOptions const& tree) {
            FofOptions const options{.linking_length = c.times_spacing(b), .box = c.box(), .tree = tree};
            auto groups = fof_with_catalogue(points, options, {}, gpu());
            groups.stats.counts.emplace_back("rows", groups.catalogue.size());
            return groups;
        });
}

void emst(Case const& c) {
    auto const points = c.points();
    for (int const m : c.min_samples(1))
        measure(c, c.name("emst", fmt::format("min_samples={}", m)), [&](TreeOptions const& tree) {
            return zwalk::emst(points.view(), {.min_samples = m, .box = c.box(), .tree = tree}, gpu());
        });
}

void hdbscan(Case const& c) {
    auto const rows = c.rows(c.n, 1);
    measure(c, c.name("hdbscan", "min_cluster_size=20"), [&](TreeOptions const& tree) {
        return zwalk::hdbscan(Points<float>(rows.data(), c.n, 3),
                              {.min_cluster_size = 20, .box = c.box(), .tree = tree}, gpu());
    });
}

void dbscan(Case const& c) {
    auto const points = c.points();
    for (double const e : c.lengths(1))
        for (int const m : c.min_samples(10))
            measure(
                c, c.name("dbscan", fmt::format("epsilon={} min_samples={}", e, m)),
                [&](TreeOptions const& tree) {
                    return zwalk::dbscan(
                        points.view(),
                        {.epsilon = c.times_spacing(e), .min_samples = m, .box = c.box(), .tree = tree},
                        gpu());
                });
}

void peaks(Case const& c) {
    auto const points = c.points();
    for (index_t const k : c.s.k)
        measure(c, c.name("peaks", fmt::format("k={}", k)), [&](TreeOptions const& tree) {
            return density_peaks(points.view(), {.k = k, .box = c.box(), .tree = tree}, gpu());
        });
}

void radius(Case const& c) {
    auto const points = c.points();
    for (double const r : c.lengths(1.5)) {
        auto const setting = fmt::format("radius={}", r);
        auto const options = [&](TreeOptions const& tree) {
            return RadiusOptions{.radius = c.times_spacing(r), .box = c.box(), .tree = tree};
        };
        measure(c, c.name("radius count", setting), [&](TreeOptions const& tree) {
            return radius_count(points.view(), options(tree), gpu());
        });
        measure(c, c.name("radius search", setting), [&](TreeOptions const& tree) {
            return radius_search(points.view(), options(tree), gpu());
        });
    }
}

void pairs(Case const& c) {
    auto const points = c.points();
    for (double const most : c.lengths(3)) {
        std::vector<double> edges;
        for (int i = 0; i <= 20; ++i)
            edges.push_back(c.times_spacing(most) * std::pow(10., (i - 20) / 10.));
        measure(c, c.name("pairs", fmt::format("most={}", most)), [&](TreeOptions const& tree) {
            return pair_counts(points.view(), {.edges = edges, .box = c.box(), .tree = tree}, gpu());
        });
    }
}

void gravity(Case const& c) {
    auto const points = c.points();
    for (double const accuracy : c.s.accuracies)
        measure(c, c.name("gravity", fmt::format("accuracy={}", accuracy)),
                [&](TreeOptions const& tree) {
                    return zwalk::gravity(
                        points.view(),
                        {.softening = 1e-5, .accuracy = accuracy, .box = c.box(), .tree = tree}, gpu());
                });
}

struct Mode {
    char const* name;
    void (*run)(Case const&);
    bool in_all = true;
};
constexpr Mode modes[] = {
    {"self", self},       {"separate", separate},   {"batch", batch, false}, {"host", host, false},
    {"fof", fof},         {"catalogue", catalogue}, {"emst", emst},          {"hdbscan", hdbscan},
    {"radius", radius},   {"dbscan", dbscan},       {"peaks", peaks},        {"pairs", pairs},
    {"gravity", gravity},
};

/// Whether all went well. One that doesn't, for want of memory maybe, leaves the others.
bool run_all(Settings const& s) {
    bool well = true;
    for (Mode const& mode : modes) {
        if (s.mode != mode.name && !(s.mode == "all" && mode.in_all)) continue;
        for (double const n : s.points)
            for (auto const& kind : s.kinds) try {
                    mode.run({s, kind, std::size_t(n)});
                } catch (std::exception const& error) {
                    fmt::print("FAILED {} {} points={}: {}\n", mode.name, kind, n, error.what());
                    well = false;
                }
    }
    return well;
}

}  // namespace

int main(int argc, char** argv) {
    Settings s;
    std::vector<std::string> names{"all"};
    for (Mode const& mode : modes) names.emplace_back(mode.name);
    CLI::App app("zwalk's algorithms on a GPU");
    app.add_option("mode", s.mode)->required()->check(CLI::IsMember(names));
    app.add_option("points", s.points);
    app.add_option("--kind", s.kinds)->check(CLI::IsMember({"uniform", "clustered"}));
    app.add_flag("--box", s.box, "periodic");
    app.add_option("--repeats", s.repeats);
    app.add_option("--leaf-size", s.leaf_sizes, "0: what the library chooses");
    app.add_option("-k", s.k, "neighbours");
    app.add_option("--queries", s.queries, "of batch");
    app.add_option("--length", s.lengths, "in mean spacings");
    app.add_option("--order", s.order, "of fof")->check(CLI::IsMember({"input", "z"}));
    app.add_option("--min-samples", s.min_samples);
    app.add_option("--accuracy", s.accuracies);
    CLI11_PARSE(app, argc, argv);
    return run_all(s) ? 0 : 1;
}
