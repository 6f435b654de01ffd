// What kernels are decoded to, and what is refused.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "ptx/fault.hpp"
#include "ptx/module.hpp"

namespace {

using namespace ptx;

/// What is said of a module and its kernels; empty: nothing.
std::string complaint(std::string const& text) {
    Memory memory;
    try {
        Module module(text, memory);
        for (std::string const& kernel : module.kernels()) module.program(kernel);
    } catch (Fault const& fault) {
        return fault.what();
    }
    return {};
}
bool contains(std::string const& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::string in_kernel(std::string const& body) {
    return ".entry k() {\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.reg .pred %p<2>;\n" + body + "\n}";
}

}  // namespace

TEST_CASE("ptx: unknown instructions and operands are refused with kernel and line") {
    std::string const unknown =
        complaint(in_kernel("add.s32 %r1, %r2, %r3;\n  frobnicate.b32 %r1, %r2;"));
    CHECK(contains(unknown, "kernel k, PTX line 6: unknown instruction frobnicate.b32"));
    CHECK(contains(unknown, "frobnicate.b32 %r1, %r2;"));
    // A modifier that isn't known makes an instruction unknown, too.
    CHECK(
        contains(complaint(in_kernel("add.ftz.f32 %r1, %r2, %r3;")), "unknown instruction add.ftz.f32"));
    CHECK(contains(complaint(in_kernel("ld.global.weird.u32 %r1, [%rd1];")), "unknown instruction"));
    CHECK(contains(complaint(in_kernel("add.s32 %r1, %r2;")), "2 operands"));
    CHECK(contains(complaint(in_kernel("add.s32 %r9, %r2, %r3;")), "unknown register %r9"));
    CHECK(contains(complaint(in_kernel("add.s32 %r1, %r2, %nothing;")), "unknown operand %nothing"));
    CHECK(contains(complaint(in_kernel("add.s64 %rd1, %rd2, %r3;")), "%r3 has not 64 bits"));
    CHECK(contains(complaint(in_kernel("add.s32 %r1, %r2, %p1;")), "%p1 has not 32 bits"));
    CHECK(contains(complaint(in_kernel("mov.b64 %rd1, {%r1, %r2, %r3};")), "unknown"));
    CHECK(contains(complaint(in_kernel("add.f32 %r1, %r2, 0d3FF0000000000000;")), "float of 64 bits"));
    CHECK(contains(complaint(in_kernel("bra nowhere;")), "unknown label nowhere"));
    CHECK(contains(complaint(in_kernel("here: here: ret;")), "label is there twice"));
    CHECK(contains(complaint(in_kernel("ld.shared.u32 %r1, [nowhere];")), "unknown address nowhere"));
    CHECK(contains(complaint(in_kernel(".local .b32 mine;\n ld.shared.u32 %r1, [mine];")),
                   "another space"));
    CHECK(contains(complaint(in_kernel("call nobody, ();")), "unknown function nobody"));
    CHECK(contains(complaint(in_kernel("bar.sync 0, 64;")), "2 operands"));
    CHECK(contains(complaint(in_kernel("{ .reg .b32 %y; }\nmov.b32 %r1, %y;")), "unknown operand %y"));
    CHECK(complaint(in_kernel("{ .reg .b32 %y; mov.b32 %y, 1; }\nmov.b32 %r1, WARP_SZ;")).empty());
    Memory memory;
    Module module(in_kernel(""), memory);
    CHECK_THROWS_AS(module.program("another"), Fault);
}

TEST_CASE("ptx: variables of a module") {
    CHECK(contains(complaint(".global .u64 p = nothing;"), "unknown initial value nothing"));
    Memory memory;
    {
        Module module(
            ".global .align 4 .b8 a[4] = {1, 2};\n.const .u64 p[2] = {generic(a)+2, 7};\n.global .f32 x "
            "= 0f3F800000;",
            memory);
        CHECK(module.variable("a")[1] == 2);
        CHECK(module.variable("a")[2] == 0);
        u64 const* const p = reinterpret_cast<u64 const*>(module.variable("p"));
        CHECK(p[0] == reinterpret_cast<u64>(module.variable("a")) + 2);
        CHECK(p[1] == 7);
        CHECK(*reinterpret_cast<float const*>(module.variable("x")) == 1);
        CHECK(module.variable("y") == nullptr);
        CHECK(memory.bytes() == 24);
    }
    CHECK(memory.bytes() == 0);
}
