// Which clusters are taken, and what is said of their points.
#include <doctest/doctest.h>

#include <cmath>

#include "hdbscan/definition.hpp"
#include "zwalk/core/error.hpp"

using namespace test;

namespace {

template <class F>
void for_trees(F const& f) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        std::size_t const levels[] = {0, 3, 12};
        auto const forest = random_forest(20 + 5 * seed, levels[seed % 3], seed % 2, seed);
        for (std::size_t const m : {2, 3, 8}) {
            CAPTURE(m);
            f(condense(forest.linkage(), m));
        }
    }
}

/// The largest total stability of clusters none of which is inside another, and not the root.
double best_total(CondensedTree const& t, std::size_t c, std::size_t max_size) {
    double inside = 0;
    for (std::size_t k = 1; k < t.clusters.size(); ++k)
        if (t.clusters[k].parent == index_t(c)) inside += best_total(t, k, max_size);
    bool const may = c > 0 && (max_size == 0 || std::size_t(t.clusters[c].size) <= max_size);
    return may ? std::max(inside, t.clusters[c].stability) : inside;
}

bool is_inside(CondensedTree const& t, std::size_t c, std::size_t outer) {
    for (index_t p = t.clusters[c].parent; p >= 0; p = t.clusters[std::size_t(p)].parent)
        if (std::size_t(p) == outer) return true;
    return false;
}

std::vector<std::size_t> taken(CondensedTree const& t, SelectionOptions const& o) {
    std::vector<std::size_t> out;
    for (index_t const id : select_clusters(t, o).ids) out.push_back(below(t, id));
    return out;
}

/// Two clumps of four, far apart, and a point between them: distances 1, 2, 3 inside, 10 and 20 between.
Forest two_clumps() {
    return {9, {0, 1, 4, 5, 1, 2, 5, 6, 2, 3, 6, 7, 3, 8, 8, 4}, {1, 1, 2, 2, 4, 4, 10, 20}};
}

std::vector<index_t> labels_of(Clusters const& c) { return {c.labels.begin(), c.labels.end()}; }

}  // namespace

TEST_CASE("selection: two clumps, by hand") {
    auto const tree = condense(two_clumps().linkage(), 4);
    auto const c = select_clusters(tree);
    // The clump that 8 is nearer to keeps it until 1/10.
    CHECK(labels_of(c) == std::vector<index_t>{1, 1, 1, 1, 0, 0, 0, 0, 1});
    CHECK(c.ids == std::vector<index_t>{10, 11});
    double const with_one = 5 * (1. / 10 - 1. / 20) + 4 * (1. / 4 - 1. / 10);
    CHECK(tree.clusters[1].stability == doctest::Approx(4 * (1. / 4 - 1. / 20)));
    CHECK(tree.clusters[2].stability == doctest::Approx(with_one));
    CHECK(c.persistence[1] == doctest::Approx(with_one / (5 * .25)));
    CHECK(c.probabilities[0] == 1);
    CHECK(c.probabilities[8] == doctest::Approx(.1 / .25));
    auto const scores = outlier_scores(tree);
    CHECK(scores[8] == doctest::Approx(1 - .1 / .25));
    CHECK(scores[5] == 0);
    // With smaller clusters allowed the clumps are still the most stable.
    CHECK(labels_of(select_clusters(condense(two_clumps().linkage(), 2))) == labels_of(c));
    // As one: all but the point that leaves before the root comes apart... which none does.
    auto const single = select_clusters(tree, {.epsilon = 21, .allow_single_cluster = true});
    CHECK(single.ids == std::vector<index_t>{9});
    CHECK(labels_of(single) == std::vector<index_t>(9, 0));
    CHECK(labels_of(select_clusters(tree, {.epsilon = 21})) == labels_of(c));
}

TEST_CASE("selection: excess of mass is the largest total stability") {
    for_trees([](CondensedTree const& t) {
        for (std::size_t const max_size : {0, 5, 25}) {
            auto const chosen = taken(t, {.max_cluster_size = max_size});
            double total = 0;
            for (std::size_t const c : chosen) {
                total += t.clusters[c].stability;
                CHECK(c > 0);
                CHECK((max_size == 0 || std::size_t(t.clusters[c].size) <= max_size));
                for (std::size_t const o : chosen) CHECK_FALSE(is_inside(t, c, o));
            }
            double const best = best_total(t, 0, max_size);
            CHECK((total == best || std::abs(total - best) <= 1e-12 * best));
        }
        auto const with_root = taken(t, {.allow_single_cluster = true});
        bool const root = with_root.size() == 1 && with_root[0] == 0;
        CHECK(root == (t.clusters[0].stability >= best_total(t, 0, 0)));
    });
}

