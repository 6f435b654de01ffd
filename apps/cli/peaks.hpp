// zwalk peaks
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../io/output.hpp"
#include "job.hpp"
#include "zwalk/peaks/peaks.hpp"

namespace zwalk::apps {

/// The options, as text.
struct PeaksCommand : PointsOptions {
    std::optional<std::string> k, clusters, min_delta, max_radius;
};

/// Everything that the options settle before a file is read.
struct PeaksPlan : CommonPlan {
    PeaksOptions peaks;
    std::optional<PeaksCut> cut;  ///< none: the decision graph alone
};

struct PeaksJob {
    using Command = PeaksCommand;
    static constexpr char const* name = "density peaks";
    PeaksPlan plan;
    PeaksClusters cut{};

    explicit PeaksJob(PeaksCommand const& command);
    std::vector<double>& box() { return plan.peaks.box; }

    [[nodiscard]] Need memory(io::PointSet const& points) const;
    [[nodiscard]] Need rank_memory(io::PointSet const& points) const;
    /// Rank 0 makes the cut.
    [[nodiscard]] Need first_rank_memory(io::PointSet const& points) const;
    template <class T, class Place>
    auto compute(Place& place, io::PointSet const& points) {
        auto r = place.call(plan, [&](auto const&... where) {
            return density_peaks(points.points<T>(), plan.peaks, where...);
        });
        if (plan.cut) make_cut(place, r);
        if (plan.sphere)
            timed(r.stats, "angles", [&] {
                plan.sphere.to_angles(r.radius);
                plan.sphere.to_angles(r.delta);
            });
        return r;
    }
    void count(StatCounts& counts) const {
        if (plan.cut) counts.emplace_back("clusters", cut.centres.size());
    }
    template <class Directory, class Result>
    void write(Directory& out, Result const& r) const {
        out.write("radius.npy", r.radius);
        out.write("delta.npy", r.delta);
        out.write("nearest_denser.npy", r.nearest_denser);
        if (plan.cut) {
            out.write("labels.npy", cut.labels);
            out.write_by_first([&](io::OutputDirectory& files) { write_centres(files); });
        }
        if (plan.order == Order::z) write_order(out, r);
    }
    void print() const;
    [[nodiscard]] std::string files() const;

  private:
    void write_centres(io::OutputDirectory& out) const;
    template <class Place, class Result>
    void make_cut(Place& place, Result& r) {
        Timer const timer;
        cut = place.call_on_cpu(
            plan, [&](auto const&... where) { return peaks_clusters(r, *plan.cut, where...); });
        place.agree([&] { r.stats.seconds.emplace_back("clusters", timer.seconds()); });
    }
};

}  // namespace zwalk::apps
