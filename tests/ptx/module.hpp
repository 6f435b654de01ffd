// A module of PTX: its variables in memory, and its kernels as programs.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/memory.hpp"
#include "ptx/program.hpp"
#include "ptx/syntax.hpp"

namespace ptx {

class Module {
  public:
    /// Variables become memory that kernels may access. Throws Fault where the text isn't PTX.
    Module(std::string_view text, Memory& memory);
    Module(Module const&) = delete;
    Module& operator=(Module const&) = delete;
    ~Module();

    /// Decodes a kernel when it is asked for first. Throws Fault that names kernel and line if there is an instruction that isn't known.
    Program const& program(std::string const& kernel);
    [[nodiscard]] std::vector<std::string> kernels() const;
    /// Where a global or constant variable is; null: there is none.
    [[nodiscard]] u8* variable(std::string const& name) const;
    [[nodiscard]] Syntax const& syntax() const { return syntax_; }

  private:
    void initialise(Variable const& variable);

    std::vector<std::string> lines_;
    Syntax syntax_;
    Memory& memory_;
    std::map<std::string, std::vector<u64>> storage_;
    std::map<std::string, std::unique_ptr<Program>> programs_;
};

/// Makes a program of a kernel; its name is in the program, whose lines are there.
void decode(Module const& module, Program& program);

}  // namespace ptx
