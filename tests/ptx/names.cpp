#include "ptx/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "ptx/fault.hpp"

namespace ptx {
namespace {

/// In the order of Special.
constexpr std::array<std::string_view, 24> special_names = {"%tid.x",
                                                            "%tid.y",
                                                            "%tid.z",
                                                            "%ntid.x",
                                                            "%ntid.y",
                                                            "%ntid.z",
                                                            "%ctaid.x",
                                                            "%ctaid.y",
                                                            "%ctaid.z",
                                                            "%nctaid.x",
                                                            "%nctaid.y",
                                                            "%nctaid.z",
                                                            "%laneid",
                                                            "%warpid",
                                                            "%nwarpid",
                                                            "%lanemask_eq",
                                                            "%lanemask_lt",
                                                            "%lanemask_le",
                                                            "%lanemask_gt",
                                                            "%lanemask_ge",
                                                            "%smid",
                                                            "%nsmid",
                                                            "%dynamic_smem_size",
                                                            "%total_smem_size"};

/// Takes bytes behind `end`, and says where.
u32 place(u32& end, Variable const& variable, u64 least_align) {
    u64 const align = std::max(variable.align, least_align);
    u64 const begin = (end + align - 1) / align * align;
    end = u32(begin + variable.bytes());
    return u32(begin);
}

}  // namespace

u32 Names::new_registers(Type type, u32 count) {
    u32& end = type.kind == 'p' ? program_.predicates : program_.slots;
    end += count;
    return end - count;
}

void Names::declare_registers(Statement const& statement) {
    Register const first{statement.type, new_registers(statement.type, std::max(statement.count, 1U))};
    if (statement.count == 0) scopes_.back().registers[statement.name] = first;
    else scopes_.back().ranges[statement.name] = {first, statement.count};
}

u32 Names::declare(Variable const& variable) {
    bool const shared = variable.space == Space::shared;
    if (!shared && variable.space != Space::local && variable.space != Space::parameter)
        throw Fault(fmt::format("unknown: variable {} in a function", variable.name));
    u32 const begin =
        shared ? place(program_.shared_bytes, variable, 1) : place(program_.local_bytes, variable, 8);
    scopes_.back().symbols[variable.name] = {shared ? Space::shared : Space::local, begin};
    return begin;
}
void Names::declare_parameter(std::string const& name, u32 offset) {
    scopes_.back().symbols[name] = {Space::parameter, offset};
}

std::optional<Register> Names::find_register(std::string const& name) const {
    std::size_t digits = name.size();
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
    std::string const prefix = name.substr(0, digits);
    u32 number = 0;
    bool const numbered =
        std::from_chars(name.data() + digits, name.data() + name.size(), number).ec == std::errc();
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        if (auto const found = scope->registers.find(name); found != scope->registers.end())
            return found->second;
        auto const range = numbered ? scope->ranges.find(prefix) : scope->ranges.end();
        if (range == scope->ranges.end()) continue;
        auto const& [first, count] = range->second;
        if (number < count) return Register{first.type, first.number + number};
    }
    return {};
}

std::optional<Symbol> Names::find_symbol(std::string const& name) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
        if (auto const found = scope->symbols.find(name); found != scope->symbols.end())
            return found->second;
    if (u8 const* const memory = module_.variable(name))
        return Symbol{Space::global, reinterpret_cast<u64>(memory)};
    auto const found = module_.syntax().variables.find(name);
    if (found == module_.syntax().variables.end() || found->second.space != Space::shared) return {};
    if (found->second.external) return Symbol{Space::shared, dynamic_shared};
    auto const [known, added] = shared_.try_emplace(name, 0);
    if (added) known->second = place(program_.shared_bytes, found->second, 1);
    return Symbol{Space::shared, known->second};
}

u32 Names::constant(u64 value) {
    auto const [known, added] = constants_.try_emplace(value, program_.slots);
    if (added) program_.constants.emplace_back(program_.slots++, value);
    return known->second;
}

u32 Names::special(std::string const& name) {
    auto const found = std::ranges::find(special_names, name);
    if (found == special_names.end()) throw Fault(fmt::format("unknown operand {}", name));
    auto const [known, added] = specials_.try_emplace(name, program_.slots);
    if (added) program_.specials.emplace_back(program_.slots++, Special(found - special_names.begin()));
    return known->second;
}

}  // namespace ptx
