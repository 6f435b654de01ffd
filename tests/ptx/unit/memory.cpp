// Loads, stores, atomic operations, and addresses of all spaces.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "ptx/unit/run.hpp"

namespace {

using namespace ptx;
using Words = std::vector<u32>;

/// The first words of memory after a kernel that must not fail.
Words first_words(Outcome const& outcome, std::size_t count) {
    CHECK(outcome.fault == "");
    return {outcome.words.begin(), outcome.words.begin() + long(count)};
}

/// atom.NAME on one value of memory, with an operand: what is there afterwards, and that it returns what was.
template <class T, class F>
void atomic(std::string const& name, F const& f) {
    std::string const type = name.substr(name.rfind('.') + 1), reg = register_type<T>(),
                      size = std::to_string(sizeof(T));
    std::string const declared = "{ .reg ." + reg + " %old, %new; .local .align 8 .b8 place[8];\n";
    std::string const before = "st.local." + reg + " [place], %a;\n",
                      after = "ld.local." + reg + " %new, [place];\n";
    compare<T, T, T>(declared + before + "atom.local." + name + " %x, [place], %b; }",
                     [](T a, T) { return a; });
    compare<T, T, T>(declared + before + "red.local." + name + " [place], %b;\n" + after + "mov.b" +
                         std::to_string(8 * sizeof(T)) + " %x, %new; }",
                     [&](T a, T b) { return f(a, b); });
}
template <class T>
void atomics() {
    using S = std::make_signed_t<T>;
    std::string const n = std::to_string(8 * sizeof(T));
    atomic<T>("add.u" + n, [](T a, T b) { return T(a + b); });
    if (sizeof(T) == 4) atomic<S>("add.s" + n, [](S a, S b) { return S(T(a) + T(b)); });
    atomic<T>("min.u" + n, [](T a, T b) { return std::min(a, b); });
    atomic<T>("max.u" + n, [](T a, T b) { return std::max(a, b); });
    atomic<S>("min.s" + n, [](S a, S b) { return std::min(a, b); });
    atomic<S>("max.s" + n, [](S a, S b) { return std::max(a, b); });
    atomic<T>("and.b" + n, [](T a, T b) { return T(a & b); });
    atomic<T>("or.b" + n, [](T a, T b) { return T(a | b); });
    atomic<T>("xor.b" + n, [](T a, T b) { return T(a ^ b); });
    atomic<T>("exch.b" + n, [](T, T b) { return b; });
}

}  // namespace

TEST_CASE("ptx: loads and stores of every width") {
    Outcome const outcome = run_kernel(R"(
        setp.ne.u32 %p1, %t, 0;
        @%p1 ret;
        mov.u32 %r1, 0xfedc8081;
        st.global.u32 [%memory], %r1;
        ld.global.u8 %r2, [%memory];
        ld.global.s8 %r3, [%memory+1];
        ld.global.u16 %r4, [%memory+2];
        ld.global.s16 %r5, [%memory+2];
        ld.global.s32 %rd1, [%memory];
        ld.global.s8 %h1, [%memory];
        cvt.s32.s16 %r6, %h1;
        st.global.v4.u32 [%memory+16], {%r2, %r3, %r4, %r5};
        st.global.u64 [%memory+32], %rd1;
        st.global.u32 [%memory+40], %r6;
        st.global.u8 [%memory+44], %r1;
        st.global.u16 [%memory+46], %r1;
        ld.global.v2.b64 {%rd2, _}, [%memory+32];
        st.global.v2.b64 [%memory+48], {%rd2, 7};
        ld.global.f32 %f1, [%memory];
        ld.global.nc.L1::no_allocate.f64 %fd1, [%memory+32];
        st.global.f32 [%memory+64], %f1;
        st.global.f64 [%memory+72], %fd1;
        )");
    CHECK(first_words(outcome, 20) == Words{0xfedc8081, 0,          0,          0,          0x81,
                                            0xffffff80, 0xfedc,     0xfffffedc, 0xfedc8081, 0xffffffff,
                                            0xffffff81, 0x80810081, 0xfedc8081, 0xffffffff, 7,
                                            0,          0xfedc8081, 0,          0xfedc8081, 0xffffffff});
}

