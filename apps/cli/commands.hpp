// The subcommands. Each function adds one to the program and returns how it is run.
#pragma once
#include <functional>

namespace CLI {
class App;
}

namespace zwalk::apps {

class Launch;

/// In one process; and on several ranks, all of which call it, if it can: what fails does so on all of them alike.
struct Runs {
    std::function<void()> alone;
    std::function<void(Launch const&)> on_ranks{};
};

Runs add_knn(CLI::App& program);
Runs add_fof(CLI::App& program);
Runs add_emst(CLI::App& program);
Runs add_hdbscan(CLI::App& program);
Runs add_gravity(CLI::App& program);
Runs add_pairs(CLI::App& program);
Runs add_radius(CLI::App& program);
Runs add_dbscan(CLI::App& program);
Runs add_generate(CLI::App& program);
Runs add_info(CLI::App& program);
Runs add_render(CLI::App& program);
Runs add_render_tree(CLI::App& program);
Runs add_trace(CLI::App& program);

}  // namespace zwalk::apps
