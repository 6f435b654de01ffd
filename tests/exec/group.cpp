// The checked group finds missing sync() calls in the real kernels.
#include "zwalk/exec/detail/group_checked.hpp"

#include "support/everywhere.hpp"
#include "traits/pair_counts.hpp"
#include "zwalk/nearest/rows.hpp"
#include "zwalk/nearest/trait.hpp"

using namespace test;

namespace {

/// Races found in a kNN walk (reach, count, insert and leaf kernels) with one sync() left out.
CheckedRun knn_races(Tree<float, Cpu> const& tree, long drop_sync) {
    std::vector<index_t> indices(tree.size() * 4);
    std::vector<float> distances(tree.size() * 4);
    using Trait = Nearest<3, float, NearestRows<float>, Candidates<float>>;
    Trait const trait(4, {4, indices.data(), distances.data()});
    CheckedRun run;
    run.drop_sync = drop_sync;
    walk(Cpu(1), trait, Open<3, float>{}, tree, tree, WalkInputs<Trait>{}, CheckedGroups<8, 16>{&run});
    return run;
}

/// The same for pair counts (accept and pair kernels).
CheckedRun pair_races(Tree<float, Cpu> const& tree, long drop_sync) {
    using Trait = zwalk::examples::PairCounts<3, float, 2>;
    Trait trait;
    trait.edge2[0] = 0, trait.edge2[1] = .01f, trait.edge2[2] = .1f;
    Trait::Total total;
    WalkInputs<Trait> inputs;
    inputs.total = &total;
    CheckedRun run;
    run.drop_sync = drop_sync;
    walk(Cpu(1), trait, Open<3, float>{}, tree, tree, inputs, CheckedGroups<8, 16>{&run});
    return run;
}

}  // namespace

TEST_CASE("checked group: each missing sync() of the walk's kernels is found") {
    Cpu const cpu(1);
    cpu.run([&] {
        auto const rows = make_points<3, float>("uniform", 60, 1);
        TreeOptions const options{.leaf_size = 8, .coarsening = 4, .top_nodes = 4};
        auto const tree = build_tree(cpu, view<3>(rows), 3, options);
        for (auto const& races : {knn_races, pair_races}) {
            CheckedRun const whole = races(tree, -1);
            CHECK(whole.races == 0);
            REQUIRE(whole.syncs > 20);
            int before = 0;
            for (long n = 0; n < whole.syncs; ++n) {
                // Kernels sync in pairs: before a tile is filled (nobody still reads the old one),
                // and after (all of it is there). The first of a kernel guards nothing yet.
                long const found = races(tree, n).races;
                if (n % 2 == 1) {
                    CAPTURE(n);
                    CHECK(found > 0);
                } else {
                    before += found > 0;
                }
            }
            CHECK(before > 0);
        }
    });
}

TEST_CASE("groups: lanes, any and where agree") {
    auto const check = [](auto const& g) {
        constexpr int W = std::remove_cvref_t<decltype(g)>::width;
        typename std::remove_cvref_t<decltype(g)>::template var<int> x;
        g.lanes([&](int l) { x[l] = 3 * l; });
        std::vector<int> hit;
        g.where([&](int l) { return x[l] % 2 == 0; }, [&](int l) { hit.push_back(l); });
        std::sort(hit.begin(), hit.end());
        CHECK(hit.size() == (W + 1) / 2);
        for (std::size_t i = 0; i < hit.size(); ++i) CHECK(hit[i] == 2 * int(i));
        CHECK(g.any([&](int l) { return x[l] == 3 * (W - 1); }));
        CHECK(!g.any([&](int l) { return x[l] < 0; }));
    };
    auto const check_warp = [](auto const& g) {
        constexpr int W = std::remove_cvref_t<decltype(g)>::width;
        typename std::remove_cvref_t<decltype(g)>::template var<Key<double>> x;
        g.lanes([&](int l) { x[l] = {l / 2., pos_t(l)}; });
        CHECK(g.ballot([&](int l) { return l % 3 == 0; }) == (0x49249249U & (0xffffffffU >> (32 - W))));
        CHECK(g.broadcast(x, W - 1) == Key<double>{(W - 1) / 2., W - 1});
        for (int mask = 1; mask < W; mask *= 2) g.exchange(x, mask, [&](int l, auto y) { x[l] = y; });
        bool reversed = true;  // lane l has that of lane l ^ (W - 1)
        for (int l = 0; l < W; ++l) reversed = reversed && x[l].pos == pos_t(W - 1 - l);
        CHECK(reversed);
    };
    CheckedRun run;
    check_warp(CpuGroup<8>{});
    check_warp(CpuGroup<32>{});
    check_warp(CheckedGroup<32>{&run});
    CHECK(run.races == 0);
    CheckedGroup<32> const g{&run};  // what all lanes do together isn't for some of them
    g.lanes([&](int l) { CHECK((l != 0 || g.ballot([](int) { return true; }) != 0)); });
    CHECK(run.races == 1);
    check(CpuGroup<1>{});
    check(CpuGroup<16>{});
    check(CpuGroup<33>{});
    check(CpuGroup<64>{});
    check(CheckedGroup<32>{&run});
}

TEST_CASE("checked group: lanes have columns of their own") {
    CheckedRun run;
    CheckedGroup<4> const g{&run};
    CheckedGroup<4>::Columns<int, 3> columns;
    auto const column = columns.hold(g);
    g.lanes([&](int l) {
        for (int i = 0; i < 3; ++i) column[l].write(g, i, 10 * l + i);
    });
    g.lanes([&](int l) {
        for (int i = 0; i < 3; ++i) CHECK(column[l][i] == 10 * l + i);
    });
    CHECK(run.races == 0);
    g.lanes([&](int l) { (void)column[l ^ 1][0]; });  // another lane's
    CHECK(run.races == 4);
}
