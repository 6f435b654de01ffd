// A module of PTX as it is written: variables, and functions with their statements.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ptx {

enum class Space : std::uint8_t { generic, global, shared, local, parameter, constant };

/// A type by its name in PTX: u32 is {'u', 32}, and pred {'p', 1}.
struct Type {
    char kind = 'b';
    unsigned bits = 0;
    bool operator==(Type const&) const = default;
};
/// The type of a name without a dot; none has 0 bits.
Type type_named(std::string_view name);

struct Operand {
    /// name: %r1, !%p1, %r1|%p1, symbol+8; address: [%rd1+8]; vector: {%r1, %r2}; arguments: (parameter0, parameter1)
    enum class Kind { name, number, address, vector, arguments };
    Kind kind = Kind::name;
    std::string name{};            ///< or the base of an address, empty where it has none
    bool negated = false;          ///< by an exclamation mark
    std::uint64_t bits = 0;        ///< of a number: those of two's complement, or of a float
    unsigned float_bits = 0;       ///< 32 or 64: the number is a float
    std::int64_t offset = 0;       ///< behind a name
    std::vector<Operand> parts{};  ///< of a vector or arguments; of a name, what is behind a bar
};

struct Variable {
    Space space = Space::global;
    std::string name{};
    std::uint64_t element = 1, count = 1, align = 1;  ///< of bytes, of elements, of bytes
    bool external = false;
    std::vector<Operand> initial{};  ///< of the first elements; the others are 0
    [[nodiscard]] std::uint64_t bytes() const { return element * count; }
};

struct Statement {
    enum class Kind { instruction, label, registers, variable, targets, open, close };
    Kind kind = Kind::instruction;
    unsigned line = 0;
    std::string
        name{};  ///< of an instruction with its modifiers, of a label, of registers without their numbers
    // Of an instruction:
    std::string guard{};
    bool guard_negated = false;
    std::vector<Operand> operands{};   ///< and the labels of a list of targets
    std::uint64_t used_bytes = ~0ULL;  ///< which bytes of what a load brings anyone looks at
    // Of registers: how many are numbered from 0, or 0 for one without a number.
    unsigned count = 0;
    Type type{};
    Variable variable{};
};

struct Function {
    std::string name{};
    bool entry = false, has_body = false;
    std::vector<Variable> parameters{}, results{};
    std::vector<Statement> body{};
};

struct Syntax {
    std::map<std::string, Function> functions{};
    std::map<std::string, Variable> variables{};
};

/// Throws Fault where the text isn't PTX.
Syntax parse(std::string_view text);

}  // namespace ptx
