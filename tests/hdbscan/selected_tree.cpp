// The tree that clusters are selected from, and which of its clusters may be taken.
#include <doctest/doctest.h>

#include "hdbscan/definition.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/hdbscan/persistent_sizes.hpp"

using namespace test;

namespace {

/// A condensed tree by its rows.
struct Row {
    index_t parent, child;
    double lambda;
    index_t size;
};
CondensedTree tree_of(std::size_t points, std::vector<Row> const& rows) {
    CondensedTree t;
    t.points = points;
    t.min_cluster_size = 2;
    t.clusters.push_back({-1, index_t(points), 0});
    for (Row const& r : rows)
        if (std::size_t(r.child) >= points) {
            t.clusters[below(t, r.parent)].leaf = false;
            t.clusters.push_back({r.parent - index_t(points), r.size, r.lambda});
        }
    for (Row const& r : rows) {
        t.parent.push_back(r.parent);
        t.child.push_back(r.child);
        t.lambda.push_back(r.lambda);
        t.child_size.push_back(r.size);
        auto& c = t.clusters[below(t, r.parent)];
        c.death = std::max(c.death, r.lambda);
        if (r.lambda > c.birth) c.stability += (r.lambda - c.birth) * double(r.size);
    }
    return t;
}

std::vector<index_t> sizes(CondensedTree const& t) {
    std::vector<index_t> out;
    for (auto const& c : t.clusters) out.push_back(c.size);
    return out;
}

/// The longest that anything inside a cluster lasts.
double densest(CondensedTree const& t, std::size_t c) {
    double most = t.clusters[c].death;
    for (std::size_t k = 1; k < t.clusters.size(); ++k)
        if (t.clusters[k].parent == index_t(c)) most = std::max(most, densest(t, k));
    return most;
}

template <class F>
void for_linkages(F const& f) {
    for_forests(60, 20, 5, [&](Forest const& forest) { f(forest.linkage()); });
}

}  // namespace

TEST_CASE("selected tree: short splits are undone, by hand") {
    // Twelve points: at 1 six and six come apart, at 2 one of these six into three and three, which leave at 3.
    std::vector<Row> rows{{12, 13, 1, 6}, {12, 14, 1, 6}, {13, 15, 2, 3}, {13, 16, 2, 3}};
    for (index_t p = 0; p < 6; ++p) rows.push_back({14, p, 2, 1});
    for (index_t p = 0; p < 6; ++p) rows.push_back({15 + p % 2, 6 + p, 3, 1});
    auto const tree = tree_of(12, rows);
    CHECK(sizes(without_short_splits(tree, 1)) == std::vector<index_t>{12, 6, 6, 3, 3});
    // Three and three last for 1 each, so that their split is undone; so is the first one, since the other six last for 1.
    auto const whole = without_short_splits(tree, 1.1);
    CHECK(sizes(whole) == std::vector<index_t>{12});
    CHECK(whole.rows() == 12);
    CHECK(whole.clusters[0].leaf);
    CHECK(whole.clusters[0].death == 3);
    CHECK(whole.clusters[0].stability == 6 * 2 + 6 * 3);
    CHECK_THROWS_AS(without_short_splits(tree, -1), InputError);
}

TEST_CASE(
    "selected tree: points of the part that doesn't last leave at the split, if the other one splits "
    "later") {
    // Ten points: at 1 four, of which all leave at 1.5, and six, of which three and three part at 2 and leave at 9.
    std::vector<Row> rows{{10, 11, 1, 4}, {10, 12, 1, 6}, {12, 13, 2, 3}, {12, 14, 2, 3}};
    for (index_t p = 0; p < 4; ++p) rows.push_back({11, p, 1.5, 1});
    for (index_t p = 0; p < 6; ++p) rows.push_back({13 + p % 2, 4 + p, 9, 1});
    auto const t = without_short_splits(tree_of(10, rows), 3);
    CHECK(sizes(t) == std::vector<index_t>{10, 3, 3});
    for (std::size_t r = 0; r < t.rows(); ++r)
        if (t.child[r] < 4) {
            CHECK(t.parent[r] == 10);
            CHECK(t.lambda[r] == 1);
        }
    CHECK(t.clusters[0].death == 2);
    CHECK(t.clusters[1].birth == 2);
    CHECK(t.clusters[2].death == 9);
}