TEST_CASE("ptx: shared and local memory, by their own addresses and by generic ones") {
    Outcome const outcome = run_kernel(R"(
        .shared .align 8 .b8 ours[256];
        .local .align 8 .b8 mine[16];
        mov.u32 %r1, ours;
        shl.b32 %r2, %t, 2;
        add.u32 %r3, %r1, %r2;
        st.shared.u32 [%r3], %t;
        st.local.u32 [mine+4], %t;
        bar.sync 0;
        mov.u64 %rd1, ours;
        cvta.shared.u64 %rd2, %rd1;
        sub.u32 %r4, 31, %t;
        mad.wide.u32 %rd3, %r4, 4, %rd2;
        ld.u32 %r5, [%rd3];
        mov.u64 %rd4, mine;
        cvta.local.u64 %rd5, %rd4;
        ld.u32 %r6, [%rd5+4];
        cvta.to.shared.u64 %rd6, %rd3;
        ld.shared.u32 %r7, [%rd6];
        isspacep.shared %p1, %rd3;
        isspacep.local %p2, %rd5;
        isspacep.global %p3, %memory;
        and.pred %p4, %p1, %p2;
        and.pred %p4, %p4, %p3;
        isspacep.shared %p5, %memory;
        not.pred %p5, %p5;
        and.pred %p4, %p4, %p5;
        mad.lo.u32 %r8, %r5, 100, %r6;
        sub.u32 %r9, %r5, %r7;
        @!%p4 mov.u32 %r9, 1;
        mad.wide.u32 %rd7, %t, 4, %memory;
        add.u32 %r8, %r8, %r9;
        st.u32 [%rd7], %r8;
        )");
    Words expected;
    for (u32 t = 0; t < 32; ++t) expected.push_back((31 - t) * 100 + t);
    CHECK(first_words(outcome, 32) == expected);
}

TEST_CASE("ptx: addresses of 32 bits wrap around") {
    Outcome const outcome = run_kernel(R"(
        .shared .b32 x[4];
        mov.u32 %r1, 0xfffffff8;
        mov.u32 %r2, 5;
        st.shared.u32 [x+4], %r2;
        ld.shared.u32 %r3, [%r1+12];
        st.global.u32 [%memory], %r3;
        )",
                                       {.block = {1, 1, 1}});
    CHECK(first_words(outcome, 1) == Words{5});
}

TEST_CASE("ptx: dynamic shared memory, variables of the module, parameters as memory") {
    Outcome const outcome =
        run_kernel(R"(
        st.shared.u32 [dynamic+60], 3;
        ld.shared.u32 %r1, [dynamic+60];
        ld.global.u32 %r2, [counts+4];
        ld.const.u32 %r3, [numbers];
        add.u32 %r4, %r2, %r3;
        mov.u64 %rd1, memory;
        cvta.param.u64 %rd2, %rd1;
        ld.u64 %rd3, [%rd2];
        setp.eq.u64 %p1, %rd3, %memory;
        selp.u32 %r5, 1, 0, %p1;
        mov.u32 %r6, %dynamic_smem_size;
        st.global.v4.u32 [%memory], {%r1, %r4, %r5, %r6};
        st.global.u32 [counts], %r1;
        ld.volatile.global.u32 %r7, [counts];
        st.global.u32 [%memory+16], %r7;
        )",
                   {.block = {1, 1, 1},
                    .dynamic_shared = 64,
                    .outside = ".extern .shared .align 16 .b8 dynamic[];\n.global .u32 counts[2] = {1, "
                               "20};\n.const .u32 numbers[1] = {300};"});
    CHECK(first_words(outcome, 5) == Words{3, 320, 1, 64, 3});
}

