// zwalk completion: what a shell completes after "zwalk", from the description that --help has.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"

namespace zwalk::apps {
namespace {

/// The names of all options: for a shell, separated by blanks.
std::string options_of(CommandDescription const& command) {
    std::vector<std::string> names;
    for (OptionDescription const& option : command.options)
        names.insert(names.end(), option.names.begin(), option.names.end());
    return fmt::format("{}", fmt::join(names, " "));
}

std::string commands_of(CommandDescription const& program) {
    std::vector<std::string> names;
    for (CommandDescription const& command : program.commands) names.push_back(command.name);
    return fmt::format("{}", fmt::join(names, " "));
}

/// `case` branches, each of which says what the variable `options` is behind one command.
std::string branches(CommandDescription const& program, char const* form) {
    std::string text;
    for (CommandDescription const& command : program.commands)
        text += fmt::format(fmt::runtime(form), command.name, options_of(command));
    return text;
}

std::string for_bash(CommandDescription const& program) {
    return fmt::format(
        R"(# bash completion of {0}: source this, or put it into share/bash-completion/completions/{0}
_{0}() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} options="{1}"
    case ${{COMP_WORDS[1]}} in
{2}    esac
    COMPREPLY=()
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    elif [ "$COMP_CWORD" = 1 ]; then
        COMPREPLY=($(compgen -W "{3}" -- "$word"))
    fi
}}
complete -o default -F _{0} {0}
)",
        program.name, options_of(program), branches(program, "        {}) options=\"{}\" ;;\n"),
        commands_of(program));
}

std::string for_zsh(CommandDescription const& program) {
    return fmt::format(R"(#compdef {0}
# zsh completion of {0}: put this as _{0} into a folder of $fpath
_{0}() {{
    local -a options=({1})
    case $words[2] in
{2}    esac
    if [[ $words[CURRENT] == -* ]]; then
        compadd -- $options
    elif (( CURRENT == 2 )); then
        compadd -- {3}
    else
        _files
    fi
}}
_{0} "$@"
)",
                       program.name, options_of(program),
                       branches(program, "        {}) options=({}) ;;\n"), commands_of(program));
}

/// Text between single quotes of fish.
std::string quoted(std::string const& text) {
    std::string out = "'";
    for (char const c : text) {
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
    }
    return out + "'";
}

std::string for_fish(CommandDescription const& program) {
    std::string text =
        fmt::format("# fish completion of {0}: put this as {0}.fish into ~/.config/fish/completions\n",
                    program.name);
    auto const options = [&](CommandDescription const& of, std::string const& condition) {
        for (OptionDescription const& option : of.options) {
            if (option.names.empty()) continue;
            text += fmt::format("complete -c {} -n {}", program.name, condition);
            for (std::string const& name : option.names)
                text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            text += fmt::format("{} -d {}\n", option.value.empty() ? "" : " -r", quoted(option.help));
        }
    };
    options(program, "__fish_use_subcommand");
    for (CommandDescription const& command : program.commands) {
        text += fmt::format("complete -c {} -n __fish_use_subcommand -a {} -d {}\n", program.name,
                            command.name, quoted(command.help));
        options(command, fmt::format("'__fish_seen_subcommand_from {}'", command.name));
    }
    return text;
}

}  // namespace

Runs add_completion(CommandLine& program) {
    Command app =
        program.add_command("completion", "Print what a shell needs to complete commands and options");
    auto shell = std::make_shared<std::string>();
    app.add_option("SHELL", *shell, "bash, zsh or fish").required();
    app.footer(
        "Example: zwalk completion bash > ~/.local/share/bash-completion/completions/zwalk\n"
        "An installation has these files where the shells look for them.");
    return {app, [&program, shell] {
                CommandDescription const described = program.describe();
                if (*shell == "bash") fmt::print("{}", for_bash(described));
                else if (*shell == "zsh") fmt::print("{}", for_zsh(described));
                else if (*shell == "fish") fmt::print("{}", for_fish(described));
                else throw InputError(fmt::format("SHELL is bash, zsh or fish, not '{}'", *shell));
            }};
}

}  // namespace zwalk::apps
