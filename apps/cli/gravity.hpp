// zwalk gravity
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "job.hpp"
#include "zwalk/gravity/gravity.hpp"

namespace zwalk::apps {

/// The options, as text.
struct GravityCommand : PointsOptions {
    std::string masses;
    std::optional<std::string> softening, accuracy, expansion_order, opening;
};

/// Everything that the options settle before a file is read.
struct GravityPlan : CommonPlan {
    GravityOptions gravity;
};

struct GravityJob {
    using Command = GravityCommand;
    static constexpr char const* name = "gravity";
    GravityCommand const& o;
    GravityPlan plan;
    std::vector<double> masses{};
    int order = 0;  ///< of expansions
    double opening = 0;

    explicit GravityJob(GravityCommand const& command);
    std::vector<double>& box() { return plan.gravity.box; }

    template <class Place>
    std::uint64_t read_more(Place& place, io::PointSet const& points) {
        if (!o.masses.empty())
            masses = read_column_of(place, o.masses, masses_beside(plan.read.dataset), points.total,
                                    "masses");
        plan.gravity.masses = masses;
        return masses.size() * sizeof(double);
    }
    [[nodiscard]] Need memory(io::PointSet const& points) const {
        return memory_of(points.size, points);
    }
    [[nodiscard]] Need rank_memory(io::PointSet const& points) const;
    template <class T, class Place>
    auto compute(Place& place, io::PointSet const& points) {
        auto r = place.call(plan, [&](auto const&... where) {
            return gravity(points.points<T>(), plan.gravity, where...);
        });
        order = r.expansion_order, opening = r.opening;
        return r;
    }
    void count(StatCounts& counts) const {
        counts.emplace_back("expansion_order", std::uint64_t(order));
    }
    template <class Directory, class Result>
    void write(Directory& out, Result const& r) const {
        out.write("accelerations.npy", r.accelerations, r.columns);
        out.write("potentials.npy", r.potentials);
        if (plan.order == Order::z) write_order(out, r);
    }
    void print() const;
    [[nodiscard]] std::string files() const;

  private:
    [[nodiscard]] Need memory_of(std::uint64_t sources, io::PointSet const& points) const;
};

}  // namespace zwalk::apps
