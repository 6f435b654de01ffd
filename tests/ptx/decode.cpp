// Statements to instructions.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "ptx/fault.hpp"
#include "ptx/names.hpp"
#include "ptx/rounding.hpp"
#include "ptx/table.hpp"

namespace ptx {
namespace {

Table const& known_instructions() {
    static Table const table = [] {
        Table all;
        add_arithmetic(all);
        add_bits(all);
        add_comparisons(all);
        add_conversions(all);
        add_meetings(all);
        add_memory(all);
        return all;
    }();
    return table;
}

/// What a modifier of ld, st, atom or red says; true: it isn't part of the name in the table.
bool take_modifier(Instruction& i, std::string_view word) {
    static std::map<std::string_view, Space> const spaces = {
        {"global", Space::global},         {"shared", Space::shared},
        {"shared::cta", Space::shared},    {"local", Space::local},
        {"param", Space::parameter},       {"param::entry", Space::parameter},
        {"param::func", Space::parameter}, {"const", Space::constant}};
    static std::set<std::string_view> const strong = {"volatile", "relaxed", "acquire",
                                                      "release",  "acq_rel", "mmio"};
    static std::set<std::string_view> const hints = {"weak", "cta", "cluster", "gpu", "sys", "ca", "cg",
                                                     "cs",   "lu",  "cv",      "wb",  "wt",  "nc"};
    if (auto const space = spaces.find(word); space != spaces.end()) i.space = space->second;
    else if (strong.contains(word))
        i.strong = true, i.acquires |= word == "acquire" || word == "acq_rel",
        i.releases |= word == "release" || word == "acq_rel";
    else if (word == "v2" || word == "v4") i.elements = word == "v2" ? 2 : 4;
    else if (!hints.contains(word) && !word.starts_with("L1::") && !word.starts_with("L2::"))
        return false;
    i.read_only |= word == "nc";
    return true;
}

/// The name of what accesses memory as the table has it: atom.global.add.u32 is atom.add.u32 there.
std::string short_name(Instruction& i, std::string_view name) {
    std::size_t dot = name.find('.');
    std::string_view const first = name.substr(0, dot);
    if (first != "ld" && first != "st" && first != "atom" && first != "red") return std::string(name);
    std::string result(first);
    while (dot != std::string_view::npos) {
        std::size_t const end = name.find('.', dot + 1);
        std::string_view const word = name.substr(dot + 1, end - dot - 1);
        if (!take_modifier(i, word)) result.append(".").append(word);
        dot = end;
    }
    return result;
}

class Decoder {
  public:
    Decoder(Module const& module, Program& program)
        : module_(module), program_(program), names_(module, program) {}

    void kernel() {
        Function const& function = module_.syntax().functions.at(program_.kernel);
        for (Variable const& parameter : function.parameters) {
            u64 const begin =
                (program_.parameter_bytes + parameter.align - 1) / parameter.align * parameter.align;
            program_.parameters.emplace_back(u32(begin), u32(parameter.bytes()));
            program_.parameter_bytes = u32(begin + parameter.bytes());
        }
        wanted_.push_back(&function);
        for (std::size_t k = 0; k < wanted_.size(); ++k) body(*wanted_[k]);
        for (Call& call : program_.calls) connect(call);
        program_.local_bytes = (program_.local_bytes + 15) / 16 * 16;
    }

  private:
    struct Frame {
        u32 start = 0;
        std::vector<u32> parameters{}, results{};
    };
    struct Jump {
        u32 instruction, line;
        std::string label;
        bool indexed;
    };

    [[noreturn]] void refuse(u32 line, std::string const& why) const {
        std::string const& text = program_.lines->at(line - 1);
        std::size_t const begin = std::min(text.find_first_not_of(" \t"), text.size());
        throw Fault(fmt::format("kernel {}, PTX line {}: {}\n  {}", program_.kernel, line, why,
                                text.substr(begin)));
    }

    // Functions.

