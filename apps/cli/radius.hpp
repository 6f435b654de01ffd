// zwalk radius
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "job.hpp"
#include "zwalk/radius/radius.hpp"

namespace zwalk::apps {

/// The options, as text.
struct RadiusCommand : PointsOptions {
    std::string query, radii;
    std::optional<std::string> radius;
    bool larger = false, images = false, exclude_self = false, count = false;
};

/// Everything that the options settle before a file is read.
struct RadiusPlan : CommonPlan {
    RadiusOptions radius;
    double longest = 0;  ///< of all radii, on all ranks

    [[nodiscard]] std::vector<Reach> reaches() const {
        if (radius.images) return {};
        return {{radius.radii.empty() ? "--radius" : "--radii: the largest,", longest}};
    }
};

struct RadiusJob {
    using Command = RadiusCommand;
    static constexpr char const* name = "balls";
    RadiusCommand const& o;
    RadiusPlan plan;
    io::PointSet queries{};
    std::vector<double> radii{};
    size_type found = 0;  ///< on all ranks

    explicit RadiusJob(RadiusCommand const& command);
    std::vector<double>& box() { return plan.radius.box; }

    template <class Place>
    std::uint64_t read_more(Place& place, io::PointSet const& points) {
        if (has_queries()) {
            queries = read_more_points(place, o.query, "queries", plan, points);
            place.agree([&] { check_queries(queries.dim, points.dim); });
        }
        if (!o.radii.empty()) read_radii(place, points);
        return queries.file_bytes + radii.size() * sizeof(double);
    }
    [[nodiscard]] Need memory(io::PointSet const& points) const {
        return memory_of(points.size, points);
    }
    [[nodiscard]] Need rank_memory(io::PointSet const& points) const;
    template <class T, class Place>
    auto compute(Place& place, io::PointSet const& points) {
        auto r = place.call(plan, [&](auto const&... where) {
            auto const find = [&](auto const&... who) {
                return o.count ? radius_count(who..., plan.radius, where...)
                               : radius_search(who..., plan.radius, where...);
            };
            return has_queries() ? find(points.points<T>(), queries.points<T>())
                                 : find(points.points<T>());
        });
        found = place.reduce(r.found, std::plus<>());
        if (plan.sphere) timed(r.stats, "angles", [&] { plan.sphere.to_angles(r.distances); });
        return r;
    }
    void count(StatCounts& counts) const {
        if (has_queries()) counts.emplace_back("queries", queries.total);
    }
    template <class Directory, class Result>
    void write(Directory& out, Result const& r) const {
        if (o.count) {
            out.write("counts.npy", r.counts);
        } else {
            write_offsets(out, r.offsets);
            out.write("indices.npy", r.indices);
            out.write("distances.npy", r.distances);
        }
        if (plan.order != Order::z) return;
        write_order(out, r);
        if (has_queries() && !o.count) out.write("source_order.npy", r.source_order);
    }
    void print() const;
    [[nodiscard]] std::string files() const;

  private:
    [[nodiscard]] bool has_queries() const { return !o.query.empty(); }
    /// Trees and counts. How long the lists are is known when they have been counted: they are refused then.
    [[nodiscard]] Need memory_of(std::uint64_t sources, io::PointSet const& points) const;

    template <class Place>
    void read_radii(Place& place, io::PointSet const& points) {
        radii = read_column_of(place, o.radii, plan.read.dataset,
                               has_queries() ? queries.total : points.total, "radii",
                               has_queries() ? "queries" : "points");
        if (plan.sphere)
            place.agree([&] {
                for (double& r : radii) r = plan.sphere.chord("--radii", r);
            });
        plan.radius.radii = radii;
        double const longest = radii.empty() ? 0 : *std::max_element(radii.begin(), radii.end());
        plan.longest = place.reduce(longest, [](double a, double b) { return std::max(a, b); });
    }
    /// counts.npy, and offsets.npy, whose end is the last rank's. Both are signed, which is what NumPy likes best to count in.
    template <class Directory>
    static void write_offsets(Directory& out, Buffer<size_type> const& own) {
        std::size_t const rows = own.size() - 1;
        out.write("counts.npy", out.agree([&] {
            Buffer<index_t> counts(rows);
            for (std::size_t i = 0; i < rows; ++i) counts[i] = index_t(own[i + 1] - own[i]);
            return counts;
        }));
        auto const before = out.before(own.back());
        out.write("offsets.npy", out.agree([&] {
            Buffer<index_t> offsets(rows + out.is_last());
            for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = index_t(before + own[i]);
            return offsets;
        }));
    }
};

}  // namespace zwalk::apps
