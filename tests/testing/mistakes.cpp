// verify(): finds mistakes, one check for one mistake, and names the hook.
#include "testing/mistakes.hpp"

#include <doctest/doctest.h>

#include "zwalk/testing/verify.hpp"

using namespace test;

namespace {

VerifyOptions const few{.kinds = {"uniform", "clustered", "sites40"}, .sizes = {2, 40}, .many = 0};

/// Whether some finding is of this hook and says so.
bool says(zwalk::testing::Report const& report, std::string const& hook, std::string const& words) {
    bool found = false;
    for (auto const& finding : report.findings())
        found = found || (finding.hook == hook && finding.sentence.find(words) != std::string::npos);
    if (!found) MESSAGE("no sentence of ", hook, " with \"", words, "\":\n", report.text());
    return found;
}

}  // namespace

TEST_CASE("verify finds mistakes: counts, handed down") {
    auto const with = [](Counting::Mistake mistake, VerifyOptions const& options = few) {
        Counting trait;
        trait.radius2 = .05f;
        trait.mistake = mistake;
        return verify(trait, Outputs{&Counting::count}, options);
    };
    CHECK(with(Counting::none).ok());
    CHECK(says(with(Counting::discards_too_much), "decide", "discards pairs that matter: row "));
    CHECK(says(with(Counting::accepts_too_much), "absorb", "decide() accepts too much"));
    CHECK(says(with(Counting::absorbs_too_little), "absorb", "does not give what the points"));
    CHECK(says(with(Counting::forgets_on_the_way_down), "absorb", "inherit() loses it"));
    CHECK(says(with(Counting::changes_its_mind), "decide", "otherwise when it is asked again"));
    CHECK(says(with(Counting::discards_parents_only), "decide", "discards a pair of nodes, but not"));
    auto options = few;
    auto const moody = with(Counting::accepts_parents_only);
    CHECK(says(moody, "decide", "accepts a pair of nodes, but descends"));
    CHECK(moody.findings().size() == 1);
    options.accepts_stay = false;
    CHECK(with(Counting::accepts_parents_only, options).ok());
    CHECK(says(with(Counting::counts_one_tree), "decide", "targets and sources are two trees"));
    options.many = 5000;
    options.sizes = {};
    CHECK(with(Counting::none, options).ok());
#if !defined(ZWALK_TSAN)  // where a Cpu has no arena of its own
    CHECK(says(with(Counting::depends_on_threads, options), "end", "other results on several threads"));
#endif
}

TEST_CASE("verify finds mistakes: summaries, reach, horizon") {
    auto const with = [](Brighter::Mistake mistake, VerifyOptions const& options = few) {
        Brighter trait{};
        trait.mistake = mistake;
        return verify(trait, Outputs{&Brighter::brighter}, options);
    };
    CHECK(with(Brighter::none).ok());
    CHECK(says(with(Brighter::averages_lights), "merge", "isn't associative"));
    CHECK(says(with(Brighter::horizon_too_near), "horizon", "leaves out sources that matter: row "));
    CHECK(says(with(Brighter::reach_too_small), "reach_end", "is below what still matters"));
    auto many = few;
    many.many = 5000;
    many.sizes = {};
    CHECK(says(with(Brighter::reach_too_small, many), "decide", "where all hooks work together: row "));
    CHECK(says(with(Brighter::reach_nan), "reach_end", "returns NaN"));
    CHECK(says(with(Brighter::horizon_nan), "horizon", "returns NaN"));
}

TEST_CASE("verify finds mistakes: totals of pairs") {
    auto const with = [](Pairs::Mistake mistake) {
        Pairs trait;
        trait.mistake = mistake;
        return verify(trait, Outputs{}, few);
    };
    CHECK(with(Pairs::none).ok());
    CHECK(says(with(Pairs::cutoff_too_small), "cutoff2", "leaves out pairs that matter: the total"));
    CHECK(says(with(Pairs::keeps_the_first), "combine", "isn't commutative"));
    CHECK(says(with(Pairs::halves), "combine", "isn't associative"));
    CHECK(says(with(Pairs::begins_with_one), "combine", "with which walks begin"));
    CHECK(says(with(Pairs::counts_pairs_twice), "accept", "does not give what the points"));
}

TEST_CASE("verify finds mistakes: links") {
    auto const with = [](Friends::Mistake mistake) {
        Friends trait;
        trait.mistake = mistake;
        return verify(trait, Outputs{}, few);
    };
    CHECK(with(Friends::none).ok());
    CHECK(says(with(Friends::whole_too_often), "whole", "that are not of one group: row "));
    CHECK(says(with(Friends::joins_near_nodes), "accept", "links points that are not of one group"));
    CHECK(says(with(Friends::links_beyond), "accept or pair", "there are 2 points"));
}

TEST_CASE("verify finds mistakes: own metric, summaries of leaves, idle targets") {
    auto const with = [](Lightest::Mistake mistake) {
        Lightest trait;
        trait.mistake = mistake;
        return verify(trait, Outputs{&Lightest::lightest}, few);
    };
    CHECK(with(Lightest::none).ok());
    CHECK(says(with(Lightest::metric_widens), "metric", "widens on descent: hi2"));
    CHECK(says(with(Lightest::metric_inside_out), "metric", "lo2 must not be larger"));
    CHECK(says(with(Lightest::leaf_summary_of_first), "summarize_leaf", "isn't what summarize()"));
    CHECK(says(with(Lightest::idle_too_often), "idle", "leaves out targets"));
    CHECK(says(with(Lightest::idle_by_some), "idle", "says it of a node, but not of its child"));
}

TEST_CASE("verify finds mistakes: far fields, with a tolerance") {
    auto const with = [](bool images, bool mass, double tolerance) {
        Gravity trait{};
        trait.theta2 = .05f;
        trait.softening2 = 1e-4f;
        trait.forgets_images = images;
        trait.ignores_mass = mass;
        auto options = few;
        options.box = {1};
        options.tolerance = tolerance;
        return verify(trait, Outputs{&Gravity::acceleration}, options);
    };
    auto const right = with(false, false, .1);
    INFO(right.text());
    CHECK(right.ok());
    CHECK_FALSE(with(false, false, 1e-7).ok());
    CHECK(says(with(true, false, .1), "far", "does not give what the points"));
    CHECK(says(with(false, true, .1), "far", "does not give what the points"));
}

TEST_CASE("verify finds mistakes: an accept that nobody takes") {
    CHECK(says(verify(NoService{}, Outputs{&NoService::count}, few), "decide", "nothing takes it"));
}

TEST_CASE("verify finds mistakes: forms of a hook that only some places call") {
    auto const with = [](bool block, bool batch) {
        NearestOther trait;
        trait.wrong_block = block;
        trait.wrong_batch = batch;
        return verify(trait, Outputs{&NearestOther::nearest}, few);
    };
    CHECK(with(false, false).ok());
    CHECK(says(with(true, false), "walk", "visit_block"));
    CHECK(says(with(false, true), "device", "in device code"));
}

TEST_CASE("verify: what a program throws is a finding, and results must be of one shape") {
    auto const thrown = verify<3, float>(
        [](auto const& tree) {
            if (tree.size() > 1) throw Error("no more");
            return tree.size();
        },
        few);
    CHECK(says(thrown, "program", "no more: 2 points (uniform, seed 1), "));
    int runs = 0;
    auto const growing =
        verify<3, float>([&](auto const&) { return std::vector<int>(std::size_t(++runs)); }, few);
    CHECK(says(growing, "decide", "4 rows instead of 3 of 2 points"));
}
