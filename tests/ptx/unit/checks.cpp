// What kernels do wrong is found, and what they do right isn't.
#include <doctest/doctest.h>

#include <cstring>

#include "ptx/unit/run.hpp"

namespace {

using namespace ptx;

Options seeded(u64 seed) { return {.seed = seed}; }

/// Neighbours in a block exchange values through shared memory, with something between write and read.
std::string exchange(std::string const& between) {
    return R"(
        .shared .b32 ours[64];
        mov.u32 %r1, ours;
        mad.lo.u32 %r2, %t, 4, %r1;
        st.shared.u32 [%r2], %t;
        )" +
           between +
           R"(
        xor.b32 %r3, %t, 33;
        mad.lo.u32 %r4, %r3, 4, %r1;
        ld.shared.u32 %r5, [%r4];
        mad.wide.u32 %rd1, %t, 4, %memory;
        st.global.u32 [%rd1], %r5;
        )";
}
Setup two_warps(Options const& options) { return {.block = {64, 1, 1}, .options = options}; }

}  // namespace

TEST_CASE("ptx: accesses outside of memory") {
    CHECK(run_kernel("ld.global.u32 %r1, [%memory+252];").fault == "");
    CHECK(run_kernel("ld.global.u32 %r1, [%memory+256];")
              .failed("256 bytes behind the begin of an allocation of 256"));
    CHECK(run_kernel("ld.global.u32 %r1, [%memory+-4];").failed("read of 4 bytes"));
    CHECK(run_kernel("st.global.v2.u64 [%memory+248], {%rd1, %rd2};").failed("misaligned"));
    CHECK(run_kernel("st.global.v2.u64 [%memory+256], {%rd1, %rd2};").failed("write of 16 bytes"));
    CHECK(run_kernel("mov.u64 %rd1, 0;\nld.u32 %r1, [%rd1];").failed("read of 4 bytes at 0x0"));
    CHECK(run_kernel("atom.global.add.u32 %r1, [%memory+256], 1;").failed("write of 4 bytes"));
    CHECK(run_kernel(".shared .b32 x[4];\nst.shared.u32 [x+12], 1;").fault == "");
    CHECK(run_kernel(".shared .b32 x[4];\nst.shared.u32 [x+16], 1;")
              .failed("of 16 bytes of shared memory"));
    CHECK(run_kernel(".local .b32 x[4];\nld.local.u32 %r1, [x+16];")
              .failed("of 16 bytes of local memory"));
    CHECK(run_kernel("ld.param.u32 %r1, [memory+8];").failed("of 8 bytes of parameters"));
    CHECK(run_kernel("mov.u64 %rd1, memory;\ncvta.param.u64 %rd1, %rd1;\nst.u32 [%rd1], 1;")
              .failed("write to a parameter"));
    Setup dynamic{.dynamic_shared = 8, .outside = ".extern .shared .b8 d[];"};
    CHECK(run_kernel("st.shared.u32 [d+4], 1;", dynamic).fault == "");
    CHECK(run_kernel("st.shared.u32 [d+8], 1;", dynamic).failed("of 8 bytes of dynamic shared memory"));
}

TEST_CASE("ptx: misaligned accesses, and where a fault is") {
    CHECK(run_kernel("ld.global.u16 %r1, [%memory+2];").fault == "");
    CHECK(run_kernel("ld.global.u16 %r1, [%memory+1];").failed("misaligned for 2 bytes"));
    CHECK(run_kernel("ld.global.v2.u32 {%r1, %r2}, [%memory+4];").failed("misaligned for 8 bytes"));
    Outcome const outcome = run_kernel("setp.eq.u32 %p1, %t, 37;\n@%p1 ld.global.u32 %r1, [%memory+2];",
                                       {.grid = {3, 1, 1}, .block = {64, 1, 1}});
    CHECK(outcome.failed("kernel kernel, PTX line 12: @%p1 ld.global.u32 %r1, [%memory+2];"));
    CHECK(outcome.failed("block 0,0,0, warp 1, lane 5"));
}

