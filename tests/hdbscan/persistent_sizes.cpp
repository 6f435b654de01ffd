// Leaf clusters of all least sizes at once, against the condensed tree of each size.
#include "zwalk/hdbscan/persistent_sizes.hpp"

#include <doctest/doctest.h>

#include "hdbscan/definition.hpp"
#include "support/brute_knn.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"

using namespace test;

namespace {

/// The points of a cluster of the linkage.
Set points_below(Linkage const& l, index_t id) {
    Set out, open{id};
    while (!open.empty()) {
        index_t const c = open.back();
        open.pop_back();
        if (std::size_t(c) < l.points) {
            out.push_back(c);
            continue;
        }
        Merge const& m = l.merges[std::size_t(c) - l.points];
        open.push_back(index_t(m.left));
        open.push_back(index_t(m.right));
    }
    std::sort(out.begin(), out.end());
    return out;
}

/// The leaf clusters at one size by the condensed tree of that size, as sets of points.
std::set<Set> leaves_by_tree(Linkage const& l, std::size_t size) {
    auto const tree = condense(l, size);
    auto const members = members_of(tree);
    std::set<Set> out;
    for (index_t const id : select_clusters(tree, {.method = Selection::leaf}).ids)
        out.insert(members[below(tree, id)]);
    return out;
}

/// From which size on a set of points was a leaf cluster without a break, and until which, by looking at all sizes.
struct Lasting {
    std::size_t first, last;
};

template <class F>
void for_linkages(F const& f) {
    for_forests(40, 10, 4, [&](Forest const& forest) { f(forest.linkage()); });
}

std::vector<std::size_t> peaks_by_definition(std::vector<double> const& total, std::size_t least) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < total.size(); ++i) {
        std::size_t next = i;
        while (next < total.size() && total[next] == total[i]) ++next;
        bool const above =
            (i == 0 || total[i - 1] < total[i]) && next < total.size() && total[next] < total[i];
        if (above) out.push_back(least + i);
    }
    return out;
}

}  // namespace

TEST_CASE("persistent sizes: leaf clusters are those of the condensed tree of every size") {
    for_linkages([](Linkage const& l) {
        for (std::size_t const least : {2, 5}) {
            CAPTURE(least);
            auto const found = persistent_sizes(l, least);
            for (LeafCluster const& c : found.leaves) CHECK(c.above < c.last);
            std::map<Set, Lasting> lasting;
            std::vector<double> total(l.points + 2 - least, 0.);
            for (std::size_t size = least; size < l.points + 2; ++size) {
                CAPTURE(size);
                std::set<Set> leaves;
                for (LeafCluster const& c : found.leaves)
                    if (c.is_leaf_at(size)) leaves.insert(points_below(l, c.node));
                auto const expected = leaves_by_tree(l, size);
                CHECK(leaves == expected);
                for (Set const& s : expected)
                    lasting.emplace(s, Lasting{size, size}).first->second.last = size;
            }
            // A leaf from the least size on may have been one before: its interval begins there. Others begin after a split.
            for (auto const& [s, sizes] : lasting) {
                double const begin = double(sizes.first == least ? least : sizes.first - 1);
                for (std::size_t size = sizes.first; size <= sizes.last; ++size)
                    total[size - least] += double(sizes.last) - begin;
            }
            std::size_t at = 0;
            for (std::size_t size = least; size < l.points + 2; ++size) {
                if (at + 1 < found.sizes.size() && std::size_t(found.sizes[at + 1]) <= size) ++at;
                CHECK(found.persistence[at] == total[size - least]);
            }
            CHECK(std::size_t(found.sizes[0]) == least);
            CHECK(std::is_sorted(found.sizes.begin(), found.sizes.end()));
            CHECK(found.persistence.back() == 0);
            auto const most = std::max_element(total.begin(), total.end());
            CHECK(found.best() == least + std::size_t(most - total.begin()));
            CHECK(found.peaks() == peaks_by_definition(total, least));
        }
    });
}

TEST_CASE("persistent sizes: hdbscan() takes the leaves at the best size") {
    for (char const* kind : {"uniform", "clustered", "grid"}) {
        CAPTURE(kind);
        auto const rows = make_points<2, double>(kind, 400, 3);
        HdbscanOptions const o{.min_cluster_size = 3, .select = {.method = Selection::persistent}};
        auto const found = hdbscan(view<2>(rows), o);
        std::size_t const best = persistent_sizes(found.linkage, 3).best();
        CHECK(found.condensed_tree.min_cluster_size == best);
        auto const leaves = select_clusters(condense(found.linkage, best), {.method = Selection::leaf});
        CHECK(std::vector(found.labels.begin(), found.labels.end()) ==
              std::vector(leaves.labels.begin(), leaves.labels.end()));
        CHECK(found.ids == leaves.ids);
        // The core distances are those of the least size.
        auto const eom = hdbscan(view<2>(rows), {.min_cluster_size = 3});
        CHECK(std::vector(found.core_distances.begin(), found.core_distances.end()) ==
              std::vector(eom.core_distances.begin(), eom.core_distances.end()));
    }
}

TEST_CASE("persistent sizes: by hand") {
    // Three clumps of 3, 4 and 6 points; the first two are nearer to each other.
    Forest const f{13,
                   {0, 1, 1, 2, 3, 4, 4, 5, 5, 6, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 2, 3, 6, 7},
                   {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5, 20}};
    auto const found = persistent_sizes(f.linkage());
    CHECK(found.sizes == std::vector<index_t>{2, 4, 7});
    // The first two are leaves up to 3, then what they make is, up to 6, as is the third clump from 2 to 6.
    CHECK(found.persistence == std::vector<double>{1 + 1 + 4, 3 + 4, 0});
    CHECK(found.best() == 4);
    CHECK(found.peaks() == std::vector<std::size_t>{4});
    CHECK(persistent_sizes(f.linkage(), 7).best() == 7);
    CHECK(persistent_sizes(f.linkage(), 7).leaves.empty());
}

TEST_CASE("persistent sizes: few points, and what is refused") {
    for (std::size_t n = 0; n < 3; ++n) {
        auto const found = persistent_sizes(random_forest(n, 0, false, 1).linkage(), 4);
        CHECK(found.leaves.empty());
        CHECK(found.sizes == std::vector<index_t>{4});
        CHECK(found.best() == 4);
        CHECK(found.peaks().empty());
    }
    CHECK_THROWS_WITH_AS(persistent_sizes({}, 1), "min_cluster_size must be at least 2, but is 1",
                         InputError);
}
