// Euclidean minimum spanning trees by zwalk: the program behind the emst cases of bench/compare.
//
//   bench_emst N min_samples threads kind        times, phase by phase
//   ... --write FOLDER                           leaves the points for other engines
//   ... --engine zwalk --folder FOLDER           one run: JSON, and the lengths in the folder
//   ... --clusters SIZE                          CPU seconds of all threads, and page faults, of what HDBSCAN* makes of the tree
#include <sys/resource.h>

#include <ctime>
#include <memory>
#include <numeric>

#include "points_bench.hpp"
#include "zwalk/core/keep_pages.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"

namespace {

using namespace zwalk;

/// Prints what the steps after the tree take, one by one as hdbscan() takes them.
class StepsAfter {
  public:
    template <class T>
    void print(std::size_t points, EmstResult<T> const& tree, std::size_t size, Cpu const& cpu) {
        auto const linkage = timed("linkage", [&] { return single_linkage(points, tree, cpu); });
        auto const condensed = timed("condense", [&] { return condense(linkage, size, cpu); });
        (void)timed("clusters", [&] { return select_clusters(condensed, {}, cpu); });
        (void)timed("outliers", [&] { return outlier_scores(condensed, cpu); });
        fmt::print(" together {:.3f} CPU s, {} page faults; ", all_, faults() - faults_);
    }

  private:
    static double cpu_seconds() { return double(std::clock()) / double(CLOCKS_PER_SEC); }
    static long faults() {
        rusage used{};
        getrusage(RUSAGE_SELF, &used);
        return used.ru_minflt;
    }
    template <class Step>
    auto timed(char const* name, Step const& step) {
        double const start = cpu_seconds();
        auto result = step();
        double const seconds = cpu_seconds() - start;
        all_ += seconds;
        fmt::print(" {} {:.3f}", name, seconds);
        return result;
    }

    double all_ = 0;
    long faults_ = faults();
};

struct Emst {
    static constexpr char const *name = "emst", *files = "lengths",
                                *title = "Euclidean minimum spanning trees by zwalk";
    int min_samples = 1;
    std::size_t clusters = 0;
    std::vector<double> box{};
    std::shared_ptr<detail::KeepPages>
        pages{};  ///< what the tree was grown in is free for the steps after it

    void add_option(CLI::App& app) {
        app.add_option("min_samples,--min-samples", min_samples, "1: Euclidean distances");
        app.add_option_function<std::size_t>(
               "--clusters",
               [this](std::size_t size) {
                   clusters = size;
                   pages = std::make_shared<detail::KeepPages>();
               },
               "also time what HDBSCAN* makes of the tree, for clusters of so many points")
            ->check(CLI::Range(2., 1e9));
    }
    template <class T>
    void prepare(Points<T>, std::vector<double> const& of_points) {
        box = of_points;
    }
    template <class T>
    EmstResult<T> solve(Points<T> points, int threads) const {
        return emst(points, {.min_samples = min_samples, .box = box}, Cpu(threads));
    }
    template <class T>
    void print(Points<T> points, EmstResult<T> const& tree, bench::Run run) const {
        if (clusters > 0) StepsAfter().print(points.size, tree, clusters, Cpu(run.threads));
        // Points times columns: the rate of papers on spanning trees, and of bench/seeds.
        double const features = double(points.size) * points.dim;
        fmt::print("length {:.9g}; {:.3g} MFeatures/s;",
                   std::accumulate(tree.lengths.begin(), tree.lengths.end(), 0.),
                   features / run.seconds / 1e6);
    }
    template <class T>
    std::span<T const> values(EmstResult<T> const& tree) const {
        return tree.lengths;
    }
    void write(std::filesystem::path const&) const {}
};

}  // namespace

int main(int argc, char** argv) { return bench::points_main(Emst{}, argc, argv); }
