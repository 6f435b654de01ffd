// Radius search by zwalk: the program behind the radius cases of bench/compare.
//
//   bench_radius N spacings threads kind         times, phase by phase; the radius is in mean spacings
//   ... --write FOLDER                           leaves points and radius for other engines
//   ... --engine zwalk --folder FOLDER           one run: JSON, and in the folder where each point's row begins
#include "zwalk/radius/radius.hpp"
#include "points_bench.hpp"
#include "zwalk/fof/fof.hpp"

namespace {

using namespace zwalk;

struct RadiusSearch {
    static constexpr char const *name = "radius", *files = "offsets", *title = "radius search by zwalk";
    double spacings = 1;
    RadiusOptions options{};

    void add_option(CLI::App& app) {
        app.add_option("spacings,--spacings", spacings, "radius / mean spacing");
    }
    template <class T>
    void prepare(Points<T> points, std::vector<double> const& box) {
        options.box = box;
        // In the precision of the points, so that all engines have the same.
        options.radius = double(T(spacings * mean_spacing(points, box)));
    }
    template <class T>
    RadiusResult<T> solve(Points<T> points, int threads) const {
        return radius_search(points, options, Cpu(threads));
    }
    template <class T>
    void print(Points<T> points, RadiusResult<T> const& found, bench::Run run) const {
        double const begin = bench::now();
        auto const counted = radius_count(points, options, Cpu(run.threads));
        fmt::print("{:.1f} each, counts alone {:.4f} s;", double(found.found) / double(points.size),
                   bench::now() - begin);
        if (counted.found != found.found) throw std::runtime_error("counts differ");
    }
    template <class T>
    std::span<size_type const> values(RadiusResult<T> const& found) const {
        return found.offsets;
    }
    void write(std::filesystem::path const& folder) const {
        bench::write_raw<double>(folder / "length", {&options.radius, 1});
    }
};

}  // namespace

int main(int argc, char** argv) { return bench::points_main(RadiusSearch{}, argc, argv); }