TEST_CASE("ptx: masks and absent lanes") {
    CHECK(run_kernel("bar.warp.sync 0xffff;").failed("mask 0000ffff lacks the lane itself"));
    CHECK(run_kernel("setp.lt.u32 %p1, %t, 16;\n@%p1 bar.warp.sync 0xffff;").fault == "");
    std::string const half = "setp.lt.u32 %p1, %t, 16;\n@%p1 shfl.sync.idx.b32 %r1, %t, ";
    CHECK(run_kernel(half + "15, 31, 0xffff;").fault == "");
    CHECK(run_kernel(half + "16, 31, 0xffff;").failed("shuffle from lane 16, which doesn't take part"));
    // Lanes that never were.
    CHECK(run_kernel("shfl.sync.down.b32 %r1, %t, 1, 31, -1;", {.block = {16, 1, 1}})
              .failed("shuffle from lane 16"));
}

TEST_CASE("ptx: deadlocks") {
    for (u64 const seed : {0, 1, 2, 3}) {
        Setup const setup = two_warps(seeded(seed));
        // Lane 3 goes to the barrier of the block, the others wait for it.
        Outcome const outcome = run_kernel(
            "setp.eq.u32 %p1, %t, 3;\n@%p1 bar.sync 0;\nbar.warp.sync -1;\nbar.sync 0;", setup);
        CHECK(outcome.failed("deadlock"));
        CHECK(outcome.failed("lanes 00000008 wait for the block, PTX line 12"));
        CHECK(outcome.failed("lanes fffffff7 wait for lanes ffffffff, PTX line 13"));
        // Two halves with different masks.
        CHECK(run_kernel(
                  "setp.lt.u32 %p1, %t, 16;\nselp.u32 %r1, -1, 0xffff8000, %p1;\nbar.warp.sync %r1;",
                  {.options = seeded(seed)})
                  .failed("deadlock"));
        // Lanes shuffle at two places.
        std::string const parted =
            "setp.lt.u32 %p1, %t, 16;\n@%p1 bra low;\nshfl.sync.bfly.b32 %r1, %t, 1, 31, -1;\nbra "
            "end;\nlow: shfl.sync.bfly.b32 %r1, %t, 1, 31, -1;\nend:";
        CHECK(run_kernel(parted, {.options = seeded(seed)}).failed("deadlock"));
        CHECK(run_kernel("bar.warp.sync -1;\nbar.sync 0;", setup).fault == "");
    }
}

TEST_CASE("ptx: divergent barriers") {
    std::string const parted =
        "setp.lt.u32 %p1, %t, 16;\n@%p1 bra low;\nbar.sync 0;\nbra end;\nlow: bar.sync 0;\nend:";
    CHECK(run_kernel(parted).failed("lanes of a warp are at different barriers"));
    std::string const warps = "setp.lt.u32 %p1, %t, 32;\n@%p1 bra low;\nbar.sync ";
    CHECK(run_kernel(warps + "1;\nbra end;\nlow: bar.sync 0;\nend:", two_warps({}))
              .failed("warps of a block are at different barriers"));
    CHECK(run_kernel(warps + "0;\nbra end;\nlow: bar.sync 0;\nend:", two_warps({})).fault == "");
}

TEST_CASE("ptx: traps, functions without a body, hanging kernels") {
    CHECK(run_kernel("setp.eq.u32 %p1, %t, 32;\n@%p1 trap;").fault == "");
    CHECK(run_kernel("setp.eq.u32 %p1, %t, 31;\n@%p1 trap;").failed("trap"));
    Setup const print{.outside = ".extern .func (.param .b32 r) print (.param .b64 a);"};
    std::string const call = "{ .param .b32 r; .param .b64 a;\n@%p1 call (r), print, (a); }";
    CHECK(run_kernel("setp.eq.u32 %p1, %t, 32;\n" + call, print).fault == "");
    CHECK(run_kernel("setp.eq.u32 %p1, %t, 1;\n" + call, print).failed("call (r), print, (a);"));
    CHECK(run_kernel("here: bra here;", {.options = {.limit = 100000}})
              .failed("hangs: more than 100000 instructions"));
    Setup const endless{.outside = ".func f() { call f, (); ret; }"};
    CHECK(run_kernel("call f, ();", endless).failed("recursion"));
    CHECK(run_kernel("targets: .branchtargets a;\nbrx.idx %t, targets;\na:")
              .failed("branch to target 1 of 1"));
}