    void body(Function const& function) {
        Frame& frame = frames_[function.name];
        frame.start = u32(program_.code.size());
        names_.open();
        if (function.entry) {
            for (std::size_t k = 0; k < function.parameters.size(); ++k)
                names_.declare_parameter(function.parameters[k].name, program_.parameters[k].first);
        } else {
            for (Variable const& variable : function.parameters)
                frame.parameters.push_back(names_.declare(variable));
            for (Variable const& variable : function.results)
                frame.results.push_back(names_.declare(variable));
        }
        labels_.clear();
        lists_.clear();
        jumps_.clear();
        for (Statement const& one : function.body) try {
                statement(one);
            } catch (Fault const& fault) {
                refuse(one.line, fault.what());
            }
        Instruction& end = program_.code.emplace_back();
        end.control = Control::leave;
        end.line = function.body.back().line;
        names_.close();
        for (Jump const& jump : jumps_) connect(jump);
    }
    u32 target(std::string const& label, u32 line) const {
        auto const found = labels_.find(label);
        if (found == labels_.end()) refuse(line, "unknown label " + label);
        return found->second;
    }
    void connect(Jump const& jump) {
        u32& place = program_.code[jump.instruction].target;
        if (!jump.indexed) {
            place = target(jump.label, jump.line);
            return;
        }
        auto const list = lists_.find(jump.label);
        if (list == lists_.end()) refuse(jump.line, "unknown list of targets " + jump.label);
        place = u32(program_.targets.size());
        std::vector<u32>& targets = program_.targets.emplace_back();
        for (Operand const& label : *list->second) targets.push_back(target(label.name, jump.line));
    }
    void connect(Call& call) {
        Frame const& frame = frames_.at(call.function);
        Function const& function = module_.syntax().functions.at(call.function);
        call.target = frame.start;
        for (std::size_t k = 0; k < call.parameters.size(); ++k)
            call.before.push_back(
                {call.parameters[k], frame.parameters.at(k), u32(function.parameters[k].bytes())});
        for (std::size_t k = 0; k < call.results.size(); ++k)
            call.after.push_back(
                {frame.results.at(k), call.results[k], u32(function.results[k].bytes())});
    }

    void statement(Statement const& s) {
        switch (s.kind) {
            case Statement::Kind::open:
                return names_.open();
            case Statement::Kind::close:
                return names_.close();
            case Statement::Kind::registers:
                return names_.declare_registers(s);
            case Statement::Kind::variable:
                return void(names_.declare(s.variable));
            case Statement::Kind::label:
                last_label_ = s.name;
                if (!labels_.emplace(s.name, u32(program_.code.size())).second)
                    throw Fault("label is there twice");
                return;
            case Statement::Kind::targets:
                lists_[last_label_] = &s.operands;
                return;
            case Statement::Kind::instruction:
                program_.code.push_back(instruction(s));
        }
    }

    // Instructions.

