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
    CHECK(says(with(Counting::counts_one_tree), "decide", "which MPI ranks number apart"));
    CHECK(with(Counting::only_descends).text().find("note: decide only ever descends, so") !=
          std::string::npos);
    CHECK(with(Counting::never_accepts).text().find("note: decide accepts no pair, so") !=
          std::string::npos);
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

TEST_CASE("verify finds mistakes: totals of targets") {
    auto const with = [](Crowds::Mistake mistake) {
        Crowds trait;
        trait.mistake = mistake;
        return verify(trait, Outputs{}, few);
    };
    CHECK(with(Crowds::none).ok());
    CHECK(says(with(Crowds::keeps_the_first), "combine", "isn't commutative"));
    CHECK(says(with(Crowds::begins_with_one), "combine", "with which walks begin"));
}

TEST_CASE("verify finds mistakes: a symmetric trait that writes to both points of a pair") {
    auto options = few;
    options.threads = 1;  // more of them would be a data race
    auto const strict = verify(BothEnds{}, Outputs{&BothEnds::force}, options);
    CHECK(says(strict, "walk", "sums of floats need .tolerance"));
    options.tolerance = 1e-3;
    CHECK(says(verify(BothEnds{}, Outputs{&BothEnds::force}, options), "pair",
               "pairs come in another order"));
    options.any_order = true;
    CHECK(verify(BothEnds{}, Outputs{&BothEnds::force}, options).ok());
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
    auto const right = with(Lightest::none);
    INFO(right.text());
    CHECK(right.ok());
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

TEST_CASE("verify finds mistakes: what only ranks, or other points as targets, would show") {
    auto const near = [](NearEnough::Mistake mistake, VerifyOptions const& options = few) {
        NearEnough trait;
        trait.enough = 1e-4f;
        trait.mistake = mistake;
        return verify(trait, Outputs{&NearEnough::nearest2}, options);
    };
    CHECK(near(NearEnough::none).ok());
    CHECK(says(near(NearEnough::reach_is_an_answer), "decide", "that enough is found is a state"));
    CHECK(says(near(NearEnough::horizon_too_near), "horizon", "leaves out sources that matter"));
    auto one_set = few;
    one_set.two_trees = false;  // each point is its own nearest
    CHECK(near(NearEnough::horizon_too_near, one_set).ok());

    auto const behind = [](Behind::Mistake mistake) {
        return verify<3, float>(
            [&](auto const& tree) {
                std::vector<Weight> weights;
                auto heavy = tree.template array<float>();
                for (pos_t i = 0; i < tree.size(); ++i) {
                    weights.push_back({float(i % 7)});
                    heavy.data()[i] = float(i % 7);
                }
                auto weight = tree.template array<float>();
                Behind trait;
                trait.mistake = mistake;
                trait.heavy = heavy.data();
                trait.weight = weight.data();
                tree.walk(trait, tree.payload(weights));
                return weight.in_input_order();
            },
            few);
    };
    CHECK(behind(Behind::none).ok());
    CHECK(says(behind(Behind::compares_nodes), "decide", "which MPI ranks number apart"));
    CHECK(says(behind(Behind::reads_by_position), "visit", "what is known of a source is its payload"));
}

TEST_CASE("verify finds mistakes: by how much, and how much there may be") {
    using zwalk::testing::difference;
    std::vector<double> const a{1, 2}, nearly{1, 2 + 1e-6}, other{1, 2.1};
    CHECK(difference(a, nearly, {}) ==
          "row 1 (by less than 1e-05 of it: sums of floats need .tolerance)");
    CHECK(difference(a, other, {}) == "row 1");
    CHECK(difference(1., 1 + 1e-15, {}) ==
          "the total (by less than 1e-13 of it: sums of floats need .tolerance)");
    CHECK_FALSE(difference(a, nearly, {.relative = 1e-6}));
    CHECK_FALSE(difference(a, other, {.absolute = .2}));
    CHECK(difference(a, other, {.absolute = .05}) == "row 1");
    CHECK(difference(std::vector<pos_t>{3, 4}, {4, 4}, {.shift = 1}) == std::nullopt);
    CHECK(difference(std::vector<pos_t>{3, 4}, {3, 6}, {.shift = 1}) == "row 1");
}

TEST_CASE("verify finds mistakes: with payloads of one's own") {
    Behind trait;
    std::size_t points = 0;
    auto const report = verify(trait, Outputs{&Behind::weight}, few,
                               [&](std::size_t row, std::array<float, 3> const& p) {
                                   ++points;
                                   return Weight{p[0] < 2 ? float(row % 3) : 0};
                               });
    CHECK(report.ok());
    CHECK(points > 1000);
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