TEST_CASE("ptx: lanes that spin don't keep others from running") {
    // Lane 0 waits, at an earlier instruction, for what lane 1 writes later.
    std::string const code = R"(
        setp.ne.u32 %p1, %t, 0;
        @%p1 bra other;
        wait: ld.volatile.global.u32 %r1, [%memory];
        setp.eq.u32 %p2, %r1, 0;
        @%p2 bra wait;
        ret;
        other: st.volatile.global.u32 [%memory], 1;
    )";
    for (u64 const seed : {0, 1, 2})
        CHECK(run_kernel(code, {.options = {.seed = seed, .limit = 1000000}}).fault == "");
    // And so do warps, of which the first waits for the second.
    std::string const warps = "setp.gt.u32 %p1, %t, 31;" + code.substr(code.find("\n        @%p1"));
    for (u64 const seed : {0, 1, 2}) {
        Setup setup = two_warps({.seed = seed, .limit = 10000000});
        CHECK(run_kernel(warps, setup).fault == "");
    }
}

TEST_CASE("ptx: races in shared memory") {
    for (u64 const seed : {0, 1, 2}) {
        Setup const setup = two_warps({.seed = seed, .races = true});
        Outcome const racing = run_kernel(exchange(""), setup);
        CHECK(racing.fault == "");
        bool const found = racing.found(
                               "race of threads of one block: write, PTX line 15: st.shared.u32 [%r2], "
                               "%t;, and read, PTX line 19") ||
                           racing.found("race of threads of one block: read, PTX line 19");
        CHECK(found);
        CHECK(run_kernel(exchange("bar.sync 0;"), setup).report.findings.empty());
        // Threads of different warps aren't ordered by a barrier of the warp, nor any by a shuffle.
        CHECK(!run_kernel(exchange("bar.warp.sync -1;"), setup).report.findings.empty());
        CHECK(!run_kernel(exchange("shfl.sync.idx.b32 %r9, %t, 0, 31, -1;"), setup)
                   .report.findings.empty());
    }
    // Who doesn't ask isn't told.
    CHECK(run_kernel(exchange(""), two_warps({})).report.findings.empty());
    // Within a warp its barrier is enough.
    std::string own = exchange("bar.warp.sync -1;");
    own.replace(own.find("33"), 2, "1");
    CHECK(run_kernel(own, two_warps({.races = true})).report.findings.empty());
    own.replace(own.find("bar.warp.sync -1;"), 17, "");
    CHECK(!run_kernel(own, two_warps({.races = true})).report.findings.empty());
    // A barrier is missing between a read and the next write.
    std::string const again = exchange("bar.sync 0;") + "st.shared.u32 [%r2], %r5;";
    CHECK(run_kernel(again, two_warps({.races = true})).found("st.shared.u32 [%r2], %r5;"));
}

TEST_CASE("ptx: races in global memory") {
    Setup setup{.grid = {2, 1, 1}, .options = {.races = true}};
    std::string const own =
        "mov.u32 %r1, %ctaid.x;\nmad.lo.u32 %r2, %r1, 32, %t;\nmad.wide.u32 %rd1, %r2, 4, %memory;\n";
    for (u64 const seed : {0, 1}) {
        setup.options.seed = seed;
        CHECK(run_kernel(own + "st.global.u32 [%rd1], %t;", setup).report.findings.empty());
        CHECK(run_kernel(own + "ld.global.u32 %r3, [%memory];", setup).report.findings.empty());
        Outcome const racing =
            run_kernel("mad.wide.u32 %rd1, %t, 4, %memory;\nst.global.u32 [%rd1], %t;", setup);
        CHECK(
            racing.found("race of threads of two blocks: write, PTX line 12: st.global.u32 [%rd1], %t;, "
                         "and write, PTX line 12"));
        // Barriers of a block don't help; what is atomic does, but not with what isn't.
        CHECK(!run_kernel("mad.wide.u32 %rd1, %t, 4, %memory;\nbar.sync 0;\nst.global.u32 [%rd1], "
                          "%t;\nbar.sync 0;",
                          setup)
                   .report.findings.empty());
        CHECK(
            run_kernel("atom.global.add.u32 %r1, [%memory], 1;\nld.volatile.global.u32 %r2, [%memory];",
                       setup)
                .report.findings.empty());
        CHECK(run_kernel("atom.global.add.u32 %r1, [%memory], 1;\nld.global.u32 %r2, [%memory];", setup)
                  .found("atomic access"));
        // Bytes of one word are different places.
        CHECK(run_kernel("cvt.u64.u32 %rd1, %t;\nadd.u64 %rd1, %rd1, %memory;\nst.global.u8 [%rd1], %t;",
                         {.options = setup.options})
                  .report.findings.empty());
        // What the read-only cache has isn't written by the same kernel, in whatever order.
        std::string const cached = "mad.wide.u32 %rd1, %t, 4, %memory;\nld.global";
        std::string const then = ".u32 %r1, [%rd1];\nbar.sync 0;\nst.global.u32 [%rd1], %t;";
        CHECK(!run_kernel(cached + ".nc" + then, {.options = setup.options}).report.findings.empty());
        CHECK(run_kernel(cached + then, {.options = setup.options}).report.findings.empty());
    }
}

