// Pair counts by zwalk: the program behind the pairs cases of bench/compare.
//
//   bench_pairs N share threads kind             times, phase by phase; the largest separation is `share` of the extent
//   ... --write FOLDER                           leaves points and edges for other engines
//   ... --engine zwalk --folder FOLDER           one run: JSON, and in the folder the counts
#include "zwalk/pairs/pairs.hpp"
#include "points_bench.hpp"

namespace {

using namespace zwalk;

struct CountPairs {
    static constexpr char const *name = "pairs", *files = "counts", *title = "pair counts by zwalk";
    double share = .03;
    PairOptions options{};

    void add_option(CLI::App& app) {
        app.add_option("share,--share", share, "largest separation / extent");
    }
    template <class T>
    void prepare(Points<T> points, std::vector<double> const& box) {
        options.box = box;
        T lo = 0, hi = 0;
        for (std::size_t i = 0; i < points.size; ++i) {
            T const x = points.data[i * std::size_t(points.dim)];
            lo = i ? std::min(lo, x) : x;
            hi = i ? std::max(hi, x) : x;
        }
        // 20 logarithmic bins over a factor of 100, in the precision of the points, so that all engines have the same.
        double const most = share * (double(hi) - double(lo));
        for (int i = 0; i <= 20; ++i)
            options.edges.push_back(double(T(most * std::pow(10., (i - 20) / 10.))));
    }
    template <class T>
    PairCounts solve(Points<T> points, int threads) const {
        return pair_counts(points, options, Cpu(threads));
    }
    template <class T>
    void print(Points<T> points, PairCounts const& found, bench::Run) const {
        double all = 0;
        for (index_t n : found.counts) all += double(n);
        fmt::print("{:.3g} pairs, {:.1f} each;", all, all / double(points.size));
    }
    std::span<index_t const> values(PairCounts const& found) const { return found.counts; }
    void write(std::filesystem::path const& folder) const {
        bench::write_raw<double>(folder / "edges", options.edges);
    }
};

}  // namespace

int main(int argc, char** argv) { return bench::points_main(CountPairs{}, argc, argv); }
