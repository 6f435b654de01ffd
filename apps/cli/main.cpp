// The program zwalk: which command, and what becomes of its errors.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "../io/file.hpp"
#include "../io/output.hpp"
#include "commands.hpp"
#include "launch.hpp"
#include "memory.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/wrap_first.hpp"

namespace {

using zwalk::apps::CommandLine;
using zwalk::apps::Launch;
using zwalk::apps::Runs;

enum Exit : int { done = 0, failed = 1, bad_input = 2 };

int report(std::string message, Exit code) {
    for (char& c : message)
        if (c == '\n') c = ' ';
    fmt::print(stderr, "zwalk: error: {}\n", zwalk::io::escaped(message));
    return code;
}

/// A message of the library in the words of the program: where it names a remedy, the program may have an option for that.
std::string with_option(std::string message) {
    if (zwalk::says_wrap_first(message)) message += " (--wrap)";
    return message;
}

/// f(), or its error on stderr, if this process is the one that prints. @return the exit code
template <class F>
int reporting(bool speaks, F const& f) {
    auto const say = [&](char const* what, Exit code) { return speaks ? report(what, code) : code; };
    try {
        return f();
    } catch (zwalk::InputError const& error) {
        return say(with_option(error.what()).c_str(), bad_input);
    } catch (std::bad_alloc const&) {
        return say("out of memory", failed);
    } catch (std::exception const& error) {
        return say(error.what(), failed);
    }
}

std::vector<Runs> add_commands(CommandLine& program) {
    using namespace zwalk::apps;
    std::vector<Runs> commands;
    for (auto add : {add_knn, add_fof, add_emst, add_hdbscan, add_predict, add_radius, add_dbscan,
                     add_peaks, add_pairs, add_gravity, add_generate, add_info, add_render,
                     add_render_tree, add_trace, add_completion, add_man})
        commands.push_back(add(program));
    return commands;
}

/// Prints one line on where help is.
int report_usage(std::string message, std::vector<Runs> const& commands,
                 std::vector<std::string> const& arguments) {
    auto const word = std::find_if(arguments.begin(), arguments.end(),
                                   [](std::string const& a) { return !a.starts_with('-'); });
    std::string command;
    for (auto const& c : commands)
        if (word != arguments.end() && c.command.name() == *word) command = *word + " ";
    if (command.empty() && word == arguments.begin() && word != arguments.end())
        return report(fmt::format("there is no command '{}'; see zwalk --help", *word), bad_input);
    while (!message.empty() && (message.back() == '\n' || message.back() == '.')) message.pop_back();
    return report(fmt::format("{}; see zwalk {}--help", message, command), bad_input);
}

void run(Runs const& asked, Launch const& launch) {
    if (launch.ranks() == 1) return asked.alone();
    zwalk::apps::refuse_on_ranks(!asked.on_ranks, "zwalk " + asked.command.name());
    asked.on_ranks(launch);
}

void run(std::vector<Runs> const& commands, Launch const& launch) {
    zwalk::io::remove_unfinished_on_signals();
    zwalk::apps::return_large_blocks();
    for (auto const& command : commands)
        if (command.command.given()) run(command, launch);
    if (std::fflush(stdout) != 0 || std::ferror(stdout))
        throw zwalk::Error(fmt::format("cannot write the standard output: {}", std::strerror(errno)));
}

int run_program(int argc, char** argv, Launch const& launch) {
    CommandLine program("zwalk", "Exact neighbours, fast: dual-tree walks over z-ordered points",
                        "zwalk " ZWALK_VERSION);
    bool mpi = false;  // Launch has seen to it
    program.add_flag("--mpi", mpi,
                     "Initialise MPI, also where nothing says that mpirun or srun started it");
    program.footer(
        "zwalk COMMAND --help says more of each. Algorithms of your own are C++ structs of a dozen "
        "lines, traits,\n"
        "walked by the same library: docs/tutorial-new-algorithm.md, installed in share/doc/zwalk, "
        "begins there.");
    auto const commands = add_commands(program);
    try {
        if (auto const text = program.parse(argc, argv)) {
            if (launch.speaks()) fmt::print("{}", *text);
            return done;
        }
    } catch (zwalk::apps::UsageError const& error) {
        return launch.speaks() ? report_usage(error.what(), commands, {argv + 1, argv + argc})
                               : bad_input;
    }
    return reporting(launch.speaks(), [&] { return run(commands, launch), done; });
}

}  // namespace

int main(int argc, char** argv) {
    return reporting(true, [&] {
        Launch const launch(argc, argv);
        return run_program(argc, argv, launch);
    });
}
