// Whether two condensed trees have the same bits.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>

#include "zwalk/hdbscan/condensed_tree.hpp"

namespace test {

inline bool same_clusters(zwalk::CondensedTree const& a, zwalk::CondensedTree const& b) {
    using Cluster = zwalk::CondensedCluster;
    return std::equal(a.clusters.begin(), a.clusters.end(), b.clusters.begin(), b.clusters.end(),
                      [](Cluster const& x, Cluster const& y) {
                          return x.parent == y.parent && x.size == y.size && x.birth == y.birth &&
                                 x.death == y.death && x.stability == y.stability && x.leaf == y.leaf;
                      });
}
inline void check_same(zwalk::CondensedTree const& found, zwalk::CondensedTree const& expected) {
    CHECK(found.points == expected.points);
    CHECK(found.min_cluster_size == expected.min_cluster_size);
    CHECK(found.parent == expected.parent);
    CHECK(found.child == expected.child);
    CHECK(found.lambda == expected.lambda);
    CHECK(found.child_size == expected.child_size);
    CHECK(same_clusters(found, expected));
}

}  // namespace test
