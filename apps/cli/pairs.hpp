// zwalk pairs
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "../io/csv.hpp"
#include "../io/file.hpp"
#include "../io/output.hpp"
#include "job.hpp"
#include "zwalk/pairs/pairs.hpp"

namespace zwalk::apps {

/// The options, as text.
struct PairsCommand : PointsOptions {
    std::string edges, bins, second, weights, second_weights, line_of_sight;
    std::optional<std::string> pi_max, pi_bins, mu_bins;
};

/// Everything that the options settle before a file is read.
struct PairsPlan : CommonPlan {
    PairOptions pairs;

    /// Bins are those of two numbers.
    [[nodiscard]] bool two() const { return pairs.bins != PairBins::distance; }
    /// The reaches of edges, which are known when INPUT and what is beside it have been read.
    [[nodiscard]] std::vector<Reach> reaches() const;
};

struct PairsJob {
    using Command = PairsCommand;
    static constexpr char const* name = "pairs";
    PairsCommand const& o;
    PairsPlan plan;
    io::PointSet queries{};  ///< the second points
    std::vector<double> weights{}, second_weights{};
    std::uint64_t found = 0;
    std::size_t bins = 0;
    bool weighted = false;

    explicit PairsJob(PairsCommand const& command);
    std::vector<double>& box() { return plan.pairs.box; }

    template <class Place>
    std::uint64_t read_more(Place& place, io::PointSet const& points) {
        if (!o.edges.empty())
            plan.pairs.edges = place.agree([&] {
                if (Place::on_ranks && io::is_standard_input(o.edges)) io::refuse_ranges(o.edges);
                return read_column(o.edges, plan.read.dataset);
            });
        if (!o.second.empty())
            queries = read_more_points(place, o.second, "second points", plan, points);
        weights = read_weights(place, o.weights, "weights", points.total);
        second_weights = read_weights(place, o.second_weights, "second_weights", queries.total);
        plan.pairs.weights = weights;
        plan.pairs.second_weights = second_weights;
        return (weights.size() + second_weights.size()) * sizeof(double) + queries.file_bytes;
    }
    [[nodiscard]] Need memory(io::PointSet const& points) const {
        return memory_of(points.size, points, weights.size() + second_weights.size());
    }
    [[nodiscard]] Need rank_memory(io::PointSet const& points) const;
    template <class T, class Place>
    auto compute(Place& place, io::PointSet const& points) {
        auto r = place.call(plan, [&](auto const&... where) {
            auto const count = [&](auto const&... who) {
                return pair_counts(who..., plan.pairs, where...);
            };
            return o.second.empty() ? count(points.points<T>())
                                    : count(points.points<T>(), queries.points<T>());
        });
        bins = r.counts.size(), weighted = !r.weighted.empty();
        for (index_t const n : r.counts) found += std::uint64_t(n);
        return r;
    }
    void count(StatCounts& counts) const {
        if (!o.second.empty()) counts.emplace_back("second", queries.total);
    }
    template <class Directory, class Result>
    void write(Directory& out, Result const& r) const {
        out.write_by_first([&](io::OutputDirectory& files) { write_pairs(files, r); });
    }
    void print() const;
    [[nodiscard]] std::string files() const;

  private:
    /// Trees, of which the second set has two for a while.
    [[nodiscard]] Need memory_of(std::uint64_t first, io::PointSet const& points,
                                 std::uint64_t all_weights) const;
    void write_pairs(io::OutputDirectory& out, PairCounts const& counts) const;
    /// The note on weights of such amounts (but for 0) that lose digits beside the largest of `count`; "" if there is none.
    static std::string weights_note(std::string option, double least, double most, std::uint64_t count);

    template <class Place>
    std::vector<double> read_weights(Place& place, std::string const& file, char const* which,
                                     std::uint64_t rows) const {
        if (file.empty()) return {};
        auto all = read_column_of(place, file, masses_beside(plan.read.dataset), rows, which);
        double least = std::numeric_limits<double>::infinity(), most = 0;
        for (double const w : all) {
            most = std::max(most, std::abs(w));
            if (w != 0) least = std::min(least, std::abs(w));
        }
        least = place.reduce(least, [](double a, double b) { return std::min(a, b); });
        most = place.reduce(most, [](double a, double b) { return std::max(a, b); });
        place.agree([&] { print_note(weights_note(which, least, most, rows), place.quiet()); });
        return all;
    }
};

}  // namespace zwalk::apps