TEST_CASE("ptx: order by fences and by accesses that release and acquire") {
    // The first thread of one block writes something, and then a flag, for which that of the other one waits.
    auto const hand_over = [](std::string const& write, std::string const& read) {
        return "setp.ne.u32 %p1, %t, 0;\n@%p1 ret;\nmov.u32 %r1, %ctaid.x;\nsetp.eq.u32 %p1, %r1, "
               "1;\n@%p1 "
               "bra reader;\nst.global.u32 [%memory], 7;\n" +
               write + "\nret;\nreader:\n" + read + "\nst.global.u32 [%memory+8], %r3;";
    };
    std::string const write = "atom.global.exch.b32 %r2, [%memory+4], 1;", fence = "membar.gl;\n";
    auto const wait_by = [](std::string const& load) {
        return load + " %r2, [%memory+4];\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 bra reader;\n";
    };
    std::string const wait = wait_by("ld.volatile.global.u32");
    std::string const weak = "ld.global.u32 %r3, [%memory];",
                      strong = "ld.volatile.global.u32 %r3, [%memory];";
    for (u64 const seed : {0, 1, 2, 3}) {
        Setup const setup{.grid = {2, 1, 1}, .options = {.seed = seed, .races = true}};
        auto const outcome = [&](std::string const& writes, std::string const& reads) {
            Outcome const result = run_kernel(hand_over(writes, reads), setup);
            CHECK(result.fault == "");
            CHECK(result.words[2] == 7);
            return result;
        };
        auto const races = [&](std::string const& writes, std::string const& reads) {
            return outcome(writes, reads).found("race of threads of two blocks: write");
        };
        CHECK(!races(fence + write, wait + fence + weak));
        CHECK(!races(fence + write, wait + strong));
        CHECK(!races("fence.acq_rel.gpu;\nst.relaxed.gpu.global.u32 [%memory+4], 1;",
                     wait + fence + weak));
        CHECK(!races("st.release.gpu.global.u32 [%memory+4], 1;",
                     wait_by("ld.acquire.gpu.global.u32") + weak));
        CHECK(!races("atom.acq_rel.gpu.global.exch.b32 %r2, [%memory+4], 1;",
                     wait_by("ld.acquire.gpu.global.u32") + weak));
        // Something is missing: a fence of the writer, of the reader, or it doesn't reach other blocks.
        CHECK(races(write, wait + fence + weak));
        CHECK(races(write, wait + strong));
        CHECK(races(fence + write, wait + weak));
        CHECK(races("membar.cta;\n" + write, wait + fence + weak));
        CHECK(races("st.release.gpu.global.u32 [%memory+4], 1;", wait + weak));
        // What is written after the fence isn't handed on.
        CHECK(races(fence + "st.global.u32 [%memory], 7;\n" + write, wait + fence + weak));
    }
}

