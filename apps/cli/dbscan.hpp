// zwalk dbscan
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "job.hpp"
#include "zwalk/dbscan/dbscan.hpp"

namespace zwalk::apps {

/// The options, as text.
struct DbscanCommand : PointsOptions {
    std::optional<std::string> epsilon, min_samples;
};

/// Everything that the options settle before a file is read.
struct DbscanPlan : CommonPlan {
    DbscanOptions dbscan;

    [[nodiscard]] std::vector<Reach> reaches() const { return {{"--epsilon", dbscan.epsilon}}; }
};

struct DbscanJob {
    using Command = DbscanCommand;
    static constexpr char const* name = "clusters";
    DbscanPlan plan;
    std::uint64_t clusters = 0, core_points = 0, noise = 0;

    explicit DbscanJob(DbscanCommand const& command);
    std::vector<double>& box() { return plan.dbscan.box; }

    [[nodiscard]] Need memory(io::PointSet const& points) const;
    [[nodiscard]] Need rank_memory(io::PointSet const& points) const;
    template <class T, class Place>
    auto compute(Place& place, io::PointSet const& points) {
        auto r = place.call(plan, [&](auto const&... where) {
            return dbscan(points.points<T>(), plan.dbscan, where...);
        });
        clusters = r.clusters, core_points = r.core_points, noise = r.noise;
        return r;
    }
    template <class Directory, class Result>
    void write(Directory& out, Result const& r) const {
        out.write("labels.npy", r.labels);
        out.write("core.npy", r.core);
        if (plan.order == Order::z) write_order(out, r);
    }
    void print() const;
    [[nodiscard]] std::string files() const;
};

}  // namespace zwalk::apps
