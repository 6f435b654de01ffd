// Shuffles, votes, matches, reductions and barriers.
#include <doctest/doctest.h>

#include <algorithm>

#include "ptx/unit/run.hpp"

namespace {

using namespace ptx;
using Words = std::vector<u32>;

/// The word that each thread of a block leaves in %r1.
Words each(std::string const& code, Setup setup = {}) {
    setup.words = u32(setup.block.count());
    Outcome const outcome =
        run_kernel(code + "\nmad.wide.u32 %rd15, %t, 4, %memory;\nst.global.u32 [%rd15], %r1;", setup);
    CHECK_MESSAGE(outcome.fault == "", code);
    return outcome.words;
}
template <class F>
Words lanes(F const& f, u32 count = 32) {
    Words all;
    for (u32 l = 0; l < count; ++l) all.push_back(u32(f(l)));
    return all;
}
/// shfl with the number of the lane, over segments of `width` lanes; plus 100 for lanes whose predicate is true.
Words shuffled(std::string const& mode, u32 by, u32 width) {
    u32 const clamp = (32 - width) << 8 | (mode == "up" ? 0U : 31U);
    return each("mov.u32 %r2, %laneid;\nshfl.sync." + mode + ".b32 %r1|%p1, %r2, " + std::to_string(by) +
                ", " + std::to_string(clamp) + ", -1;\n@%p1 add.u32 %r1, %r1, 100;");
}

}  // namespace

TEST_CASE("ptx: shuffles over segments of every width") {
    for (u32 const width : {1U, 2U, 4U, 8U, 16U, 32U})
        for (u32 const by : {0U, 1U, 3U, 5U, 16U, 31U}) {
            auto const result = [&](u32 l, u32 from, bool inside) { return inside ? from + 100 : l; };
            auto const first = [&](u32 l) { return l / width * width; };
            CHECK(shuffled("up", by, width) ==
                  lanes([&](u32 l) { return result(l, l - by, l >= first(l) + by); }));
            CHECK(shuffled("down", by, width) ==
                  lanes([&](u32 l) { return result(l, l + by, l + by < first(l) + width); }));
            CHECK(shuffled("idx", by, width) ==
                  lanes([&](u32 l) { return result(l, first(l) + by % width, true); }));
            // Towards lower segments a butterfly may leave its own.
            CHECK(shuffled("bfly", by, width) ==
                  lanes([&](u32 l) { return result(l, l ^ by, (l ^ by) < first(l) + width); }));
        }
}

TEST_CASE("ptx: shuffles of lanes that each want another") {
    CHECK(each("sub.u32 %r2, 31, %t;\nmul.lo.u32 %r3, %t, 7;\nshfl.sync.idx.b32 %r1, %r3, %r2, 31, "
               "0xffffffff;") == lanes([](u32 l) { return (31 - l) * 7; }));
    CHECK(
        each(
            "mov.u32 %r1, 9;\nsetp.lt.u32 %p1, %t, 8;\n@%p1 shfl.sync.bfly.b32 %r1, %t, 1, 31, 0xff;") ==
        lanes([](u32 l) { return l < 8 ? l ^ 1 : 9; }));
}

TEST_CASE("ptx: votes") {
    std::string const set = "setp.gt.u32 %p1, %t, 2;\nsetp.lt.u32 %p2, %t, 40;\n",
                      get = "\nselp.u32 %r1, 1, 0, %p3;";
    auto const all = [](u32 value) { return lanes([=](u32) { return value; }); };
    CHECK(each(set + "vote.sync.ballot.b32 %r1, %p1, -1;") == all(0xfffffff8));
    CHECK(each(set + "vote.sync.ballot.b32 %r1, !%p1, -1;") == all(7));
    CHECK(each(set + "vote.ballot.sync.b32 %r1, !%p1, -1;") == all(7));
    CHECK(each(set + "vote.sync.any.pred %p3, %p1, -1;" + get) == all(1));
    CHECK(each(set + "vote.sync.any.pred %p3, !%p2, -1;" + get) == all(0));
    CHECK(each(set + "vote.sync.all.pred %p3, %p1, -1;" + get) == all(0));
    CHECK(each(set + "vote.sync.all.pred %p3, %p2, -1;" + get) == all(1));
    CHECK(each(set + "vote.sync.uni.pred %p3, %p1, -1;" + get) == all(0));
    CHECK(each(set + "vote.sync.uni.pred %p3, !%p2, -1;" + get) == all(1));
    // Only of the lanes that take part.
    CHECK(each(set + "mov.u32 %r1, 5;\n@!%p1 vote.sync.ballot.b32 %r1, %p2, 7;") ==
          lanes([](u32 l) { return l < 3 ? 7 : 5; }));
}

TEST_CASE("ptx: matches") {
    CHECK(each("shr.u32 %r2, %t, 3;\nmatch.any.sync.b32 %r1, %r2, -1;") ==
          lanes([](u32 l) { return 0xffU << l / 8 * 8; }));
    std::string const wide = "and.b32 %r2, %t, 1;\nmov.b64 %rd1, {%r3, %r2};\n";
    CHECK(each("mov.u32 %r3, 4;\n" + wide + "match.any.sync.b64 %r1, %rd1, -1;") ==
          lanes([](u32 l) { return l % 2 == 0 ? 0x55555555U : 0xaaaaaaaaU; }));
    std::string const get = "\n@%p1 add.u32 %r1, %r1, 1;";
    CHECK(each("mov.u32 %r2, 3;\nmatch.all.sync.b32 %r1|%p1, %r2, -1;" + get) ==
          lanes([](u32) { return 0; }));
    CHECK(each("match.all.sync.b32 %r1|%p1, %t, -1;" + get) == lanes([](u32) { return 0; }));
    CHECK(each("mov.u32 %r3, 4;\n" + wide +
               "setp.ne.u32 %p2, %r2, 0;\nmov.u32 %r1, 9;\n@%p2 match.all.sync.b64 %r1|%p1, %rd1, "
               "0xaaaaaaaa;") == lanes([](u32 l) { return l % 2 == 0 ? 9 : 0xaaaaaaaaU; }));
}

