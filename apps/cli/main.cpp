// The program zwalk: which command, and what becomes of its errors.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "../io/output.hpp"
#include "commands.hpp"
#include "memory.hpp"
#include "zwalk/core/error.hpp"

namespace {

enum Exit : int { done = 0, failed = 1, bad_input = 2 };

int report(std::string message, Exit code) {
    for (char& c : message)
        if (c == '\n') c = ' ';
    fmt::print(stderr, "zwalk: error: {}\n", message);
    return code;
}

struct Command {
    CLI::App* app;
    zwalk::apps::Run run;
};

std::vector<Command> add_commands(CLI::App& program) {
    using namespace zwalk::apps;
    std::vector<Command> commands;
    for (auto add : {add_knn, add_fof, add_emst, add_hdbscan, add_generate, add_info, add_render,
                     add_render_tree}) {
        Run run = add(program);
        commands.push_back({program.get_subcommands({}).back(), std::move(run)});
    }
    return commands;
}

/// Usage errors by CLI11: one line that says where help is.
int report_usage(CLI::ParseError const& error, std::string const& command) {
    std::string message = error.what();
    while (!message.empty() && (message.back() == '\n' || message.back() == '.')) message.pop_back();
    return report(fmt::format("{}; see zwalk {}--help", message, command), bad_input);
}

void run(std::vector<Command> const& commands) {
    for (auto const& command : commands)
        if (command.app->parsed()) command.run();
    if (std::fflush(stdout) != 0 || std::ferror(stdout))
        throw zwalk::Error(fmt::format("cannot write the standard output: {}", std::strerror(errno)));
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App program("Exact neighbours, fast: dual-tree walks over z-ordered points", "zwalk");
    program.set_version_flag("--version", "zwalk " ZWALK_VERSION);
    program.require_subcommand(1);
    auto const commands = add_commands(program);
    try {
        program.parse(argc, argv);
    } catch (CLI::ParseError const& error) {
        if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
        std::string command;
        for (auto const& c : commands)
            if (argc > 1 && c.app->get_name() == argv[1]) command = c.app->get_name() + " ";
        if (command.empty() && argc > 1 && argv[1][0] != '-')
            return report(fmt::format("there is no command '{}'; see zwalk --help", argv[1]), bad_input);
        return report_usage(error, command);
    }
    try {
        zwalk::io::remove_unfinished_on_signals();
        zwalk::apps::return_large_blocks();
        run(commands);
        return done;
    } catch (zwalk::InputError const& error) {
        return report(error.what(), bad_input);
    } catch (std::bad_alloc const&) {
        return report("out of memory", failed);
    } catch (std::exception const& error) {
        return report(error.what(), failed);
    }
}
