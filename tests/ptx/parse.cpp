// Words to statements.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "ptx/fault.hpp"
#include "ptx/syntax.hpp"
#include "ptx/tokens.hpp"

namespace ptx {
namespace {

std::uint64_t digits(Token const& token, std::size_t skip, int base) {
    std::string_view text = token.text.substr(skip);
    if (text.ends_with('U')) text.remove_suffix(1);
    std::uint64_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size())
        throw Fault(fmt::format("PTX line {}: {} is no number", token.line, token.text));
    return value;
}

/// A number as PTX writes it: decimal, 0x, 0b, or the bits of a float behind 0f or 0d.
Operand number_of(Token const& token, bool negative) {
    Operand number;
    number.kind = Operand::Kind::number;
    char const form = token.text.size() > 1 && token.text[0] == '0' ? token.text[1] : ' ';
    switch (form) {
        case 'f':
        case 'F':
        case 'd':
        case 'D':
            number.float_bits = form == 'f' || form == 'F' ? 32 : 64;
            number.bits = digits(token, 2, 16);
            if (negative) number.bits ^= 1ULL << (number.float_bits - 1);
            return number;
        case 'x':
        case 'X':
            number.bits = digits(token, 2, 16);
            break;
        case 'b':
        case 'B':
            number.bits = digits(token, 2, 2);
            break;
        default:
            number.bits = digits(token, 0, form >= '0' && form <= '7' ? 8 : 10);
    }
    if (negative) number.bits = 0 - number.bits;
    return number;
}

class Parser {
  public:
    explicit Parser(std::string_view text) : tokens_(tokens_of(text)) {}

    Syntax all() {
        Syntax syntax;
        while (!at_end()) {
            if (take(";")) continue;
            if (take(".section")) {
                skip_section();
                continue;
            }
            Variable variable;
            while (peek() == ".visible" || peek() == ".weak" || peek() == ".common" ||
                   peek() == ".extern")
                variable.external |= next().text == ".extern";
            if (peek() == ".entry" || peek() == ".func") {
                Function function = this->function();
                Function& known = syntax.functions[function.name];
                if (!known.has_body) known = std::move(function);
            } else {
                declaration(variable);
                expect(";");
                syntax.variables[variable.name] = std::move(variable);
            }
        }
        return syntax;
    }

  private:
    [[nodiscard]] bool at_end() const { return at_ == tokens_.size(); }
    [[nodiscard]] std::string_view peek(std::size_t ahead = 0) const {
        return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead].text : std::string_view();
    }
    Token const& next() {
        if (at_end()) throw Fault("PTX ends within a statement");
        return tokens_[at_++];
    }
    bool take(std::string_view text) {
        bool const same = peek() == text;
        at_ += same;
        return same;
    }
    [[noreturn]] void unexpected() const {
        unsigned const line = tokens_[at_ - (at_end() && at_ > 0)].line;
        throw Fault(fmt::format("PTX line {}: unexpected \"{}\"", line, peek()));
    }
    void expect(std::string_view text) {
        if (!take(text)) unexpected();
    }
    std::string word() {
        if (at_end() || !tokens_[at_].is_word()) unexpected();
        return std::string(next().text);
    }
    std::uint64_t number() {
        if (at_end() || !tokens_[at_].is_number()) unexpected();
        return number_of(next(), false).bits;
    }
    void skip_section() {
        while (!take("}")) next();
    }

    // Declarations.

    /// ".global .align 8 .b8 name[16] = {1, 2}"; what is said of what a pointer points at is left out.
    void declaration(Variable& variable) {
        bool typed = false;
        while (peek().starts_with('.')) {
            std::string_view const property = next().text.substr(1);
            Type const type = type_named(property);
            if (property == "global") variable.space = Space::global;
            else if (property == "const") variable.space = Space::constant;
            else if (property == "shared") variable.space = Space::shared;
            else if (property == "local") variable.space = Space::local;
            else if (property == "param") variable.space = Space::parameter;
            else if (property == "align") variable.align = number();
            else if (property == "v2" || property == "v4") variable.count = property == "v2" ? 2 : 4;
            else if (property == "ptr") break;
            else if (type.bits >= 8) variable.element = type.bits / 8, typed = true;
            else if (property == "attribute") next(), word(), expect(")");
            else --at_, unexpected();
        }
        if (!typed) unexpected();
        while (peek().starts_with('.'))
            if (next().text == ".align") number();
        variable.name = word();
        variable.align = std::max(variable.align, variable.element * variable.count);
        while (take("[")) {
            variable.count *= peek() == "]" ? 0 : number();
            expect("]");
        }
        if (take("=")) variable.initial = peek() == "{" ? operand().parts : std::vector{operand()};
    }
    std::vector<Variable> parameters() {
        std::vector<Variable> all;
        expect("(");
        while (!take(")")) {
            if (take("...")) continue;
            declaration(all.emplace_back());
            take(",");
        }
        return all;
    }
    Function function() {
        Function function;
        function.entry = next().text == ".entry";
        if (peek() == "(") function.results = parameters();
        function.name = word();
        if (peek() == "(") function.parameters = parameters();
        while (peek() != "{" && peek() != ";") {  // what is said to the assembler
            if (take(".pragma")) next(), expect(";");
            else next();
        }
        if (take(";")) return function;
        function.has_body = true;
        std::vector<Statement>& body = function.body;
        do statement(body);
        while (depth_ > 0);
        return function;
    }