TEST_CASE("selected tree: clusters that part at distance 0, which other programs' trees have") {
    double const inf = infinity<double>;
    std::vector<Row> rows{{6, 7, inf, 3}, {6, 8, inf, 3}};
    for (index_t p = 0; p < 6; ++p) rows.push_back({7 + p / 3, p, inf, 1});
    auto const t = without_short_splits(tree_of(6, rows), .1);
    CHECK(sizes(t) == std::vector<index_t>{6});
    for (auto const& c : t.clusters) CHECK_FALSE(std::isnan(c.stability));
}

TEST_CASE("selected tree: what is left lasts, and has the same points") {
    std::size_t undone = 0;
    for_linkages([&](Linkage const& l) {
        for (std::size_t const m : {2, 5})
            for (double const persistence : {.2, 1., 5.}) {
                auto const tree = condense(l, m), t = condense(l, m, {.persistence = persistence});
                undone += tree.clusters.size() - t.clusters.size();
                for (std::size_t c = 1; c < t.clusters.size(); ++c) {
                    auto const& own = t.clusters[c];
                    CHECK(densest(t, c) - own.birth >= persistence);
                    CHECK(own.birth == t.clusters[std::size_t(own.parent)].death);
                }
                // Every cluster is one of before, with all its points.
                auto const before = members_of(tree), after = members_of(t);
                for (std::size_t c = 0; c < after.size(); ++c) {
                    CHECK(std::count(before.begin(), before.end(), after[c]) > 0);
                    CHECK(after[c].size() == std::size_t(t.clusters[c].size));
                }
                for (std::size_t r = 0; r < t.rows(); ++r) {
                    auto const& c = t.clusters[below(t, t.parent[r])];
                    CHECK(t.lambda[r] <= c.death);
                    CHECK(t.lambda[r] >= c.birth);
                }
            }
        CHECK(condense(l, 3, {}).lambda == condense(l, 3).lambda);
    });
    CHECK(undone > 1000);
}

TEST_CASE("selected tree: eom takes no cluster that parts further away than epsilon_max") {
    std::size_t fewer = 0;
    for_linkages([&](Linkage const& l) {
        auto const t = condense(l, 3);
        for (double const most : {.3, .5, .9, 2.}) {
            auto const found = select_clusters(t, {.epsilon_max = most});
            for (index_t const id : found.ids) CHECK(1 / t.clusters[below(t, id)].birth <= most);
            // The same as where all that are born further away are too large to be stable.
            CondensedTree other = t;
            for (std::size_t c = 1; c < other.clusters.size(); ++c)
                if (1 / other.clusters[c].birth > most) other.clusters[c].stability = -1;
            CHECK(found.ids == select_clusters(other).ids);
            fewer += found.ids != select_clusters(t).ids;
            double const far = l.merges[l.merges.size() - 1].distance;
            for (double const limit : {far, std::nextafter(far, 0)}) {
                SelectionOptions const o{.allow_single_cluster = true, .epsilon_max = limit};
                auto const with_root = select_clusters(t, o);
                bool const root = !with_root.ids.empty() && below(t, with_root.ids[0]) == 0;
                if (limit < far) CHECK_FALSE(root);
                else CHECK(with_root.ids == select_clusters(t, {.allow_single_cluster = true}).ids);
            }
        }
        CHECK_THROWS_AS(select_clusters(t, {.epsilon = 2, .epsilon_max = 1}), InputError);
    });
    CHECK(fewer > 20);
}
