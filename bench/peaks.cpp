// Density peaks by zwalk, phase by phase, and a cut.
//
//   bench_peaks N k threads kind
#include "zwalk/peaks/peaks.hpp"
#include "points_bench.hpp"

namespace {

using namespace zwalk;

struct Peaks {
    static constexpr char const *name = "peaks", *files = "delta", *title = "Density peaks by zwalk";
    PeaksOptions options;

    void add_option(CLI::App& app) { app.add_option("k,-k", options.k, "neighbours"); }
    template <class T>
    void prepare(Points<T>, std::vector<double> const& box) {
        options.box = box;
    }
    template <class T>
    PeaksResult<T> solve(Points<T> points, int threads) const {
        return density_peaks(points, options, Cpu(threads));
    }
    template <class T>
    void print(Points<T>, PeaksResult<T> const& found, bench::Run run) const {
        double const start = bench::now();
        auto const cut = peaks_clusters(found, {.clusters = 100}, Cpu(run.threads));
        fmt::print("{} clusters in {:.4f};", cut.centres.size(), bench::now() - start);
    }
    template <class T>
    std::span<T const> values(PeaksResult<T> const& found) const {
        return found.delta;
    }
    void write(std::filesystem::path const&) const {}
};

}  // namespace

int main(int argc, char** argv) { return bench::points_main(Peaks{}, argc, argv); }