    // Statements.

    void statement(std::vector<Statement>& body) {
        if (take(";")) return;
        if (take(".pragma")) return pragma();
        if (at_end()) unexpected();
        Statement& result = body.emplace_back();
        result.line = tokens_[at_].line;
        if (take("{")) {
            result.kind = Statement::Kind::open;
            ++depth_;
        } else if (take("}")) {
            result.kind = Statement::Kind::close;
            --depth_;
        } else if (take(".reg")) {
            registers(body);
        } else if (peek(1) == ":") {
            result.kind = Statement::Kind::label;
            result.name = word();
            next();
        } else if (take(".branchtargets")) {
            result.kind = Statement::Kind::targets;
            result.operands = list(";");
        } else if (take(".callprototype")) {  // of an indirect call, which is unknown anyway
            body.pop_back();
            while (!take(";")) next();
        } else if (peek().starts_with('.')) {
            result.kind = Statement::Kind::variable;
            declaration(result.variable);
            expect(";");
        } else {
            instruction(result);
        }
    }
    /// "used_bytes_mask 0xfff": of the next load.
    void pragma() {
        constexpr std::string_view name = "\"used_bytes_mask ";
        Token text = next();
        if (text.text.starts_with(name)) {
            text.text = text.text.substr(name.size(), text.text.size() - name.size() - 1);
            used_bytes_ = number_of(text, false).bits;
        }
        expect(";");
    }
    /// ".b32 %r<8>, %r<9>;"
    void registers(std::vector<Statement>& body) {
        Type const type = type_named(next().text.substr(1));
        if (type.bits == 0) --at_, unexpected();
        for (;;) {
            Statement& result = body.back();
            result.kind = Statement::Kind::registers;
            result.type = type;
            result.name = word();
            if (take("<")) {
                result.count = unsigned(number());
                expect(">");
            }
            if (take(";")) return;
            expect(",");
            body.push_back({.line = result.line});
        }
    }
    void instruction(Statement& result) {
        if (take("@")) {
            result.guard_negated = take("!");
            result.guard = word();
        }
        result.name = word();
        result.operands = list(";");
        result.used_bytes = std::exchange(used_bytes_, ~0ULL);
    }

    // Operands.

    std::vector<Operand> list(std::string_view end) {
        std::vector<Operand> all;
        if (take(end)) return all;
        do all.push_back(operand());
        while (take(","));
        expect(end);
        return all;
    }
    Operand operand() {
        Operand result;
        if (take("{")) {
            result.kind = Operand::Kind::vector;
            result.parts = list("}");
        } else if (take("(")) {
            result.kind = Operand::Kind::arguments;
            result.parts = list(")");
        } else if (take("[")) {
            result = operand();
            if (result.kind == Operand::Kind::number)
                result.offset = std::int64_t(std::exchange(result.bits, 0));
            result.kind = Operand::Kind::address;
            expect("]");
        } else if (bool const negative = take("-");
                   negative || (!at_end() && tokens_[at_].is_number())) {
            if (at_end() || !tokens_[at_].is_number()) unexpected();
            result = number_of(next(), negative);
        } else {
            name(result);
        }
        return result;
    }
    void name(Operand& result) {
        result.negated = take("!");
        result.name = word();
        if (result.name == "generic" &&
            take("(")) {  // the address of a variable, which all addresses of it are
            result.name = word();
            expect(")");
        }
        if (take("+")) {
            bool const negative = take("-");
            result.offset = std::int64_t(negative ? 0 - number() : number());
        } else if (take("-")) {
            result.offset = -std::int64_t(number());
        }
        if (take("|")) result.parts.push_back(operand());
    }

    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::uint64_t used_bytes_ = ~0ULL;
};

}  // namespace

Type type_named(std::string_view name) {
    if (name == "pred") return {'p', 1};
    for (char const kind : {'b', 'u', 's', 'f'})
        for (unsigned const bits : {8U, 16U, 32U, 64U})
            if (bits >= (kind == 'f' ? 32 : 8) && name == fmt::format("{}{}", kind, bits))
                return {kind, bits};
    return {};
}

Syntax parse(std::string_view text) { return Parser(text).all(); }

}  // namespace ptx
