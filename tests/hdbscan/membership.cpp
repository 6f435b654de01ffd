// Soft clusters, against their definition step by step. (python/tests/test_predict.py compares them with the hdbscan package.)
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "knn/check.hpp"
#include "support/brute_knn.hpp"
#include "zwalk/hdbscan/membership.hpp"

using namespace test;

namespace {

constexpr double tiny = 1e-8;

/// Of a point that leaves cluster `c` at `lambda`: where it meets another cluster, one step after the other.
double height(CondensedTree const& tree, std::size_t c, double lambda, std::size_t other) {
    std::size_t a = c, b = other;
    bool left = false, right = false;
    while (a != b) {  // clusters around others have smaller numbers
        bool const up = a > b;
        (up ? left : right) = true;
        std::size_t& further = up ? a : b;
        further = std::size_t(tree.clusters[further].parent);
    }
    return left && right ? tree.clusters[a].death : lambda;
}

/// One row, where no lambda is infinite.
template <class T>
std::vector<double> brute_membership(CondensedTree const& tree, std::vector<std::size_t> const& taken,
                                     std::vector<double> const& distances, std::size_t c, double lambda,
                                     bool own) {
    std::size_t const n = taken.size();
    double const death = tree.clusters[c].death;
    std::vector<double> result(n), outlier(n), heights(n);
    double near = 0, all = 0, sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        result[i] = distances[i] > 0 ? 1 / distances[i] : std::numeric_limits<double>::max() / double(n);
        near += result[i];
        heights[i] = height(tree, c, lambda, taken[i]);
        outlier[i] = own ? std::exp(-(death + tiny) / heights[i])
                         : death / (heights[i] < death ? death - heights[i] : tiny);
    }
    double const most = *std::max_element(outlier.begin(), outlier.end());
    for (double& o : outlier) all += o = std::exp(o - most);
    for (std::size_t i = 0; i < n; ++i) {
        double const d = result[i] / near, o = outlier[i] / all;
        sum += result[i] = own ? d * o : std::sqrt(d) * o * o;
    }
    auto const first = std::max_element(heights.begin(), heights.end()) - heights.begin();
    double const top = heights[std::size_t(first)],
                 end = std::max(lambda, tree.clusters[taken[std::size_t(first)]].death);
    for (double& r : result) r *= top / (own ? end : end + tiny) / sum;
    return result;
}

void check_rows(double const* row, std::vector<double> const& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(row[i] == doctest::Approx(expected[i]).epsilon(1e-9));
}

template <int D, class T>
void check_memberships(Rows<D, T> const& rows, Rows<D, T> const& queries, HdbscanOptions const& o) {
    auto const found = hdbscan(rows, o);
    auto const& tree = found.condensed_tree;
    HdbscanModel<T> const model(view<D>(rows), found, o, Cpu(3));
    REQUIRE(model.clusters() > 1);
    std::vector<std::size_t> taken, cluster(rows.size());
    std::vector<double> leaves(rows.size());
    for (index_t const id : found.ids) taken.push_back(std::size_t(id) - tree.points);
    for (std::size_t r = 0; r < tree.rows(); ++r)
        if (auto const p = std::size_t(tree.child[r]); p < tree.points)
            cluster[p] = std::size_t(tree.parent[r]) - tree.points, leaves[p] = tree.lambda[r];

    auto const of = exemplars(model);
    std::vector<std::vector<index_t>> expected(taken.size());
    for (std::size_t p = 0; p < rows.size(); ++p)
        if (tree.clusters[cluster[p]].leaf && leaves[p] == tree.clusters[cluster[p]].death)
            for (std::size_t i = 0; i < taken.size(); ++i)
                if (height(tree, cluster[p], -1, taken[i]) == -1 && cluster[p] >= taken[i])
                    expected[i].push_back(index_t(p));
    CHECK(of == expected);

    auto const nearest = [&](InRange<T> const& all, std::size_t i) {
        std::vector<double> d(taken.size(), infinity<double>);
        for (std::size_t c = 0; c < d.size(); ++c)
            for (index_t const p : of[c])
                d[c] = std::min(d[c], double(all.distance(all.distance2(i, std::size_t(p)))));
        return d;
    };
    auto const own = all_points_membership_vectors(model);
    InRange<T> const inside(view<D>(rows), o.box), outside(view<D>(rows), view<D>(queries), o.box);
    for (std::size_t i = 0; i < rows.size(); ++i)
        check_rows(own.data() + i * taken.size(),
                   brute_membership<T>(tree, taken, nearest(inside, i), cluster[i], leaves[i], true));
    auto const theirs = membership_vectors(model, queries);
    auto const joined = predict(model, queries);
    for (std::size_t i = 0; i < queries.size(); ++i) {
        auto const p = std::size_t(joined.neighbours[i]);
        double const lambda = std::min(1 / double(joined.distances[i]), leaves[p]);
        check_rows(theirs.data() + i * taken.size(),
                   brute_membership<T>(tree, taken, nearest(outside, i), cluster[p], lambda, false));
    }
    HdbscanModel<T> const again(view<D>(rows), found, o, Cpu(1));
    CHECK(listed(all_points_membership_vectors(again)) == listed(own));
    CHECK(listed(membership_vectors(again, queries)) == listed(theirs));
}

}  // namespace

TEST_CASE("memberships: as their definition has them, open and in a box") {
    for (auto const method : {Selection::eom, Selection::leaf}) {
        HdbscanOptions o{.min_cluster_size = 6, .select = {.method = method}};
        check_memberships<2, double>(make_points<2, double>("clustered", 300, 1),
                                     make_points<2, double>("clustered", 100, 2), o);
        check_memberships<3, float>(make_points<3, float>("uniform", 400, 3),
                                    make_points<3, float>("uniform", 100, 4), o);
        o.box = {1};
        check_memberships<3, double>(in_box<3, double>("uniform", 300, 1, 5),
                                     in_box<3, double>("uniform", 100, 1, 6), o);
    }
}