TEST_CASE("selection: where a cluster and those inside it are equally stable, it is taken") {
    // Until 1/4 one, until 1/8 two: 8 points stay for 4 each time.
    Forest const f{
        8, {0, 1, 1, 2, 2, 3, 4, 5, 5, 6, 6, 7, 0, 7}, {.125, .125, .125, .125, .125, .125, .25}};
    auto const tree = condense(f.linkage(), 4);
    CHECK(select_clusters(tree, {.allow_single_cluster = true}).ids == std::vector<index_t>{8});
    CHECK(select_clusters(tree).ids == std::vector<index_t>{9, 10});

    // Not the root: from lambda 1 to 4 points 0 to 7 stay together, for 24; from 4 to 8 two times three of them do, for
    // 12 each. Points 8 to 10 are far from these.
    Forest inner{11,
                 {0, 1, 1, 2, 3, 4, 4, 5, 8, 9, 9, 10, 2, 3, 5, 6, 6, 7, 7, 8},
                 {.125, .125, .125, .125, .125, .125, .25, .25, .25, 1}};
    auto const equal = condense(inner.linkage(), 3);
    std::vector<double> stabilities;
    for (auto const& c : equal.clusters) stabilities.push_back(c.stability);
    CHECK(stabilities == std::vector<double>{11, 21, 24, 12, 12});
    CHECK(labels_of(select_clusters(equal)) == std::vector<index_t>{1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0});
    // However little more stable what is inside may be, it is taken then.
    inner.lengths[0] = inner.lengths[1] = .125 * (1 - 1e-15);
    auto const more = select_clusters(condense(inner.linkage(), 3));
    CHECK(more.size() == 3);
    CHECK(more.labels[7] == -1);
}

TEST_CASE("selection: distances so small that 1 / distance overflows") {
    Forest f = two_clumps();
    for (double& length : f.lengths) length *= 1e-310;
    auto const tree = condense(f.linkage(), 4);
    for (auto const& c : tree.clusters) CHECK_FALSE(std::isnan(c.stability));
    auto const c = select_clusters(tree);
    CHECK(labels_of(c) == std::vector<index_t>{1, 1, 1, 1, 0, 0, 0, 0, 1});
    for (double const p : c.probabilities) CHECK(p == 1);
    for (double const scale : {1e-310, 1e-308, 3e-308})
        for (bool const single : {false, true}) {
            Forest small = two_clumps();
            for (double& length : small.lengths) length *= scale;
            auto const found = select_clusters(condense(small.linkage(), 4),
                                               {.epsilon = 21 * scale, .allow_single_cluster = single});
            for (double const p : found.persistence) CHECK((p >= 0 && p <= 1));
        }
}

TEST_CASE("selection: leaves, and epsilon") {
    for_trees([](CondensedTree const& t) {
        auto const leaves = taken(t, {.method = Selection::leaf});
        for (std::size_t c = 1; c < t.clusters.size(); ++c) {
            bool const has_inside = std::any_of(t.clusters.begin(), t.clusters.end(),
                                                [&](auto const& k) { return k.parent == index_t(c); });
            CHECK(std::binary_search(leaves.begin(), leaves.end(), c) == !has_inside);
        }
        for (double const epsilon : {.3, .75, 1.})
            for (bool const single : {false, true})
                for (auto const method : {Selection::eom, Selection::leaf}) {
                    SelectionOptions o{.method = method, .allow_single_cluster = single};
                    auto const before = taken(t, o);
                    o.epsilon = epsilon;
                    auto const after = taken(t, o);
                    auto const big = [&](std::size_t c) {
                        return c == 0 || (t.clusters[c].parent == 0 && !single) ||
                               1 / t.clusters[c].birth >= epsilon;
                    };
                    for (std::size_t const c : after) {
                        CHECK(big(c));
                        CHECK(std::any_of(before.begin(), before.end(),
                                          [&](std::size_t b) { return b == c || is_inside(t, b, c); }));
                        for (std::size_t const k : after) CHECK_FALSE(is_inside(t, k, c));
                        for (std::size_t const b : before)  // no more than it takes
                            if (is_inside(t, b, c)) CHECK_FALSE(big(b));
                    }
                    for (std::size_t const b : before)
                        CHECK(std::any_of(after.begin(), after.end(),
                                          [&](std::size_t c) { return b == c || is_inside(t, b, c); }));
                }
    });
}

