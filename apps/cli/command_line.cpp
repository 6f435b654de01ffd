#include "command_line.hpp"

#include <CLI/CLI.hpp>

namespace zwalk::apps {

Option& Option::required() {
    option_->required();
    return *this;
}
Option& Option::show_default() {
    option_->capture_default_str();
    return *this;
}
Option& Option::excludes(std::initializer_list<char const*> others) {
    for (char const* const other : others) option_->excludes(app_->get_option(other));
    return *this;
}
Option& Option::needs(Option const& other) {
    option_->needs(other.option_);
    return *this;
}

Option Command::add_option(std::string const& names, std::string& value, std::string const& help) {
    return {app_, app_->add_option(names, value, help)};
}
Option Command::add_option(std::string const& names, std::optional<std::string>& value,
                           std::string const& help) {
    return {app_, app_->add_option(names, value, help)};
}
Option Command::add_flag(std::string const& names, bool& value, std::string const& help) {
    return {app_, app_->add_flag(names, value, help)};
}
void Command::footer(std::string const& text) { app_->footer(text); }
std::string Command::name() const { return app_->get_name(); }
bool Command::given() const { return app_->parsed(); }

CommandLine::CommandLine(std::string const& name, std::string const& help, std::string const& version)
    : app_(std::make_unique<CLI::App>(help, name)) {
    app_->set_version_flag("--version", version);
    app_->require_subcommand(1);
}
CommandLine::~CommandLine() = default;

Option CommandLine::add_flag(std::string const& names, bool& value, std::string const& help) {
    return Command(app_.get()).add_flag(names, value, help);
}
Command CommandLine::add_command(std::string const& name, std::string const& help) {
    return Command(app_->add_subcommand(name, help));
}

std::optional<std::string> CommandLine::parse(int argc, char const* const* argv) {
    try {
        app_->parse(argc, argv);
    } catch (CLI::CallForHelp const&) {
        return app_->help();  // of the command, if there is one
    } catch (CLI::CallForVersion const& version) {
        return version.what() + std::string("\n");
    } catch (CLI::ParseError const& error) {
        throw UsageError(error.what());
    }
    return {};
}

}  // namespace zwalk::apps
