#include "ptx/module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "ptx/fault.hpp"

namespace ptx {
namespace {

bool in_memory(Variable const& variable) {
    return (variable.space == Space::global || variable.space == Space::constant) && !variable.external;
}

}  // namespace

Module::Module(std::string_view text, Memory& memory) : syntax_(parse(text)), memory_(memory) {
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t const end = std::min(text.find('\n', begin), text.size());
        lines_.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    for (auto const& [name, variable] : syntax_.variables)
        if (in_memory(variable)) {
            storage_[name].resize((variable.bytes() + 255) / 8 +
                                  32);  // to be aligned to 256 bytes, and a gap
            memory_.add(this->variable(name), variable.bytes(), true);
        }
    for (auto const& [name, variable] : syntax_.variables)
        if (in_memory(variable)) initialise(variable);
}

Module::~Module() {
    for (auto const& [name, words] : storage_) memory_.remove(variable(name));
}

void Module::initialise(Variable const& variable) {
    u8* place = this->variable(variable.name);
    for (Operand const& initial : variable.initial) {
        u64 value = initial.bits;
        if (initial.kind != Operand::Kind::number) {
            u8 const* const other = this->variable(initial.name);
            if (!other)
                throw Fault(fmt::format("PTX variable {}: unknown initial value {}", variable.name,
                                        initial.name));
            value = reinterpret_cast<u64>(other) + u64(initial.offset);
        }
        std::memcpy(place, &value, variable.element);
        place += variable.element;
    }
}

Program const& Module::program(std::string const& kernel) {
    std::unique_ptr<Program>& known = programs_[kernel];
    if (!known) {
        auto program = std::make_unique<Program>();
        program->kernel = kernel;
        program->lines = &lines_;
        decode(*this, *program);
        known = std::move(program);
    }
    return *known;
}

std::vector<std::string> Module::kernels() const {
    std::vector<std::string> names;
    for (auto const& [name, function] : syntax_.functions)
        if (function.entry && function.has_body) names.push_back(name);
    return names;
}

u8* Module::variable(std::string const& name) const {
    auto const found = storage_.find(name);
    if (found == storage_.end()) return nullptr;
    u64 const begin = reinterpret_cast<u64>(found->second.data());
    return reinterpret_cast<u8*>((begin + 255) / 256 * 256);
}

}  // namespace ptx
