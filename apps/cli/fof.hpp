// zwalk fof
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../io/table.hpp"
#include "job.hpp"
#include "zwalk/fof/catalogue.hpp"
#include "zwalk/fof/fof.hpp"

namespace zwalk::apps {

/// The options, as text.
struct FofCommand : PointsOptions {
    std::string masses, velocities, min_members = "20", format = "npy";
    std::optional<std::string> length, fraction, pieces;
    bool members = false, labels_only = false;
};

/// Everything that the options settle before a file is read.
struct FofPlan : CommonPlan {
    FofOptions fof;
    std::optional<double> fraction;  ///< of the mean spacing; none: the length is in fof
    std::size_t min_members = 20;

    /// A fraction of the mean spacing is far below half of the box.
    [[nodiscard]] std::vector<Reach> reaches() const {
        if (fraction) return {};
        return {{"--linking-length", fof.linking_length}};
    }
};

struct FofJob {
    using Command = FofCommand;
    static constexpr char const* name = "groups";
    FofCommand const& o;
    FofPlan plan;
    /// What is read beside the points, in their precision; size 0: not given. In a snapshot it is beside their coordinates.
    io::PointSet masses{}, velocities{};
    std::uint64_t groups = 0, listed = 0;  ///< of all ranks; those in the catalogue
    index_t largest = 0;                   ///< members of the largest group

    explicit FofJob(FofCommand const& command);
    std::vector<double>& box() { return plan.fof.box; }

    template <class Place>
    std::uint64_t read_more(Place& place, io::PointSet const& points) {
        std::string const& dataset = plan.read.dataset;
        std::string const group = dataset.substr(0, dataset.rfind('/') + 1);
        if (!o.masses.empty()) masses = place.read(o.masses, {points.precision(), group + "Masses"});
        if (!o.velocities.empty())
            velocities = place.read(o.velocities, {points.precision(), group + "Velocities"});
        place.agree([&] { check_beside(points); });
        return masses.file_bytes + velocities.file_bytes;
    }
    [[nodiscard]] Need memory(io::PointSet const& points) const {
        return memory_of(points.size, points);
    }
    [[nodiscard]] Need rank_memory(io::PointSet const& points) const;
    template <class T, class Place>
    auto compute(Place& place, io::PointSet const& points) {
        auto r = find_groups(place, *this, points.points<T>(), points.total);
        auto const& own = r.catalogue.rows;
        groups = r.groups, listed = r.catalogue.size;
        largest = place.reduce(own.size() > 0 ? own.count[0] : 0,
                               [](index_t a, index_t b) { return std::max(a, b); });
        return r;
    }
    void count(StatCounts& counts) const {
        counts.emplace_back("groups", groups);
        if (!o.labels_only) counts.emplace_back("catalogue", listed);
    }
    template <class Directory, class Result>
    void write(Directory& out, Result const& r) const {
        out.write("labels.npy", r.labels);
        if (plan.order == Order::z) write_order(out, r);
        if (o.labels_only) return;
        write_catalogue(out, r.catalogue.rows);
        if (o.members) out.write("members.npy", r.catalogue.members);
    }
    template <class Directory>
    void write_catalogue(Directory& out, FofCatalogue const& rows) const {
        out.write_table("catalogue." + o.format, out.agree([&] { return table_of(rows); }), "Groups");
    }
    void print() const;
    [[nodiscard]] std::string files() const;

    // For find_groups(), which is in fof.cpp and fof_ranks.cpp.
    /// The note on --linking-fraction in this box; "" if there is none.
    [[nodiscard]] std::string spacing_note() const;
    template <class T>
    [[nodiscard]] CatalogueOptions<T> catalogue_options() const {
        CatalogueOptions<T> c{.min_members = plan.min_members, .box = plan.fof.box};
        c.members = o.members;
        if (masses.size > 0) c.masses = {masses.points<T>().data, masses.size};
        if (velocities.dim > 0) c.velocities = velocities.points<T>();
        return c;
    }

  private:
    /// @throws InputError  there aren't as many as points; these may be a part of each
    void check_beside(io::PointSet const& points) const;
    [[nodiscard]] Need memory_of(std::uint64_t sources, io::PointSet const& points) const;
    /// The columns of the catalogue, whose numbers stay where they are.
    [[nodiscard]] io::Table table_of(FofCatalogue const& own) const;
};

/// zwalk fof --pieces: from files to files, with a piece of the points in memory at a time.
void run_fof_in_pieces(FofCommand const& command);

}  // namespace zwalk::apps
