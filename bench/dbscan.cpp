// DBSCAN by zwalk: the program behind the dbscan cases of bench/compare.
//
//   bench_dbscan N spacings threads kind         times, phase by phase; epsilon is in mean spacings
//   ... --min-samples M                          neighbours of a core point (10)
//   ... --write FOLDER                           leaves points and epsilon for other engines
//   ... --engine zwalk --folder FOLDER           one run: JSON, and the labels in the folder
#include "zwalk/dbscan/dbscan.hpp"
#include "points_bench.hpp"
#include "zwalk/fof/fof.hpp"

namespace {

using namespace zwalk;

struct Clusters {
    static constexpr char const *name = "dbscan", *files = "labels", *title = "DBSCAN by zwalk";
    double spacings = 1;
    DbscanOptions options{.min_samples = 10};

    void add_option(CLI::App& app) {
        app.add_option("spacings,--spacings", spacings, "epsilon / mean spacing");
        app.add_option("--min-samples", options.min_samples);
    }
    template <class T>
    void prepare(Points<T> points, std::vector<double> const& box) {
        options.box = box;
        // In the precision of the points, so that all engines have the same.
        options.epsilon = double(T(spacings * mean_spacing(points, box)));
    }
    template <class T>
    DbscanResult<> solve(Points<T> points, int threads) const {
        return dbscan(points, options, Cpu(threads));
    }
    template <class T>
    void print(Points<T>, DbscanResult<> const&, bench::Run) const {}
    /// Of core points their labels, of border points -2: other engines may take these to other clusters; of noise -1.
    std::vector<index_t> values(DbscanResult<> const& found) const {
        std::vector<index_t> labels(found.labels.begin(), found.labels.end());
        for (std::size_t i = 0; i < labels.size(); ++i)
            if (!found.core[i] && labels[i] >= 0) labels[i] = -2;
        return labels;
    }
    void write(std::filesystem::path const& folder) const {
        bench::write_raw<double>(folder / "length", {&options.epsilon, 1});
    }
};

}  // namespace

int main(int argc, char** argv) { return bench::points_main(Clusters{}, argc, argv); }
