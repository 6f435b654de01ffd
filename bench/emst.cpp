// Euclidean minimum spanning trees by zwalk: the program behind the emst cases of bench/compare.
//
//   bench_emst N min_samples threads kind        times, phase by phase
//   ... --write FOLDER                           leaves the points for other engines
//   ... --engine zwalk --folder FOLDER           one run: JSON, and the lengths in the folder
#include <numeric>

#include "points_bench.hpp"
#include "zwalk/emst/emst.hpp"

namespace {

using namespace zwalk;

struct Emst {
    static constexpr char const *name = "emst", *files = "lengths",
                                *title = "Euclidean minimum spanning trees by zwalk";
    int min_samples = 1;

    void add_option(CLI::App& app) {
        app.add_option("min_samples", min_samples, "1: Euclidean distances");
    }
    template <class T>
    void prepare(Points<T>) const {}
    template <class T>
    EmstResult<T> solve(Points<T> points, int threads) const {
        return emst(points, {.min_samples = min_samples}, Cpu(threads));
    }
    template <class T>
    void print(Points<T>, EmstResult<T> const& tree, int) const {
        fmt::print("length {:.9g};", std::accumulate(tree.lengths.begin(), tree.lengths.end(), 0.));
    }
    template <class T>
    std::span<T const> values(EmstResult<T> const& tree) const {
        return tree.lengths;
    }
    void write(std::filesystem::path const&) const {}
};

}  // namespace

int main(int argc, char** argv) { return bench::points_main(Emst{}, argc, argv); }