TEST_CASE("ptx: reductions of a warp, elections, active lanes") {
    auto const all = [](u32 value) { return lanes([=](u32) { return value; }); };
    std::string const value = "sub.u32 %r2, %t, 5;\n";
    CHECK(each(value + "redux.sync.add.s32 %r1, %r2, -1;") == all(31 * 16 - 5 * 32));
    CHECK(each(value + "redux.sync.min.s32 %r1, %r2, -1;") == all(u32(-5)));
    CHECK(each(value + "redux.sync.max.s32 %r1, %r2, -1;") == all(26));
    CHECK(each(value + "redux.sync.min.u32 %r1, %r2, -1;") == all(0));
    CHECK(each(value + "redux.sync.max.u32 %r1, %r2, -1;") == all(~0U));
    CHECK(each("or.b32 %r2, %t, 64;\nredux.sync.and.b32 %r1, %r2, -1;") == all(64));
    CHECK(each("or.b32 %r2, %t, 64;\nredux.sync.or.b32 %r1, %r2, -1;") == all(95));
    CHECK(
        each(
            "setp.gt.u32 %p1, %t, 28;\nmov.u32 %r1, 0;\n@%p1 redux.sync.xor.b32 %r1, %t, 0xe0000000;") ==
        lanes([](u32 l) { return l > 28 ? 29 ^ 30 ^ 31 : 0; }));
    CHECK(each("setp.gt.u32 %p1, %t, 4;\nmov.u32 %r1, 0;\nmov.pred %p2, 0;\n@%p1 elect.sync %r1|%p2, "
               "0xffffffe0;\n@%p2 "
               "add.u32 %r1, %r1, 50;") == lanes([](u32 l) { return l < 5    ? 0
                                                                    : l == 5 ? 55
                                                                             : 5; }));
    CHECK(each("setp.gt.u32 %p1, %t, 4;\nmov.u32 %r1, 0;\n@%p1 activemask.b32 %r1;") ==
          lanes([](u32 l) { return l > 4 ? 0xffffffe0U : 0; }));
}

TEST_CASE("ptx: lanes wait for each other wherever they come from, by every schedule") {
    // Odd lanes come later, and each by another way.
    std::string const code = R"(
        and.b32 %r2, %t, 1;
        setp.eq.u32 %p1, %r2, 0;
        @%p1 bra even;
        mov.u32 %r3, 0;
        loop: add.u32 %r3, %r3, 1;
        setp.lt.u32 %p2, %r3, %t;
        @%p2 bra loop;
        bar.warp.sync -1;
        bra together;
        even: bar.warp.sync -1;
        together: shfl.sync.bfly.b32 %r1, %t, 1, 31, -1;
    )";
    for (u64 seed = 0; seed < 20; ++seed)
        CHECK(each(code, {.options = {.seed = seed}}) == lanes([](u32 l) { return l ^ 1; }));
}

TEST_CASE("ptx: who has left the kernel isn't waited for") {
    CHECK(each("mov.u32 %r1, 1;\nsetp.gt.u32 %p1, %t, 15;\n@%p1 bra end;\nbar.warp.sync "
               "-1;\nvote.sync.ballot.b32 %r1, %p1, -1;\n"
               "mad.wide.u32 %rd15, %t, 4, %memory;\nst.global.u32 [%rd15], %r1;\nexit;\nend: ret;") ==
          lanes([](u32) { return 0; }));
    CHECK(each("bar.warp.sync -1;\nmov.u32 %r1, 3;\nbar.sync 0;", {.block = {40, 1, 1}}) ==
          lanes([](u32) { return 3; }, 40));
}

TEST_CASE("ptx: barriers of blocks, and what they tell") {
    Setup setup{.block = {96, 1, 1}};
    for (u64 seed = 0; seed < 10; ++seed) {
        setup.options.seed = seed;
        CHECK(each(R"(
            .shared .b32 ours[96];
            mad.lo.u32 %r2, %t, 4, 0;
            mov.u32 %r3, ours;
            add.u32 %r2, %r2, %r3;
            st.shared.u32 [%r2], %t;
            bar.sync 0;
            sub.u32 %r4, 95, %t;
            mad.lo.u32 %r4, %r4, 4, %r3;
            ld.shared.u32 %r1, [%r4];
            barrier.sync.aligned 1;
            )",
                   setup) == lanes([](u32 l) { return 95 - l; }, 96));
        auto const all = [](u32 value) { return lanes([=](u32) { return value; }, 96); };
        CHECK(each("setp.lt.u32 %p1, %t, 70;\nbar.red.popc.u32 %r1, 0, %p1;", setup) == all(70));
        CHECK(each("setp.lt.u32 %p1, %t, 70;\nbar.red.or.pred %p2, 0, %p1;\nselp.u32 %r1, 1, 0, %p2;",
                   setup) == all(1));
        CHECK(each("setp.lt.u32 %p1, %t, 70;\nbarrier.red.and.aligned.pred %p2, 0, %p1;\nselp.u32 %r1, "
                   "1, 0, %p2;",
                   setup) == all(0));
        CHECK(each("setp.lt.u32 %p1, %t, 96;\nbar.red.and.pred %p2, 0, %p1;\nselp.u32 %r1, 1, 0, %p2;",
                   setup) == all(1));
    }
}