TEST_CASE("ptx: order that is handed on by barriers and by others") {
    // A thread of one block writes; after a barrier, another one hands that on to another block, where a barrier follows, too.
    std::string const code = R"(
        mov.u32 %r1, %ctaid.x;
        setp.eq.u32 %p1, %r1, 1;
        setp.eq.u32 %p2, %t, 0;
        @%p1 bra reader;
        @%p2 st.global.u32 [%memory], 7;
        bar.sync 0;
        setp.eq.u32 %p3, %t, 40;
        membar.gl;
        @%p3 st.volatile.global.u32 [%memory+4], 1;
        ret;
        reader: setp.ne.u32 %p3, %t, 33;
        @%p3 bra together;
        wait: ld.volatile.global.u32 %r2, [%memory+4];
        setp.eq.u32 %p4, %r2, 0;
        @%p4 bra wait;
        membar.gl;
        together: bar.sync 0;
        ld.global.u32 %r3, [%memory];
    )";
    for (u64 const seed : {0, 1, 2, 3}) {
        Setup setup = two_warps({.seed = seed, .races = true});
        setup.grid.x = 2;
        CHECK(run_kernel(code, setup).report.findings.empty());
        for (std::string const needed :
             {"bar.sync 0;\n        setp", "membar.gl;\n        @", "membar.gl;\n        tog"}) {
            std::string without = code;
            std::size_t const begin = code.find(needed);
            without.erase(begin, code.find(';', begin) + 1 - begin);
            CHECK(run_kernel(without, setup).found("race of threads of two blocks"));
        }
    }
}

TEST_CASE("ptx: reads of what nobody wrote") {
    Setup setup{.written = false, .options = {.unwritten = true}};
    CHECK(run_kernel("ld.global.u32 %r1, [%memory];", setup)
              .found("read of what nobody wrote, PTX line 11: ld.global.u32 %r1, [%memory];"));
    CHECK(run_kernel("st.global.u32 [%memory], 1;\nld.global.u32 %r1, [%memory];", setup)
              .report.findings.empty());
    CHECK(!run_kernel("st.global.u16 [%memory], 1;\nld.global.u32 %r1, [%memory];", setup)
               .report.findings.empty());
    CHECK(!run_kernel("atom.global.add.u32 %r1, [%memory], 1;", setup).report.findings.empty());
    // Bytes that a load brings along aren't read.
    CHECK(run_kernel("st.global.u32 [%memory], 1;\n.pragma \"used_bytes_mask 0xf\";\nld.global.v2.u32 "
                     "{%r1, %r2}, [%memory];",
                     setup)
              .report.findings.empty());
    CHECK(!run_kernel("st.global.u32 [%memory], 1;\nld.global.v2.u32 {%r1, %r2}, [%memory];", setup)
               .report.findings.empty());
    CHECK(!run_kernel(".shared .b32 x;\nld.shared.u32 %r1, [x];", setup).report.findings.empty());
    CHECK(run_kernel(".shared .b32 x;\nst.shared.u32 [x], 1;\nld.shared.u32 %r1, [x];", setup)
              .report.findings.empty());
    CHECK(!run_kernel(".local .b32 x;\nld.local.u32 %r1, [x];", setup).report.findings.empty());
    CHECK(run_kernel("ld.param.u64 %rd1, [memory];", setup).report.findings.empty());
    setup.written = true;
    CHECK(run_kernel("ld.global.u32 %r1, [%memory];", setup).report.findings.empty());
}

TEST_CASE("ptx: memory that was copied is as written as what it was copied from") {
    Memory memory;
    std::vector<u64> a(4), b(4);
    memory.add(a.data(), 32, false);
    memory.add(b.data(), 32, false);
    memory.written(a.data() + 1, 8);
    memory.copied(b.data(), a.data(), 32);
    Allocation const& copy = *memory.find(reinterpret_cast<u64>(b.data()));
    CHECK(!copy.written[7]);
    CHECK(copy.written[8]);
    CHECK(!copy.written[16]);
    CHECK(memory.remove(a.data()));
    CHECK(!memory.remove(a.data()));
    CHECK(memory.bytes() == 32);
}

TEST_CASE("ptx: instructions are counted") {
    Outcome const outcome = run_kernel(
        "mov.u32 %r1, 0;\nagain: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 10;\n@%p1 bra again;",
        {.grid = {2, 1, 1}, .block = {64, 1, 1}});
    REQUIRE(outcome.report.executed.size() >= 6);
    CHECK(outcome.report.executed[2] == 4);
    CHECK(outcome.report.executed[3] == 40);
    CHECK(outcome.report.instructions == 4 * (2 + 1 + 3 * 10 + 1));
}
