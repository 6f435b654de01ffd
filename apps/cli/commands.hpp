// The subcommands. Each function adds one to the program and returns how it is run.
#pragma once
#include <functional>

#include "command_line.hpp"

namespace zwalk::apps {

class Launch;

/// How a command runs: in one process; and on several ranks, all of which call it, if it can: what fails does so on all of
/// them alike.
struct Runs {
    Command command;
    std::function<void()> alone;
    std::function<void(Launch const&)> on_ranks{};
};

Runs add_knn(CommandLine& program);
Runs add_fof(CommandLine& program);
Runs add_emst(CommandLine& program);
Runs add_hdbscan(CommandLine& program);
Runs add_predict(CommandLine& program);
Runs add_gravity(CommandLine& program);
Runs add_pairs(CommandLine& program);
Runs add_radius(CommandLine& program);
Runs add_dbscan(CommandLine& program);
Runs add_peaks(CommandLine& program);
Runs add_generate(CommandLine& program);
Runs add_info(CommandLine& program);
Runs add_render(CommandLine& program);
Runs add_render_tree(CommandLine& program);
Runs add_trace(CommandLine& program);
Runs add_completion(CommandLine& program);
Runs add_man(CommandLine& program);

}  // namespace zwalk::apps
