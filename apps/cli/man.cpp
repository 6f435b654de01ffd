// zwalk man: the manual page zwalk(1), from the description that --help has.
#include <fmt/format.h>

#include <string>

#include "command_line.hpp"
#include "commands.hpp"

namespace zwalk::apps {
namespace {

/// Text that troff prints as it is.
std::string plain(std::string const& text) {
    std::string out;
    for (char const c : text) {
        bool const begins = out.empty() || out.back() == '\n';
        if (begins && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\') out += "\\e";
        else if (c == '-') out += "\\-";
        else out += c;
    }
    return out;
}
std::string bold(std::string const& text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(std::string const& text) { return "\\fI" + plain(text) + "\\fR"; }

/// Lines that are to stay apart.
std::string lines(std::string const& text) {
    return text.empty() ? "" : fmt::format(".PP\n.nf\n{}\n.fi\n", plain(text));
}

std::string entry(OptionDescription const& option) {
    std::string names;
    for (std::string const& name : option.names) names += (names.empty() ? "" : ", ") + bold(name);
    if (!option.value.empty()) names += (names.empty() ? "" : " ") + italic(option.value);
    std::string const standard =
        option.standard.empty() ? "" : fmt::format(" (if not given: {})", plain(option.standard));
    return fmt::format(".TP\n{}\n{}{}\n", names, plain(option.help), standard);
}

std::string entries(CommandDescription const& command) {
    std::string text;
    for (OptionDescription const& option : command.options) text += entry(option);
    return text;
}

std::string usage(CommandDescription const& program, CommandDescription const& command) {
    std::string text = ".B " + plain(program.name + " " + command.name) + "\n";
    for (OptionDescription const& option : command.options) {
        if (!option.required && !option.names.empty()) continue;
        std::string word = option.names.empty() ? "" : bold(option.names.front()) + " ";
        word += italic(option.value);
        text += option.required ? word + "\n" : "[" + word + "]\n";
    }
    return text + "[" + italic("options") + "]\n";
}

std::string manual(CommandDescription const& program) {
    std::string text = ".TH ZWALK 1 \"\" \"zwalk " ZWALK_VERSION "\" \"User Commands\"\n";
    text += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", program.name, plain(program.help));
    for (CommandDescription const& command : program.commands) text += usage(program, command) + ".br\n";
    text += ".SH OPTIONS\n" + entries(program) + ".SH COMMANDS\n";
    for (CommandDescription const& command : program.commands)
        text += fmt::format(".SS {}\n{}.\n{}{}", plain(program.name + " " + command.name),
                            plain(command.help), entries(command), lines(command.footer));
    return text + R"(.SH EXIT STATUS
.TP
0
done
.TP
1
the work failed: a full disk, not enough memory, and so on
.TP
2
a command line or an input that is wrong
.SH SEE ALSO
)" + lines(program.footer);
}

}  // namespace

Runs add_man(CommandLine& program) {
    Command app = program.add_command("man", "Print the manual page");
    app.footer("Example: zwalk man | man -l -\nAn installation has it: man zwalk.");
    return {app, [&program] { fmt::print("{}", manual(program.describe())); }};
}

}  // namespace zwalk::apps