    Instruction instruction(Statement const& s) {
        Instruction i;
        std::string name = short_name(i, s.name);
        bool const is_move = name.starts_with("mov.") && s.operands.size() == 2;
        if (is_move && s.operands[1].kind == Operand::Kind::vector) name = "pack" + name.substr(3);
        if (is_move && s.operands[0].kind == Operand::Kind::vector) name = "unpack" + name.substr(3);
        auto const found = known_instructions().find(name);
        if (found == known_instructions().end()) {
            if (!control(s, i)) throw Fault("unknown instruction " + s.name);
        } else {
            Instruction const access = i;
            i = found->second.model;
            i.space = access.space;
            i.elements = access.elements;
            i.read_only = access.read_only;
            i.strong |= access.strong;
            i.acquires = access.acquires;
            i.releases = access.releases;
            operands(s, i, found->second.parts);
        }
        if (i.rounding != Rounding::nearest) {
            i.rounded = i.operation;
            i.operation = &in_direction;
        }
        i.line = s.line;
        i.used_bytes = s.used_bytes;
        if (!s.guard.empty()) i.guard = predicate({.name = s.guard, .negated = s.guard_negated});
        return i;
    }
    bool control(Statement const& s, Instruction& i) {
        std::string const name = s.name.ends_with(".uni") ? s.name.substr(0, s.name.size() - 4) : s.name;
        auto const jump = [&](std::size_t operand, bool indexed) {
            jumps_.push_back({u32(program_.code.size()), s.line, s.operands.at(operand).name, indexed});
        };
        if (name == "bra") i.control = Control::branch, jump(0, false);
        else if (name == "brx.idx")
            i.control = Control::branch_indexed, i.source[0] = source(s.operands.at(0), 32),
            jump(1, true);
        else if (name == "call") call(s, i);
        else if (name == "ret") i.control = Control::leave;
        else if (name == "exit") i.control = Control::exit;
        else if (name == "trap" || name == "brkpt") i.control = Control::trap;
        else return false;
        return true;
    }
    /// (results), function, (parameters). What has no body, such as vprintf and __assertfail, is a fault when it is called.
    void call(Statement const& s, Instruction& i) {
        Call call;
        for (Operand const& operand : s.operands) {
            if (operand.kind == Operand::Kind::name && call.function.empty())
                call.function = operand.name;
            else if (operand.kind != Operand::Kind::arguments)
                throw Fault("unknown: call of what a register says");
            for (Operand const& argument : operand.parts) {
                auto const symbol = names_.find_symbol(argument.name);
                if (!symbol || symbol->space != Space::local)
                    throw Fault("unknown argument " + argument.name);
                (call.function.empty() ? call.results : call.parameters).push_back(u32(symbol->address));
            }
        }
        auto const function = module_.syntax().functions.find(call.function);
        if (function == module_.syntax().functions.end())
            throw Fault("call of unknown function " + call.function);
        i.control = function->second.has_body ? Control::call : Control::trap;
        if (!function->second.has_body) return;
        if (!frames_.contains(call.function))
            wanted_.push_back(&function->second), frames_[call.function];
        i.target = u32(program_.calls.size());
        program_.calls.push_back(std::move(call));
    }

    void operands(Statement const& s, Instruction& i, Parts const& parts) {
        std::size_t sources = 0, predicates = 0;
        std::size_t count = 0;
        while (count < parts.size() && parts[count].role != Role::none) ++count;
        if (s.operands.size() != count)
            throw Fault(fmt::format("unknown: {} operands of {}", s.operands.size(), s.name));
        for (std::size_t k = 0; k < count; ++k) {
            Operand const& o = s.operands[k];
            switch (parts[k].role) {
                case Role::result:
                    i.result = result(o, parts[k].bits);
                    if (!o.parts.empty()) i.predicate_result[0] = result_predicate(o.parts[0]);
                    break;
                case Role::source:
                    i.source.at(sources++) = source(o, parts[k].bits);
                    break;
                case Role::members:
                    i.source.back() = source(o, parts[k].bits);
                    break;
                case Role::predicates:
                    i.predicate_result[0] = result_predicate(o);
                    if (!o.parts.empty()) i.predicate_result[1] = result_predicate(o.parts[0]);
                    break;
                case Role::predicate:
                    i.predicate.at(predicates++) = predicate(o);
                    break;
                case Role::immediate:
                    if (o.kind != Operand::Kind::number) throw Fault("unknown: number in a register");
                    i.immediate = u32(o.bits);
                    break;
                case Role::address:
                    address(i, o, sources++);
                    break;
                case Role::loaded:
                case Role::stored:
                    elements(i, o, parts[k], s.name);
                    break;
                case Role::none:
                    break;
            }
        }
    }
    /// A register or a vector of them. Those that a register is packed of share its bits.
    void elements(Instruction& i, Operand const& o, Part const& part, std::string_view name) {
        std::vector<Operand> const all = o.kind == Operand::Kind::vector ? o.parts : std::vector{o};
        u32 bits = part.bits;
        if (bits == 0) {
            u32 const whole = type_named(name.substr(name.rfind('.') + 1)).bits;
            i.elements = u8(all.size());
            bits = whole / i.elements;
            i.bits = u8(bits);
            if (bits * i.elements != whole) throw Fault("unknown: number of elements");
        }
        if (all.size() != i.elements || all.size() > i.vector.size())
            throw Fault("unknown: number of elements");
        for (std::size_t k = 0; k < all.size(); ++k)
            i.vector[k] = part.role == Role::loaded ? result(all[k], bits) : source(all[k], bits);
    }

