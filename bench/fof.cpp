// Friends-of-friends by zwalk: the program behind the fof cases of bench/compare.
//
//   bench_fof N fraction threads kind            times, phase by phase
//   ... --write FOLDER                           leaves points and linking length for other engines
//   ... --engine zwalk --folder FOLDER           one run: JSON, and the labels in the folder
#include "points_bench.hpp"
#include "zwalk/fof/catalogue.hpp"

namespace {

using namespace zwalk;

struct FriendsOfFriends {
    static constexpr char const *name = "fof", *files = "labels", *title = "friends-of-friends by zwalk";
    double fraction = .2, length = 0;
    std::vector<double> box{};

    void add_option(CLI::App& app) {
        app.add_option("fraction,--fraction", fraction, "linking length / mean spacing");
    }
    template <class T>
    void prepare(Points<T> points, std::vector<double> const& of_points) {
        box = of_points;
        // In the precision of the points, so that all engines have the same.
        length = double(T(fraction * mean_spacing(points, box)));
    }
    template <class T>
    FofResult<> solve(Points<T> points, int threads) const {
        return fof(points, {.linking_length = length, .box = box}, Cpu(threads));
    }
    template <class T>
    void print(Points<T> points, FofResult<> const& groups, bench::Run run) const {
        double const begin = bench::now();
        auto const catalogue = fof_catalogue(points, groups, {.box = box}, Cpu(run.threads));
        fmt::print("{} groups, catalogue {:.4f} s ({} of 20 and more);", groups.groups,
                   bench::now() - begin, catalogue.size());
    }
    std::span<index_t const> values(FofResult<> const& groups) const { return groups.labels; }
    void write(std::filesystem::path const& folder) const {
        bench::write_raw<double>(folder / "length", {&length, 1});
    }
};

}  // namespace

int main(int argc, char** argv) { return bench::points_main(FriendsOfFriends{}, argc, argv); }
