// zwalk pairs
#include "pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "../io/npy.hpp"
#include "commands.hpp"
#include "parse.hpp"
#include "points_run.hpp"
#include "zwalk/core/bits.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/fixed_sum.hpp"
#include "zwalk/pairs/pairs.hpp"

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

}  // namespace

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

std::vector<Reach> PairsPlan::reaches() const {
    if (pairs.edges.empty()) return {};
    std::string const bins = "the last edge";
    if (pairs.bins != PairBins::rp_pi) return {{bins, pairs.edges.back()}};
    return {{bins, pairs.edges.back(), Reach::On::others, pairs.line_of_sight},
            {"--pi-max", pairs.los_edges.back(), Reach::On::line_of_sight, pairs.line_of_sight}};
}

WeightRange::WeightRange(std::vector<double> const& weights) {
    for (double const w : weights) {
        most = std::max(most, std::abs(w));
        if (w != 0) least = std::min(least, std::abs(w));
    }
}

std::string weights_note(char const* option, WeightRange range, std::uint64_t count) {
    if (!(range.most > 0) || !std::isfinite(range.most)) return "";  // none, or refused
    // As pair_counts() has them: multiples of this unit. A weight of 2^16 units is rounded by 1e-5 at most.
    double const unit = FixedScale(std::ldexp(range.most, width_of_bits(count))).value(1);
    if (range.least >= std::ldexp(unit, 16)) return "";
    return fmt::format(
        "{}: beside {:.3g}, the largest, weights such as {:.3g} are rounded to multiples of {:.2g}",
        option, range.most, range.least, unit);
}

void write_pairs(io::OutputDirectory& out, PairsPlan const& plan, PairCounts const& r) {
    PairOptions const& o = plan.pairs;
    std::vector<std::size_t> shape{o.edges.size() - 1};
    if (plan.two()) shape.push_back(o.los_edges.size() - 1);
    io::write_npy<index_t>(out.file("counts.npy"), shape, r.counts);
    if (!r.weighted.empty()) io::write_npy<double>(out.file("weighted.npy"), shape, r.weighted);
    io::write_npy<double>(out.file("edges.npy"), {o.edges.size()}, o.edges);
    if (plan.two()) io::write_npy<double>(out.file("los_edges.npy"), {o.los_edges.size()}, o.los_edges);
}
void print_pairs(std::optional<std::uint64_t> second, PairCounts const& r) {
    if (second) fmt::print("second      {}\n", *second);
    index_t all = 0;
    for (index_t const n : r.counts) all += n;
    fmt::print("pairs       {} in {} bins\n", all, r.counts.size());
}
std::string files_of(PairsPlan const& plan, PairCounts const& r) {
    return fmt::format("counts.npy{}, edges.npy{}", r.weighted.empty() ? "" : ", weighted.npy",
                       plan.two() ? ", los_edges.npy" : "");
}
Need pairs_memory(PairsPlan const& plan, std::uint64_t points, std::uint64_t second, int dim,
                  std::size_t item_bytes, std::uint64_t weights) {
    Need need = knn_memory({.points = points + 2 * second,
                            .dim = dim,
                            .k = 0,
                            .item_bytes = item_bytes,
                            .threads = plan.cpu().threads(),
                            .memory_budget = plan.budget});
    need.result = 0;
    if (!detail::counts_without_weights(dim)) weights = std::max(weights, points + second);
    need.walk += weights * 2 * sizeof(std::int64_t);
    return need;
}

namespace {

struct Job {
    static constexpr char const* name = "pairs";
    PairsCommand const& o;
    PairsPlan plan;
    io::PointSet second{};
    std::vector<double> weights{}, second_weights{};

    explicit Job(PairsCommand const& command) : o(command), plan(pairs_plan(command)) {}
    std::vector<double>& box() { return plan.pairs.box; }

    std::uint64_t read_more(io::PointSet const& points) {
        std::string const& dataset = plan.read.dataset;
        std::string const masses = masses_beside(dataset);
        if (!o.edges.empty()) plan.pairs.edges = read_column(o.edges, dataset);
        if (!o.weights.empty()) weights = read_column(o.weights, masses);
        if (!o.second_weights.empty()) second_weights = read_column(o.second_weights, masses);
        print_note(weights_note("--weights", WeightRange(weights), weights.size()), o.quiet);
        print_note(weights_note("--second-weights", WeightRange(second_weights), second_weights.size()),
                   o.quiet);
        std::uint64_t const bytes = (weights.size() + second_weights.size()) * sizeof(double);
        if (o.second.empty()) return bytes;
        second = io::read_points(o.second, {points.precision(), dataset, plan.read.columns});
        print_notes(second, "second points", plan.read.precision, o.quiet);
        return bytes + second.file_bytes;
    }
    [[nodiscard]] Need memory(io::PointSet const& points) const {
        return pairs_memory(plan, points.size, second.size, points.dim, points.item_bytes(),
                            weights.size() + second_weights.size());
    }
    template <class T>
    PairCounts compute(io::PointSet const& set, Phases& phases, Progress&) {
        if (o.wrap && !o.second.empty())
            phases.timed("wrap second",
                         [&] { plan.cpu().run([&] { wrap_into_box(second, plan.pairs.box); }); });
        plan.pairs.weights = weights;
        plan.pairs.second_weights = second_weights;
        auto const count = [&](auto const& place) {
            return o.second.empty()
                       ? pair_counts(set.points<T>(), plan.pairs, place)
                       : pair_counts(set.points<T>(), second.points<T>(), plan.pairs, place);
        };
        auto result = plan.device == "cuda" ? count(plan.cuda()) : count(plan.cpu());
        phases.add(result.stats);
        return result;
    }
    void count(PairCounts const& r, StatCounts& counts) const {
        if (!o.second.empty()) counts.emplace_back("second", second.size);
        counts.insert(counts.end(), r.stats.counts.begin(), r.stats.counts.end());
    }
    void write(io::OutputDirectory& out, PairCounts const& r) const { write_pairs(out, plan, r); }
    void print(PairCounts const& r) const {
        print_pairs(o.second.empty() ? std::optional<std::uint64_t>() : second.size, r);
    }
    [[nodiscard]] std::string files(PairCounts const& r) const { return files_of(plan, r); }
};

}  // namespace

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
    return {app,
            [o] {
                Job job(*o);
                run_points(job, *o);
            },
            [o](Launch const&) { run_pairs_on_ranks(*o); }};
}

}  // namespace zwalk::apps