TEST_CASE("ptx: atomic operations") {
    atomics<u32>();
    atomics<u64>();
    atomic<float>("add.f32", [](float a, float b) { return a + b; });
    atomic<double>("add.f64", [](double a, double b) { return a + b; });
    atomic<u32>("inc.u32", [](u32 a, u32 b) { return a >= b ? 0 : a + 1; });
    atomic<u32>("dec.u32", [](u32 a, u32 b) { return a == 0 || a > b ? b : a - 1; });
    compare<u32, u32, u32, u32>(
        "{ .local .b32 place; st.local.u32 [place], %a; atom.local.cas.b32 %x, [place], %b, %c; "
        "ld.local.u32 %x, [place]; }",
        [](u32 a, u32 b, u32 c) { return a == b ? c : a; });
    compare<u16, u16, u16, u16>(
        "{ .local .b16 place; st.local.u16 [place], %a; atom.local.cas.b16 %x, [place], %b, %c; "
        "ld.local.u16 %x, [place]; }",
        [](u16 a, u16 b, u16 c) { return a == b ? c : a; });
}

TEST_CASE("ptx: all threads add to one number") {
    Outcome const outcome = run_kernel(
        "atom.global.add.u32 %r1, [%memory], 2;\nred.relaxed.gpu.global.max.u32 [%memory+4], %r1;",
        {.grid = {5, 1, 1}, .block = {48, 1, 1}});
    CHECK(first_words(outcome, 2) == Words{480, 478});
}

TEST_CASE("ptx: functions, their parameters and results") {
    Outcome const outcome = run_kernel(R"(
        { .param .b32 in; .param .b64 out;
        st.param.b32 [in], %t;
        call.uni (out), twice_and_one, (in);
        ld.param.b64 %rd1, [out]; }
        setp.lt.u32 %p1, %t, 4;
        @!%p1 bra end;
        { .param .b32 in; .param .b64 out;
        cvt.u32.u64 %r1, %rd1;
        st.param.b32 [in], %r1;
        call (out), twice_and_one, (in);
        ld.param.b64 %rd1, [out]; }
        end:
        mad.wide.u32 %rd2, %t, 8, %memory;
        st.global.u64 [%rd2], %rd1;
        )",
                                       {.block = {8, 1, 1}, .outside = R"(
        .func (.param .b64 result) twice_and_one(.param .b32 x) {
        .reg .b32 %r<3>; .reg .b64 %rd<2>;
        ld.param.b32 %r1, [x];
        mad.wide.u32 %rd1, %r1, 2, 1;
        st.param.b64 [result], %rd1;
        ret; }
        )"});
    CHECK(first_words(outcome, 16) == Words{3, 0, 7, 0, 11, 0, 15, 0, 9, 0, 11, 0, 13, 0, 15, 0});
}

TEST_CASE("ptx: branches by a table, special registers") {
    Outcome const outcome = run_kernel(R"(
        targets: .branchtargets zero, one, two;
        mov.u32 %r2, %ctaid.x;
        mov.u32 %r3, %ntid.x;
        mad.lo.u32 %r1, %r2, %r3, %t;
        rem.u32 %r4, %t, 3;
        brx.idx %r4, targets;
        zero: mov.u32 %r5, 100; bra end;
        one: mov.u32 %r5, %laneid; bra end;
        two: mov.u32 %r5, %lanemask_lt;
        end: mad.wide.u32 %rd1, %r1, 4, %memory;
        mov.u32 %r6, %warpid;
        mad.lo.u32 %r5, %r6, 1000, %r5;
        st.global.u32 [%rd1], %r5;
        )",
                                       {.grid = {2, 1, 1}, .block = {6, 6, 1}, .words = 72});
    CHECK(outcome.fault == "");
    Outcome const size = run_kernel(
        "mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z; mov.u32 %r3, %nctaid.x; mov.u32 %r4, "
        "%nwarpid;\nst.global.v4.u32 [%memory], {%r1, %r2, %r3, %r4};",
        {.grid = {3, 1, 1}, .block = {4, 5, 6}});
    CHECK(first_words(size, 4) == Words{4, 5, 3, 4});
}