TEST_CASE("selection: labels, probabilities and scores follow from the tree") {
    for_trees([](CondensedTree const& t) {
        for (bool const single : {false, true}) {
            auto const c = select_clusters(t, {.allow_single_cluster = single});
            auto const scores = outlier_scores(t);
            auto const members = members_of(t);
            std::vector<double> densest(t.clusters.size());
            for (std::size_t k = 0; k < densest.size(); ++k)
                for (std::size_t i = 0; i < densest.size(); ++i)
                    if (i == k || is_inside(t, i, k))
                        densest[k] = std::max(densest[k], t.clusters[i].death);
            for (std::size_t r = 0; r < t.rows(); ++r) {
                if (std::size_t(t.child[r]) >= t.points) continue;
                auto const p = std::size_t(t.child[r]);
                double const lambda = t.lambda[r], most = densest[below(t, t.parent[r])];
                double const score = std::isinf(most) ? double(lambda < most) : 1 - lambda / most;
                CHECK(scores[p] == doctest::Approx(score));
                index_t label = -1;
                for (std::size_t k = 0; k < c.size(); ++k) {
                    std::size_t const cluster = below(t, c.ids[k]);
                    if (!std::binary_search(members[cluster].begin(), members[cluster].end(), p))
                        continue;
                    if (cluster > 0 || lambda >= t.clusters[0].death) label = index_t(k);
                }
                CHECK(c.labels[p] == label);
                if (label < 0) {
                    CHECK(c.probabilities[p] == 0);
                    continue;
                }
                double const death = t.clusters[below(t, c.ids[std::size_t(label)])].death;
                double const expected = std::isinf(lambda) ? 1 : std::min(lambda, death) / death;
                CHECK(c.probabilities[p] == doctest::Approx(expected));
            }
        }
    });
}

TEST_CASE("selection: persistence is a share, of the root too") {
    std::size_t roots = 0, with_noise = 0;
    for_trees([&](CondensedTree const& t) {
        for (bool const single : {false, true})
            for (auto const method : {Selection::eom, Selection::leaf})
                for (double const epsilon : {0., .3, 1., 5.}) {
                    auto const c = select_clusters(
                        t, {.method = method, .epsilon = epsilon, .allow_single_cluster = single});
                    for (double const p : c.persistence) CHECK((p >= 0 && p <= 1));
                    bool const root = c.size() == 1 && c.ids[0] == index_t(t.points);
                    roots += root;
                    with_noise += root && std::count(c.labels.begin(), c.labels.end(), -1) > 0;
                }
    });
    CHECK(with_noise > 50);
    CHECK(roots > with_noise);
    // By hand: points leave the root at lambda 1, 1, 1/2 and 1/4; those of 1 are labelled.
    Forest const chain{4, {0, 1, 1, 2, 2, 3}, {1, 2, 4}};
    auto const c = select_clusters(condense(chain.linkage(), 2), {.allow_single_cluster = true});
    CHECK(labels_of(c) == std::vector<index_t>{0, 0, -1, -1});
    CHECK(c.persistence == std::vector<double>{(1 + 1 + .5 + .25) / 4});
}

TEST_CASE("selection: the same bits on any number of threads, and never NaN") {
    Forest const f = random_forest(60000, 50, true, 3);
    auto const tree = condense(f.linkage(), 5);
    auto const one = select_clusters(tree, {}, Cpu(1));
    auto const some = select_clusters(tree, {}, Cpu(4));
    auto const scores = outlier_scores(tree, Cpu(1)), again = outlier_scores(tree, Cpu(4));
    for (std::size_t i = 0; i < f.points; ++i) {
        CHECK(one.labels[i] == some.labels[i]);
        CHECK(one.probabilities[i] == some.probabilities[i]);
        CHECK(scores[i] == again[i]);
        CHECK((one.probabilities[i] >= 0 && one.probabilities[i] <= 1));
        CHECK((scores[i] >= 0 && scores[i] <= 1));
    }
    CHECK(one.persistence == some.persistence);
}

TEST_CASE("selection: no points, one; fewer than a cluster; refusals") {
    for (std::size_t const n : {0, 1}) {
        auto const tree = condense(single_linkage<double>(n, {}, {}), 2);
        for (auto const method : {Selection::eom, Selection::leaf}) {
            auto const c =
                select_clusters(tree, {.method = method, .epsilon = 1, .allow_single_cluster = true});
            CHECK(c.size() == 0);
            CHECK(labels_of(c) == std::vector<index_t>(n, -1));
            for (double const p : c.probabilities) CHECK(p == 0);
        }
        for (double const s : outlier_scores(tree)) CHECK(s == 0);
    }
    auto const few = condense(two_clumps().linkage(), 10);
    for (auto const method : {Selection::eom, Selection::leaf})
        CHECK(select_clusters(few, {.method = method, .allow_single_cluster = true}).size() == 0);
    auto const one = condense(two_clumps().linkage(), 9);
    for (auto const method : {Selection::eom, Selection::leaf}) {
        CHECK(select_clusters(one, {.method = method}).size() == 0);
        CHECK(select_clusters(one, {.method = method, .allow_single_cluster = true}).size() == 1);
    }
    for (double const epsilon : {-1., lambda_of(0), std::nan("")})
        CHECK_THROWS_AS(select_clusters(few, {.epsilon = epsilon}), InputError);
}
