// zwalk pairs
#include "pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "../io/npy.hpp"
#include "one_process.hpp"
#include "parse.hpp"
#include "zwalk/core/bits.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/fixed_sum.hpp"
#include "zwalk/knn/memory.hpp"

namespace zwalk::apps {
namespace {

/// `n` bins of equal width from 0 to `most`.
std::vector<double> even_edges(double most, std::int64_t n) {
    std::vector<double> edges;
    for (std::int64_t i = 0; i <= n; ++i) edges.push_back(most * double(i) / double(n));
    return edges;
}

/// RMIN,RMAX,N[,log]
std::vector<double> edges_of_bins(std::string text) {
    bool const logarithmic = text.ends_with(",log");
    if (logarithmic) text.resize(text.size() - 4);
    auto const numbers = parse_numbers("--bins", text);
    if (numbers.size() != 3 || !(numbers[0] < numbers[1]) || numbers[2] != std::floor(numbers[2]) ||
        !(numbers[2] >= 1 && numbers[2] <= 1e6))
        throw InputError(
            fmt::format("--bins takes RMIN,RMAX,N or RMIN,RMAX,N,log with RMIN < RMAX and 1 <= N <= "
                        "1e6, but is {}",
                        text));
    double const lo = numbers[0], hi = numbers[1], n = numbers[2];
    if (logarithmic && !(lo > 0))
        throw InputError(fmt::format("--bins: a logarithm needs RMIN > 0, but RMIN is {}", lo));
    std::vector<double> edges;
    for (double i = 0; i < n; ++i)
        edges.push_back(logarithmic ? lo * std::pow(hi / lo, i / n) : lo + (hi - lo) * i / n);
    edges.push_back(hi);
    return edges;
}

void plan_line_of_sight(PairsCommand const& o, PairOptions& pairs) {
    if (o.pi_max.has_value() != o.pi_bins.has_value())
        throw InputError("--pi-max and --pi-bins go together: give both, or neither");
    if (o.pi_max && o.mu_bins)
        throw InputError("--pi-bins and --mu-bins exclude each other: leave out either of them");
    if (o.pi_max) {
        double const most = parse_number("--pi-max", *o.pi_max);
        if (!(most > 0))
            throw InputError(fmt::format("--pi-max must be positive, but is {}", *o.pi_max));
        pairs.bins = PairBins::rp_pi;
        pairs.los_edges = even_edges(most, parse_integer("--pi-bins", *o.pi_bins, 1, 256));
    }
    if (o.mu_bins) {
        pairs.bins = PairBins::s_mu;
        pairs.los_edges = even_edges(1, parse_integer("--mu-bins", *o.mu_bins, 1, 256));
    }
    if (o.line_of_sight.empty()) return;
    if (pairs.bins == PairBins::distance)
        throw InputError("--line-of-sight goes with --pi-bins or --mu-bins");
    pairs.line_of_sight = int(parse_integer("--line-of-sight", o.line_of_sight, 0, 2));
}

PairsPlan pairs_plan(PairsCommand const& o) {
    if (o.edges.empty() == o.bins.empty())
        throw InputError("either --edges or --bins is required; see zwalk pairs --help");
    if (!o.second_weights.empty() && o.second.empty())
        throw InputError("--second-weights are the weights of the points of --second: give that, too");
    if (o.order == "z") throw InputError("--order z is for rows of points; zwalk pairs writes none");
    PairsPlan plan{common_plan(o), {}};
    if (!o.bins.empty()) plan.pairs.edges = edges_of_bins(o.bins);
    plan_line_of_sight(o, plan.pairs);
    return plan;
}

}  // namespace

std::vector<Reach> PairsPlan::reaches() const {
    if (pairs.edges.empty()) return {};
    std::string const bins = "the last edge";
    if (pairs.bins != PairBins::rp_pi) return {{bins, pairs.edges.back()}};
    return {{bins, pairs.edges.back(), Reach::On::others, pairs.line_of_sight},
            {"--pi-max", pairs.los_edges.back(), Reach::On::line_of_sight, pairs.line_of_sight}};
}

PairsJob::PairsJob(PairsCommand const& command) : o(command), plan(pairs_plan(command)) {}

std::string PairsJob::weights_note(std::string option, double least, double most, std::uint64_t count) {
    if (!(most > 0) || !std::isfinite(most)) return "";  // none, or refused
    // As pair_counts() has them: multiples of this unit. A weight of 2^16 units is rounded by 1e-5 at most.
    double const unit = FixedScale(std::ldexp(most, width_of_bits(count))).value(1);
    if (least >= std::ldexp(unit, 16)) return "";
    std::replace(option.begin(), option.end(), '_', '-');
    return fmt::format(
        "--{}: beside {:.3g}, the largest, weights such as {:.3g} are rounded to multiples of {:.2g}",
        option, most, least, unit);
}

Need PairsJob::memory_of(std::uint64_t first, io::PointSet const& points,
                         std::uint64_t all_weights) const {
    Need need = knn_memory({.points = first + 2 * queries.size,
                            .dim = points.dim,
                            .k = 0,
                            .item_bytes = points.item_bytes(),
                            .threads = plan.cpu().threads(),
                            .memory_budget = plan.budget});
    need.result = 0;
    if (!detail::counts_without_weights(points.dim))
        all_weights = std::max(all_weights, first + queries.size);
    need.walk += all_weights * 2 * sizeof(std::int64_t);
    return need;
}

/// The points of the rank are there once more in z-order. All have weights: where none are given, units.
Need PairsJob::rank_memory(io::PointSet const& points) const {
    Need need = memory_of(with_imports(points), points, 2 * (points.size + queries.size));
    need.input = points.bytes() + queries.bytes();
    for (auto* phase : {&need.sort, &need.build, &need.walk}) *phase += need.input;
    return need;
}

void PairsJob::write_pairs(io::OutputDirectory& out, PairCounts const& r) const {
    PairOptions const& p = plan.pairs;
    std::vector<std::uint64_t> shape{p.edges.size() - 1};
    if (plan.two()) shape.push_back(p.los_edges.size() - 1);
    io::write_npy<index_t>(out.file("counts.npy"), shape, r.counts);
    if (weighted) io::write_npy<double>(out.file("weighted.npy"), shape, r.weighted);
    io::write_npy<double>(out.file("edges.npy"), {p.edges.size()}, p.edges);
    if (plan.two()) io::write_npy<double>(out.file("los_edges.npy"), {p.los_edges.size()}, p.los_edges);
}

void PairsJob::print() const {
    if (!o.second.empty()) fmt::print("second      {}\n", queries.total);
    fmt::print("pairs       {} in {} bins\n", found, bins);
}

std::string PairsJob::files() const {
    return fmt::format("counts.npy{}, edges.npy{}", weighted ? ", weighted.npy" : "",
                       plan.two() ? ", los_edges.npy" : "");
}

Runs add_pairs(CommandLine& program) {
    Command app = program.add_command("pairs", "Pair counts in bins of separation");
    auto o = std::make_shared<PairsCommand>();
    app.add_option("--edges", o->edges, "A file of bin edges, ascending: one number per row");
    app.add_option("--bins", o->bins,
                   "RMIN,RMAX,N or RMIN,RMAX,N,log: N bins of equal width, or of equal ratio");
    app.add_option("--second", o->second, "Other points: count pairs of one of INPUT and one of these");
    app.add_option("--weights", o->weights,
                   "A file with one weight per point; of a snapshot, its Masses");
    app.add_option("--second-weights", o->second_weights,
                   "A file with one weight per point of --second");
    app.add_option("--pi-max", o->pi_max,
                   "Bins are those of rp, and of pi from 0 to this, along the line of sight");
    app.add_option("--pi-bins", o->pi_bins, "How many bins of pi there are, of equal width");
    app.add_option("--mu-bins", o->mu_bins, "Bins are those of s, and so many of mu from 0 to 1");
    app.add_option("--line-of-sight", o->line_of_sight, "Axis 0, 1 or 2 (default: the last)");
    add_points_options(app, *o);
    app.footer(
        "Writes DIR/counts.npy (int64: ordered pairs, so each pair of two points of INPUT counts "
        "twice,\n"
        "one of INPUT and one of --second once), DIR/edges.npy, and with weights DIR/weighted.npy, the\n"
        "sums of the products of the weights. Bin i holds edges[i] < d <= edges[i + 1]. With --pi-bins "
        "or\n"
        "--mu-bins counts are (bins, bins along the line of sight), whose edges are in "
        "DIR/los_edges.npy.\n"
        "Example: zwalk pairs points.npy --bins 0.001,0.1,20,log --box 1 -o pairs");
    return runs_of<PairsJob>(app, o);
}

}  // namespace zwalk::apps
