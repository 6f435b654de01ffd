// hdbscan(): its steps on the right tree, whatever the points are like.
#include <doctest/doctest.h>

#include <map>
#include <numeric>

#include "cut.hpp"
#include "emst/brute.hpp"
#include "strip.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"

using namespace test;

namespace {

template <class B>
auto copy(B const& b) {
    return std::vector(b.begin(), b.end());
}

/// Everything that hdbscan() finds, by its steps on the tree of brute force.
template <int D, class T>
void check_steps(Rows<D, T> const& rows, HdbscanOptions const& o) {
    int const samples =
        o.min_samples > 0 ? o.min_samples : int(std::min(o.min_cluster_size, rows.size()));
    auto const tree = prim(view<D>(rows), samples, o.box);
    auto const linkage = single_linkage<T>(rows.size(), tree.edges, tree.lengths);
    auto const condensed = condense(linkage, o.min_cluster_size);
    auto const clusters = select_clusters(condensed, o.select);
    auto const scores = outlier_scores(condensed);
    for (int const threads : {1, 3}) {
        auto const r = hdbscan(view<D>(rows), o, Cpu(threads));
        CHECK(copy(r.linkage.table()) == copy(linkage.table()));
        CHECK(r.condensed_tree.parent == condensed.parent);
        CHECK(r.condensed_tree.child == condensed.child);
        CHECK(r.condensed_tree.lambda == condensed.lambda);
        CHECK(copy(r.labels) == copy(clusters.labels));
        CHECK(copy(r.probabilities) == copy(clusters.probabilities));
        CHECK(copy(r.outlier_scores) == copy(scores));
        CHECK(r.persistence == clusters.persistence);
        CHECK(copy(r.core_distances) == tree.core_distances);
        for (double const p : r.probabilities) CHECK((p >= 0 && p <= 1));
        for (double const s : r.outlier_scores) CHECK((s >= 0 && s <= 1));
    }
}

/// Labels with other numbers: in the order of the clusters' first points.
std::vector<index_t> renumbered(std::vector<index_t> labels) {
    std::map<index_t, index_t> number{{-1, -1}};
    for (index_t& l : labels) l = number.emplace(l, index_t(number.size()) - 1).first->second;
    return labels;
}

}  // namespace

TEST_CASE("HDBSCAN*: the steps on the tree of brute force, on hard points") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        auto const rows = make_points<3, double>(kind, 150, 5);
        check_steps<3, double>(rows, {.min_cluster_size = 5});
        check_steps<3, double>(
            rows, {.min_cluster_size = 3, .min_samples = 1, .select = {.method = Selection::leaf}});
        check_steps<3, float>(make_points<3, float>(kind, 150, 6),
                              {.min_cluster_size = 8, .min_samples = 3});
    }
    auto const rows = make_points<2, float>("uniform", 200, 7);
    check_steps<2, float>(rows, {.min_cluster_size = 5, .box = {1}});
}

TEST_CASE("HDBSCAN*: few points, copies, more asked for than there is") {
    for (std::size_t const n : {0, 1, 2, 4}) {
        auto const r = hdbscan(view<3>(make_points<3, float>("uniform", n, 1)), {.min_cluster_size = 5});
        CHECK(copy(r.labels) == std::vector<index_t>(n, -1));
        CHECK(r.linkage.merges.size() == (n > 0 ? n - 1 : 0));
        CHECK(r.outlier_scores.size() == n);
    }
    Rows<2, float> rows(100);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = {float(i % 2) * 9, 1};
    auto const two = hdbscan(Points(rows), {.min_cluster_size = 10});
    CHECK(two.size() == 2);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(two.labels[i] == two.labels[i % 2]);
        CHECK(two.probabilities[i] == 1);
        CHECK(two.outlier_scores[i] == 0);
    }
    CHECK(two.labels[0] != two.labels[1]);
    auto const equal = make_points<3, double>("equal", 1000, 1);
    CHECK(hdbscan(view<3>(equal)).size() == 0);
    CHECK(hdbscan(view<3>(equal), {.select = {.allow_single_cluster = true}}).size() == 1);
}

TEST_CASE("HDBSCAN*: points in another order have the same clusters") {
    for (auto const& kind : {"clustered", "uniform", "grid", "sites40"}) {
        CAPTURE(kind);
        auto const rows = make_points<2, double>(kind, 2000, 9);
        std::vector<std::size_t> order(rows.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        Random random(11);
        for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
        Rows<2, double> moved(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) moved[i] = rows[order[i]];
        HdbscanOptions const o{.min_cluster_size = 12, .min_samples = 4};
        auto const r = hdbscan(Points(rows), o), s = hdbscan(Points(moved), o);
        std::vector<index_t> back(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            back[order[i]] = s.labels[i];
            CHECK(r.probabilities[order[i]] == s.probabilities[i]);
            CHECK(r.outlier_scores[order[i]] == s.outlier_scores[i]);
        }
        CHECK(renumbered(copy(r.labels)) == renumbered(back));
    }
}

TEST_CASE("HDBSCAN*: one tree, cut many times") {
    auto const rows = make_points<2, float>("clustered", 3000, 4);
    auto const tree = emst(Points(rows), {.min_samples = 5});
    auto const linkage = single_linkage(rows.size(), tree);
    for (std::size_t const size : {5, 10, 50}) {
        auto const all = condense(linkage, size);
        auto const r = hdbscan(Points(rows), {.min_cluster_size = size, .min_samples = 5});
        CHECK(copy(select_clusters(all).labels) == copy(r.labels));
    }
}

TEST_CASE("HDBSCAN*: the memory for one event of all edges is counted") {
    std::uint64_t const n = 1000000,
                        each = sizeof(Merge) + 2 * sizeof(index_t) + sizeof(float) +  // rows, edges
                               2 * sizeof(pos_t) +                                    // clusters
                               2 * sizeof(detail::End) + sizeof(pos_t) + sizeof(detail::EventPart);
    for (std::size_t const size : {2, 5, 1000}) CHECK(detail::cluster_bytes(n, size, 0) >= each * n);
    CHECK(detail::cluster_bytes(n, 2, 0) > detail::cluster_bytes(n, 5, 0));
    CHECK(detail::cluster_bytes(n, 5, 10. * n) > detail::cluster_bytes(n, 5, 0));
}

TEST_CASE("HDBSCAN*: refusals, and phases that add up") {
    auto const rows = make_points<3, float>("uniform", 20000, 1);
    CHECK_THROWS_AS(hdbscan(Points(rows), {.min_cluster_size = 1}), InputError);
    CHECK_THROWS_AS(hdbscan(Points(rows), {.min_samples = -1}), InputError);
    CHECK_THROWS_AS(hdbscan(Points(rows), {.select = {.epsilon = -1}}), InputError);
    CHECK_THROWS_AS(hdbscan(Points(rows), {.box = {.5}}), InputError);
    double const start = now_seconds();
    auto const r = hdbscan(Points(rows));
    double const seconds = now_seconds() - start;
    double sum = 0;
    for (auto const& [name, value] : r.stats.seconds) sum += value;
    CHECK(sum <= seconds);
    CHECK(sum >= .6 * seconds);  // others may have a core meanwhile
}
