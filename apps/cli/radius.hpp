// The options of zwalk radius, in one process and on ranks.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "points_run.hpp"
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
    double longest = 0;  ///< of all radii

    /// A view of the radii of --radii: these must stay.
    void take(std::vector<double> const& radii);
    [[nodiscard]] std::vector<Reach> reaches() const {
        if (radius.images) return {};
        return {{radius.radii.empty() ? "--radius" : "--radii: the largest,", longest}};
    }
};
/// @throws InputError  an option that makes no sense
RadiusPlan radius_plan(RadiusCommand const& command);

/// Trees and counts. How long the lists are is known when they have been counted: they are refused then.
Need radius_memory(RadiusCommand const& command, RadiusPlan const& plan, std::uint64_t points,
                   std::uint64_t queries, int dim, std::size_t item_bytes);
/// "radius      0.1", or what the radii are.
void print_radius(RadiusCommand const& command, RadiusPlan const& plan);
/// The files that are written, in words.
std::string files_of(RadiusCommand const& command);

/// The command on several ranks; all of them call it.
void run_radius_on_ranks(RadiusCommand const& command);

}  // namespace zwalk::apps
