// The options of zwalk emst, in one process and on ranks.
#pragma once
#include <string>

#include "points_run.hpp"
#include "zwalk/emst/emst.hpp"

namespace zwalk::apps {

class Launch;

/// The options, as text.
struct EmstCommand : PointsOptions {
    std::string min_samples = "1";
};

/// Everything that the options settle before a file is read.
struct EmstPlan : CommonPlan {
    EmstOptions emst;
};
/// @throws InputError  an option that makes no sense
EmstPlan emst_plan(EmstCommand const& command);

/// The command on several ranks; all of them call it.
void run_emst_on_ranks(EmstCommand const& command, Launch const& launch);

}  // namespace zwalk::apps
