// The subcommands. Each function adds one to the program and returns what runs it.
#pragma once
#include <functional>

namespace CLI {
class App;
}

namespace zwalk::apps {

using Run = std::function<void()>;

Run add_knn(CLI::App& program);
Run add_fof(CLI::App& program);
Run add_emst(CLI::App& program);
Run add_hdbscan(CLI::App& program);
Run add_generate(CLI::App& program);
Run add_info(CLI::App& program);
Run add_render(CLI::App& program);
Run add_render_tree(CLI::App& program);

}  // namespace zwalk::apps