    // Operands.

    u32 source(Operand const& o, u32 bits) {
        if (o.kind == Operand::Kind::number) {
            if (o.float_bits != 0 && o.float_bits != bits)
                throw Fault(fmt::format("float of {} bits", o.float_bits));
            return names_.constant(o.bits);
        }
        if (o.kind != Operand::Kind::name || o.negated || !o.parts.empty())
            throw Fault("unknown operand");
        if (auto const known = names_.find_register(o.name)) return checked(*known, bits, o.name);
        if (o.name == "WARP_SZ") return names_.constant(32);
        if (o.name.starts_with('%')) return names_.special(o.name);
        auto const symbol = names_.find_symbol(o.name);
        if (!symbol) throw Fault("unknown operand " + o.name);
        return names_.constant(symbol->address + u64(o.offset));
    }
    u32 result(Operand const& o, u32 bits) {
        if (o.name == "_") return unwanted;
        auto const known = o.kind == Operand::Kind::name ? names_.find_register(o.name) : std::nullopt;
        if (!known) throw Fault("unknown register " + o.name);
        return checked(*known, bits, o.name);
    }
    static u32 checked(Register const& known, u32 bits, std::string const& name) {
        if (known.type.kind == 'p' || known.type.bits < bits)
            throw Fault(fmt::format("register {} has not {} bits", name, bits));
        return known.number;
    }
    Predicate predicate(Operand const& o) {
        if (o.kind == Operand::Kind::number) return o.bits != 0 ? always : always + 1;
        auto const known = names_.find_register(o.name);
        if (!known || known->type.kind != 'p') throw Fault("unknown predicate " + o.name);
        return 2 * known->number + u32(o.negated);
    }
    Predicate result_predicate(Operand const& o) {
        if (o.name == "_") return nobody;
        if (o.negated || o.kind != Operand::Kind::name) throw Fault("unknown predicate");
        return predicate(o);
    }
    void address(Instruction& i, Operand const& o, std::size_t source) {
        if (o.kind != Operand::Kind::address) throw Fault("no address");
        i.offset = o.offset;
        if (o.name.empty()) {
            i.source.at(source) = names_.constant(0);
        } else if (auto const known = names_.find_register(o.name)) {
            i.source.at(source) = checked(*known, 32, o.name);
            i.wide = known->type.bits == 64;
        } else {
            auto const symbol = names_.find_symbol(o.name);
            if (!symbol) throw Fault("unknown address " + o.name);
            if (i.space == Space::parameter) i.space = symbol->space;
            bool const same =
                i.space == symbol->space ||
                (symbol->space == Space::global && i.space != Space::shared && i.space != Space::local);
            if (!same) throw Fault(o.name + " is in another space");
            i.source.at(source) = names_.constant(symbol->address);
        }
    }

    Module const& module_;
    Program& program_;
    Names names_;
    std::vector<Function const*> wanted_;
    std::map<std::string, Frame> frames_;
    // Of the function that is being decoded:
    std::map<std::string, u32> labels_;
    std::map<std::string, std::vector<Operand> const*> lists_;
    std::string last_label_;
    std::vector<Jump> jumps_;
};

}  // namespace

void decode(Module const& module, Program& program) {
    auto const function = module.syntax().functions.find(program.kernel);
    if (function == module.syntax().functions.end() || !function->second.entry ||
        !function->second.has_body)
        throw Fault("there is no kernel " + program.kernel);
    Decoder(module, program).kernel();
}

}  // namespace ptx
