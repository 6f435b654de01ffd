#include "ptx/unit/run.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ptx/fault.hpp"
#include "ptx/module.hpp"

namespace ptx {
namespace {

constexpr std::string_view registers = R"(
    .reg .pred %p<8>;
    .reg .b16 %h<8>;
    .reg .b32 %r<32>, %t;
    .reg .f32 %f<8>;
    .reg .b64 %rd<16>, %memory;
    .reg .f64 %fd<8>;
    mov.u32 %t, %tid.x;
    ld.param.u64 %memory, [memory];
    )";

/// %rd1 points at the operands of a thread, %rd2 at its result.
constexpr std::string_view row = R"(
    ld.param.u64 %rd3, [results];
    ld.param.u32 %r1, [count];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mad.lo.u32 %r4, %r2, %r3, %t;
    setp.ge.u32 %p1, %r4, %r1;
    @%p1 bra done;
    mul.wide.u32 %rd2, %r4, 8;
    add.u64 %rd2, %rd2, %rd3;
    )";

}  // namespace

bool Outcome::found(std::string_view text) const {
    return std::ranges::any_of(report.findings, [&](auto const& finding) {
        return finding.first.find(text) != std::string::npos;
    });
}

Outcome run_kernel(std::string const& body, Setup const& setup) {
    Outcome outcome{std::vector<u32>(setup.words)};
    Memory memory;
    memory.add(outcome.words.data(), 4 * outcome.words.size(), setup.written);
    void const* const begin = outcome.words.data();
    std::array<void const*, 1> const arguments = {&begin};
    try {
        Module module(fmt::format("{}\n.entry kernel(.param .u64 memory) {{{}{}\nret;\n}}",
                                  setup.outside, registers, body),
                      memory);
        outcome.report = launch(module.program("kernel"), memory, setup.grid, setup.block, arguments,
                                setup.dynamic_shared, setup.options);
    } catch (Fault const& fault) {
        outcome.fault = fault.what();
    }
    return outcome;
}

std::vector<u64> evaluate(std::string const& code, std::vector<std::string> const& types,
                          std::vector<u64> const& operands) {
    std::size_t const sources = types.size() - 1, count = operands.size() / sources;
    std::string body = fmt::format("{}    mad.wide.u32 %rd1, %r4, {}, %memory;\n    .reg .{} %x;\n", row,
                                   8 * sources, types[0]);
    for (std::size_t k = 0; k < sources; ++k) {
        char const name = char('a' + k);
        body += fmt::format("    .reg .{0} %{1};\n    ld.global.{0} %{1}, [%rd1+{2}];\n", types[k + 1],
                            name, 8 * k);
    }
    body += fmt::format("    {}\n    st.global.{} [%rd2], %x;\n", code, types[0]);
    std::string const text = fmt::format(
        ".entry kernel(.param .u64 memory, .param .u64 results, .param .u32 count) {{{}{}\ndone: "
        "ret;\n}}",
        registers, body);
    std::vector<u64> results(count);
    Memory memory;
    memory.add(operands.data(), 8 * operands.size(), true);
    memory.add(results.data(), 8 * count, true);
    void const *const in = operands.data(), *const out = results.data();
    u32 const rows = u32(count);
    std::array<void const*, 3> const arguments = {&in, &out, &rows};
    Module module(text, memory);
    launch(module.program("kernel"), memory, {u32((count + 63) / 64), 1, 1}, {64, 1, 1}, arguments);
    return results;
}

void differs(std::string const& code, std::vector<u64> const& operands, u64 result, u64 expected) {
    std::string text;
    for (u64 const operand : operands) text += fmt::format(" {:#x}", operand);
    FAIL_CHECK(fmt::format("{}{} is {:#x}, not {:#x}", code, text, result, expected));
}
void agrees(std::string const& code, std::size_t rows) { CHECK_MESSAGE(rows > 0, code); }

}  // namespace ptx
