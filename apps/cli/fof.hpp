// What zwalk fof is asked for, in one process and on ranks.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "points_run.hpp"
#include "zwalk/fof/fof.hpp"

namespace zwalk::apps {

class Launch;

/// The options, as text.
struct FofCommand : PointsOptions {
    std::string masses, velocities, min_members = "20", format = "npy";
    std::optional<std::string> length, fraction;
    bool members = false, labels_only = false;
};

/// Everything that they can say before a file is read.
struct FofPlan : CommonPlan {
    FofOptions fof;
    std::optional<double> fraction;  ///< of the mean spacing; none: the length is in fof
    std::size_t min_members = 20;
};
/// @throws InputError  an option that makes no sense
FofPlan fof_plan(FofCommand const& command);

/// What to tell a user of --linking-fraction about this box; "" if nothing.
std::string spacing_note(std::vector<double> const& box);

/// The command on several ranks; all of them call it. Labels only.
void run_fof_on_ranks(FofCommand const& command, Launch const& launch);

}  // namespace zwalk::apps
