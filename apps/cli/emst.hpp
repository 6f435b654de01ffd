// zwalk emst
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "job.hpp"
#include "zwalk/emst/emst.hpp"

namespace zwalk::apps {

/// The options, as text.
struct EmstCommand : PointsOptions {
    std::string min_samples = "1";
};

/// Everything that the options settle before a file is read.
struct EmstPlan : CommonPlan {
    EmstOptions emst;
};

struct EmstJob {
    using Command = EmstCommand;
    static constexpr char const* name = "tree";
    EmstPlan plan;
    // The edges of all ranks: their number, length and longest one.
    std::uint64_t edges = 0;
    double length = 0;
    std::string longest{};

    explicit EmstJob(EmstCommand const& command);
    std::vector<double>& box() { return plan.emst.box; }

    [[nodiscard]] Need memory(io::PointSet const& points) const;
    [[nodiscard]] Need rank_memory(io::PointSet const& points) const;
    template <class T, class Place>
    auto compute(Place& place, io::PointSet const& points) {
        auto tree = place.call(
            plan, [&](auto const&... where) { return emst(points.points<T>(), plan.emst, where...); });
        if (plan.sphere)
            timed(tree.stats, "angles", [&] {
                plan.sphere.to_ascending_angles(tree.lengths);
                plan.sphere.to_angles(tree.core_distances);
            });
        double own = 0;
        for (T const l : tree.lengths) own += double(l);
        edges = place.reduce(std::uint64_t(tree.lengths.size()), std::plus<>());
        length = place.reduce(own, std::plus<>());
        T const last = place.reduce(tree.lengths.empty() ? T(0) : tree.lengths.back(),
                                    [](T a, T b) { return std::max(a, b); });
        longest = place.agree([&] { return fmt::format("{}", last); });
        return tree;
    }
    void count(StatCounts& counts) const { counts.emplace_back("edges", edges); }
    template <class Directory, class Result>
    void write(Directory& out, Result const& tree) const {
        out.write("edges.npy", tree.edges, 2);
        out.write("lengths.npy", tree.lengths);
        if (has_cores()) out.write("core_distances.npy", tree.core_distances);
    }
    void print() const;
    [[nodiscard]] std::string files() const;

  private:
    /// One point alone has none.
    [[nodiscard]] bool has_cores() const { return plan.emst.min_samples > 1 && edges > 0; }
};

}  // namespace zwalk::apps
