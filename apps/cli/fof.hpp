// The options of zwalk fof, in one process and on ranks.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "../io/table.hpp"
#include "points_run.hpp"
#include "zwalk/fof/catalogue.hpp"

namespace zwalk::apps {

class Launch;

/// The options, as text.
struct FofCommand : PointsOptions {
    std::string masses, velocities, min_members = "20", format = "npy";
    std::optional<std::string> length, fraction;
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
/// @throws InputError  an option that makes no sense
FofPlan fof_plan(FofCommand const& command);

/// What is read beside the points, in their precision; size 0: not given. In a snapshot it is beside their coordinates.
struct BesidePoints {
    io::PointSet masses{}, velocities{};

    [[nodiscard]] std::uint64_t bytes() const { return masses.bytes() + velocities.bytes(); }
    [[nodiscard]] std::uint64_t file_bytes() const { return masses.file_bytes + velocities.file_bytes; }
    /// @throws InputError  there aren't as many as points; these may be a part of each
    void check(FofCommand const& command, io::PointSet const& points) const;
    template <class T>
    [[nodiscard]] CatalogueOptions<T> options(FofPlan const& plan) const {
        CatalogueOptions<T> o{.min_members = plan.min_members, .box = plan.fof.box};
        if (masses.size > 0) o.masses = {masses.points<T>().data, masses.size};
        if (velocities.dim > 0) o.velocities = velocities.points<T>();
        return o;
    }
};
/// @param read  read(file, options) is the PointSet of a file
template <class Read>
BesidePoints read_beside(FofCommand const& command, FofPlan const& plan, io::Precision precision,
                         Read const& read) {
    std::string const& dataset = plan.read.dataset;
    std::string const group = dataset.substr(0, dataset.rfind('/') + 1);
    BesidePoints beside;
    if (!command.masses.empty())
        beside.masses = read(command.masses, io::ReadOptions{precision, group + "Masses"});
    if (!command.velocities.empty())
        beside.velocities = read(command.velocities, io::ReadOptions{precision, group + "Velocities"});
    return beside;
}

/// The columns of the catalogue, whose numbers stay where they are.
io::Table table_of(FofCatalogue const& catalogue, bool velocities);
/// The files that are written, in words.
std::string files_of(FofCommand const& command);
/// Prints how many groups there are in all, and of what size, for people.
void print_groups(FofPlan const& plan, std::uint64_t groups);
void print_groups(FofPlan const& plan, std::uint64_t groups, std::uint64_t rows, index_t largest);

/// The note on --linking-fraction in this box; "" if there is none.
std::string spacing_note(std::vector<double> const& box);

/// The command on several ranks; all of them call it.
void run_fof_on_ranks(FofCommand const& command, Launch const& launch);

}  // namespace zwalk::apps
