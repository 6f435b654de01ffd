// What names stand for while a kernel is decoded: registers, constants, special registers and variables.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ptx/module.hpp"

namespace ptx {

/// A slot, or a predicate's number.
struct Register {
    Type type;
    u32 number;
};
/// A variable: its address in its space.
struct Symbol {
    Space space;
    u64 address;
};

/// Names come and go with the braces that they are declared in. Gives out the slots, predicates, shared and local memory of a program.
class Names {
  public:
    Names(Module const& module, Program& program) : module_(module), program_(program) {}

    void open() { scopes_.emplace_back(); }
    void close() { scopes_.pop_back(); }
    void declare_registers(Statement const& statement);
    /// A variable of a function, and where it is.
    u32 declare(Variable const& variable);
    void declare_parameter(std::string const& name, u32 offset);

    [[nodiscard]] std::optional<Register> find_register(std::string const& name) const;
    std::optional<Symbol> find_symbol(std::string const& name);
    /// The slot of a number.
    u32 constant(u64 value);
    /// The slot of a special register; throws Fault if there is none of that name.
    u32 special(std::string const& name);

  private:
    struct Scope {
        std::unordered_map<std::string, Register> registers;
        std::unordered_map<std::string, std::pair<Register, u32>>
            ranges;  ///< by prefix: the first, and how many
        std::unordered_map<std::string, Symbol> symbols;
    };

    u32 new_registers(Type type, u32 count);

    Module const& module_;
    Program& program_;
    std::vector<Scope> scopes_;
    std::map<u64, u32> constants_;
    std::map<std::string, u32, std::less<>> specials_, shared_;
};

}  // namespace ptx
