// What is read of PTX, and what is refused.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/fault.hpp"
#include "ptx/syntax.hpp"
#include "ptx/tokens.hpp"

namespace {

using namespace ptx;

/// What is said of a module; empty: nothing.
std::string complaint(std::string const& text) {
    try {
        parse(text);
    } catch (Fault const& fault) {
        return fault.what();
    }
    return {};
}
bool contains(std::string const& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("ptx: words") {
    std::vector<Token> const tokens =
        tokens_of("L1: ld.L1::no_allocate.v2 /* a\n b */ {%r1,_};\n.loc 1 2 3, x\n// y\n\"a b\" 0x1F");
    std::vector<std::string_view> words;
    for (Token const& token : tokens) words.push_back(token.text);
    CHECK(words == std::vector<std::string_view>{"L1", ":", "ld.L1::no_allocate.v2", "{", "%r1", ",",
                                                 "_", "}", ";", "\"a b\"", "0x1F"});
    CHECK(tokens[3].line == 2);
    CHECK(tokens[9].line == 5);
    CHECK(!tokens[10].is_word());
}

TEST_CASE("ptx: declarations") {
    Syntax const syntax = parse(R"(
.version 9.0
.target sm_90
.address_size 64
.extern .func (.param .b32 result) vprintf (.param .b64 a, .param .b64 b);
.global .align 8 .b8 bytes[6] = {1, 2, 0xff};
.const .f64 numbers[2] = {0d3FF0000000000000, 0d4000000000000000};
.extern .shared .align 16 .b8 dynamic[];
.visible .entry k(
    .param .u64 .ptr .global .align 1 k_0,
    .param .align 8 .b8 k_1[24]
)
.maxntid 128, 1, 1
.minnctapersm 2
{
    .reg .pred %p<3>;
    .reg .b32 %r<7>, %x;
loop:
    @!%p1 bra.uni loop;
    { .reg .b32 %r1; }
    ld.global.v2.u32 {%r1, _}, [%r2+-8];
    setp.lt.and.s32 %p1|%p2, %r1, -5, !%p1;
    ret;
}
)");
    CHECK(syntax.variables.at("bytes").bytes() == 6);
    CHECK(syntax.variables.at("bytes").align == 8);
    CHECK(syntax.variables.at("bytes").initial.size() == 3);
    CHECK(syntax.variables.at("numbers").initial[1].float_bits == 64);
    CHECK(syntax.variables.at("dynamic").external);
    CHECK(!syntax.functions.at("vprintf").has_body);
    Function const& kernel = syntax.functions.at("k");
    CHECK(kernel.entry);
    REQUIRE(kernel.parameters.size() == 2);
    CHECK(kernel.parameters[1].bytes() == 24);
    std::vector<Statement> instructions;
    for (Statement const& statement : kernel.body)
        if (statement.kind == Statement::Kind::instruction) instructions.push_back(statement);
    REQUIRE(instructions.size() == 4);
    CHECK(instructions[0].guard == "%p1");
    CHECK(instructions[0].guard_negated);
    CHECK(instructions[1].line == 21);
    CHECK(instructions[1].operands[1].offset == -8);
    CHECK(instructions[2].operands[0].parts[0].name == "%p2");
    CHECK(instructions[2].operands[2].bits == std::uint64_t(-5));
    CHECK(instructions[2].operands[3].negated);
}

TEST_CASE("ptx: what isn't PTX is refused with its line") {
    CHECK(contains(complaint(".entry k() {\n  add.s32 %r1, ;\n}"), "PTX line 2: unexpected \";\""));
    CHECK(contains(complaint(".global .b32 x = 12abc;"), "12abc is no number"));
    CHECK(contains(complaint(".entry k() {\n"), "PTX"));
    CHECK(contains(complaint(".global .q32 x;"), "unexpected"));
}
