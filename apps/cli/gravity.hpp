// The options of zwalk gravity, in one process and on ranks.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "points_run.hpp"
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
/// @throws InputError  an option that makes no sense
GravityPlan gravity_plan(GravityCommand const& command);

/// The files that are written, in words.
std::string files_of(GravityCommand const& command);
/// Prints the softening, the order and the opening, for people.
void print_expansions(GravityPlan const& plan, int order, double opening);

/// The command on several ranks; all of them call it.
void run_gravity_on_ranks(GravityCommand const& command);

}  // namespace zwalk::apps
