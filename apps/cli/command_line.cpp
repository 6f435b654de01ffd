#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace zwalk::apps {
namespace {

/// Help without what excludes or needs what: it would stand where an option's description is looked for.
class Formatter : public CLI::Formatter {
  public:
    std::string make_option_opts(CLI::Option const* option) const override {
        if (option->get_type_size() == 0) return "";
        std::string text = " " + get_label(option->get_type_name());
        if (!option->get_default_str().empty()) text += "=" + option->get_default_str();
        if (option->get_required()) text += " " + get_label("REQUIRED");
        return text;
    }
};

/// Letters to put in, to leave out or to change until two words are the same.
std::size_t edits_between(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            std::size_t const changed = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

/// The option of `app` that a misspelled "--word" may have meant; "" if none is near.
std::string option_near(CLI::App const& app, std::string const& word) {
    std::string best;
    std::size_t least = 3;
    for (CLI::Option const* const option : app.get_options())
        for (std::string const& name : option->get_lnames()) {
            bool const extends = word.starts_with("--" + name) || ("--" + name).starts_with(word);
            std::size_t const edits = extends ? 1 : edits_between(word, "--" + name);
            if (edits < least) least = edits, best = "--" + name;
        }
    return best;
}

/// An option that other programs have, or another command.
struct OtherName {
    std::string_view command;  ///< "": every command that has the option `here`
    std::string_view there;
    std::string_view here;
    std::string_view more = "";
};
constexpr OtherName other_names[] = {
    {"knn", "--radius", "--within", ", or the command zwalk radius"},
    {"knn", "--epsilon", "--within", ", or the command zwalk radius"},
    {"knn", "--max-distance", "--within"},
    {"radius", "--within", "--radius"},
    {"radius", "-r", "--radius"},
    {"radius", "-k", "--radius", ", or the command zwalk knn"},
    {"radius", "--k", "--radius", ", or the command zwalk knn"},
    {"fof", "-b", "--linking-fraction"},
    {"fof", "--min-size", "--min-members"},
    {"fof", "--min-samples", "--min-members"},
    {"gravity", "--theta", "--opening"},
    {"", "-n", "-k"},
    {"", "--neighbors", "-k"},
    {"", "--neighbours", "-k"},
    {"", "--n-neighbors", "-k"},
    {"", "--eps", "--epsilon"},
    {"", "--length", "--linking-length"},
    {"", "--radius", "--epsilon"},
    {"", "--radius", "--linking-length"},
    {"", "--epsilon", "--linking-length"},
    {"", "--minpts", "--min-samples"},
    {"", "--min-points", "--min-samples"},
    {"", "--period", "--box"},
    {"", "--periodic", "--box"},
    {"", "--dtype", "--precision"},
    {"", "--gpu", "--device", " cuda"},
    {"", "--cuda", "--device", " cuda"},
    {"", "--cpu", "--device", " cpu"},
    {"", "-j", "--threads"},
    {"", "-t", "--threads"},
    {"", "--jobs", "--threads"},
    {"", "--nthreads", "--threads"},
    {"", "--overwrite", "--force"},
    {"", "-f", "--force"},
    {"", "-q", "--quiet"},
    {"", "--silent", "--quiet"},
};
/// What an option of another name is called in this command; "" if it isn't known.
std::string option_named(CLI::App const& app, std::string const& word) {
    for (OtherName const& name : other_names)
        if (name.there == word && (name.command.empty() || name.command == app.get_name()) &&
            app.get_option_no_throw(std::string(name.here)))
            return std::string(name.here) + std::string(name.more);
    return "";
}

/// The message on the arguments that are given and aren't known, in their order.
std::string unexpected(CLI::App const& app) {
    std::string said;
    for (std::string const& word : app.remaining(true)) said += (said.empty() ? "" : " ") + word;
    std::string const first = said.substr(0, said.find_first_of(" ="));
    said = "not expected: " + said;
    if (app.get_subcommands().empty()) return said;
    CLI::App const& command = *app.get_subcommands().front();
    std::string meant = option_named(command, first);
    if (meant.empty() && first.starts_with("--")) meant = option_near(command, first);
    return meant.empty() ? said : said + " (did you mean " + meant + "?)";
}

OptionDescription describe(CLI::Option const& option) {
    OptionDescription d;
    for (std::string const& name : option.get_snames()) d.names.push_back("-" + name);
    for (std::string const& name : option.get_lnames()) d.names.push_back("--" + name);
    if (option.get_positional()) d.value = option.get_name(true);
    else if (option.get_type_size() != 0) d.value = option.get_type_name();
    d.standard = option.get_default_str();
    d.help = option.get_description();
    d.required = option.get_required();
    return d;
}

CommandDescription describe(CLI::App const& app) {
    CommandDescription d{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
    for (CLI::Option const* const option : app.get_options()) d.options.push_back(describe(*option));
    for (CLI::App const* const command : app.get_subcommands({}))
        d.commands.push_back(describe(*command));
    return d;
}

}  // namespace

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
    app_->formatter(std::make_shared<Formatter>());  // commands inherit it
}
CommandLine::~CommandLine() = default;

Option CommandLine::add_flag(std::string const& names, bool& value, std::string const& help) {
    return Command(app_.get()).add_flag(names, value, help);
}
void CommandLine::footer(std::string const& text) { app_->footer(text); }
Command CommandLine::add_command(std::string const& name, std::string const& help) {
    return Command(app_->add_subcommand(name, help));
}

CommandDescription CommandLine::describe() const { return apps::describe(std::as_const(*app_)); }

std::optional<std::string> CommandLine::parse(int argc, char const* const* argv) {
    try {
        app_->parse(argc, argv);
    } catch (CLI::CallForHelp const&) {
        return app_->help();  // of the command, if there is one
    } catch (CLI::CallForVersion const& version) {
        return version.what() + std::string("\n");
    } catch (CLI::ExtrasError const&) {
        throw UsageError(unexpected(*app_));
    } catch (CLI::ParseError const& error) {
        throw UsageError(error.what());
    }
    return {};
}

}  // namespace zwalk::apps
