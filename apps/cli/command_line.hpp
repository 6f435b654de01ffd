// Commands and their options: the part of CLI11 that they need. Only command_line.cpp includes its headers, which would take
// every command longer to compile than all of its own.
#pragma once
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "zwalk/core/error.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace zwalk::apps {

/// An option, flag or argument of a command.
class Option {
  public:
    Option(CLI::App* app, CLI::Option* option) : app_(app), option_(option) {}

    Option& required();
    /// Help shows the value that it has if it isn't given.
    Option& show_default();
    /// Not together with any of these, which the command has.
    Option& excludes(std::initializer_list<char const*> others);
    /// Only with this one.
    Option& needs(Option const& other);

  private:
    CLI::App* app_;
    CLI::Option* option_;
};

/// A command: a view. The values of its options go to variables that outlive parsing.
class Command {
  public:
    explicit Command(CLI::App* app) : app_(app) {}

    /// @param names  "-o,--output", or "INPUT" for an argument
    Option add_option(std::string const& names, std::string& value, std::string const& help);
    /// Adds an option whose value stays empty if it isn't given.
    Option add_option(std::string const& names, std::optional<std::string>& value,
                      std::string const& help);
    Option add_flag(std::string const& names, bool& value, std::string const& help);
    /// The end of the help.
    void footer(std::string const& text);

    [[nodiscard]] std::string name() const;
    /// Whether the command line has this command.
    [[nodiscard]] bool given() const;

  private:
    CLI::App* app_;
};

/// What there is to say of an option, flag or argument.
struct OptionDescription {
    std::vector<std::string> names;  ///< "-o", "--output"; none for an argument
    std::string value;               ///< what its value or it as an argument is called; "" for a flag
    std::string standard;            ///< what it is if it isn't given; "" if there is nothing to say
    std::string help;
    bool required = false;
};
/// What there is to say of a program or command: all that --help knows.
struct CommandDescription {
    std::string name, help, footer;
    std::vector<OptionDescription> options;
    std::vector<CommandDescription> commands;
};

/// A command line that can't be understood.
class UsageError : public InputError {
  public:
    using InputError::InputError;
};

/// A program that has commands, of which one must be given.
class CommandLine {
  public:
    /// @param version  what --version prints
    CommandLine(std::string const& name, std::string const& help, std::string const& version);
    ~CommandLine();

    Option add_flag(std::string const& names, bool& value, std::string const& help);
    /// Behind all of the program's help.
    void footer(std::string const& text);
    Command add_command(std::string const& name, std::string const& help);
    [[nodiscard]] CommandDescription describe() const;

    /// @return what to print instead of running a command (--help, --version)
    /// @throws UsageError
    std::optional<std::string> parse(int argc, char const* const* argv);

  private:
    std::unique_ptr<CLI::App> app_;
};

}  // namespace zwalk::apps
