// Points with weights: as if each were there so often, and by definition.
#include "zwalk/hdbscan/weights.hpp"

#include <doctest/doctest.h>

#include <map>
#include <numeric>
#include <sstream>

#include "emst/brute.hpp"
#include "hdbscan/definition.hpp"
#include "hdbscan/weighted_forest.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/emst/given_cores.hpp"
#include "zwalk/hdbscan/model.hpp"
#include "zwalk/hdbscan/persistent_sizes.hpp"
#include "zwalk/hdbscan/predict.hpp"

using namespace test;

namespace {

/// Rows, each as often as its weight says, in an order of their own; and which of them each one is.
template <int D, class T>
std::pair<Rows<D, T>, std::vector<std::size_t>> repeated(Rows<D, T> const& rows,
                                                         std::vector<double> const& weights, Random& r) {
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (int k = 0; k < int(weights[i]); ++k) of.push_back(i);
    for (std::size_t i = of.size(); i > 1; --i) std::swap(of[i - 1], of[r.below(i)]);
    Rows<D, T> all;
    for (std::size_t const i : of) all.push_back(rows[i]);
    return {all, of};
}

/// Labels are the same but for the numbers of clusters.
void check_same_parts(std::vector<index_t> const& a, std::vector<index_t> const& b) {
    std::map<index_t, index_t> to{{-1, -1}}, from{{-1, -1}};
    for (std::size_t i = 0; i < a.size(); ++i) {
        CHECK(to.emplace(a[i], b[i]).first->second == b[i]);
        CHECK(from.emplace(b[i], a[i]).first->second == a[i]);
    }
}

/// Clusters of points with weights are those of the points that these stand for.
template <int D, class T>
void check_repeated(Rows<D, T> const& rows, HdbscanOptions o, std::uint64_t seed) {
    Random r(seed);
    auto const weights = integer_weights(rows.size(), r);
    auto const [all, of] = repeated<D>(rows, weights, r);
    auto const expected = hdbscan(view<D>(all), o);
    o.weights = weights;
    for (int const threads : {1, 3}) {
        auto const found = hdbscan(view<D>(rows), o, Cpu(threads));
        std::vector<index_t> labels, theirs;
        CHECK(found.clusters == expected.clusters);
        CHECK(found.condensed_tree.min_cluster_size == expected.condensed_tree.min_cluster_size);
        for (std::size_t k = 0; k < of.size(); ++k) {
            std::size_t const i = of[k];
            labels.push_back(found.labels[i]);
            theirs.push_back(expected.labels[k]);
            CHECK(found.probabilities[i] == expected.probabilities[k]);
            CHECK(found.outlier_scores[i] == expected.outlier_scores[k]);
            if (expected.core_distances.size() > 0 && rows.size() > 1)
                CHECK(found.core_distances[i] == expected.core_distances[k]);
        }
        check_same_parts(labels, theirs);
        auto sorted = [](std::vector<double> v) { return std::sort(v.begin(), v.end()), v; };
        auto const a = sorted(found.persistence), b = sorted(expected.persistence);
        for (std::size_t c = 0; c < a.size(); ++c) CHECK(a[c] == doctest::Approx(b[c]).epsilon(1e-9));
    }
}

template <class F>
void for_weighted(F const& f) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        std::size_t const levels[] = {0, 3, 12};
        for (bool const integer : {false, true})
            f(weighted_forest(2 + 3 * seed, levels[seed % 3], seed % 2, seed, integer));
    }
}

}  // namespace

TEST_CASE("weights: integers make the clusters of rows that are there so often") {
    for (char const* kind : {"uniform", "clustered", "normal"})
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            CAPTURE(kind);
            CAPTURE(seed);
            auto const rows = make_points<2, double>(kind, 150, seed);
            for (std::size_t const size : {2, 4, 9})
                for (int const samples : {1, 2, 5}) {
                    CAPTURE(size);
                    CAPTURE(samples);
                    HdbscanOptions o{.min_cluster_size = size, .min_samples = samples};
                    check_repeated<2>(rows, o, seed);
                    o.select = {.method = Selection::leaf, .epsilon = .02};
                    check_repeated<2>(rows, o, seed);
                    o.select = {.max_cluster_size = 40, .allow_single_cluster = true};
                    check_repeated<2>(rows, o, seed);
                    o.select = {.method = Selection::persistent};
                    check_repeated<2>(rows, o, seed);
                    o.select = {.persistence = 1};
                    check_repeated<2>(rows, o, seed);
                }
        }
}

TEST_CASE("weights: where many distances are equal, in other dimensions and precisions, in a box") {
    // Excess of mass may be equal there, and be rounded in another order.
    HdbscanOptions o{.min_cluster_size = 4, .min_samples = 5, .select = {.method = Selection::leaf}};
    for (char const* kind : {"grid", "lattice24", "sites40", "line", "outlier", "equal"}) {
        CAPTURE(kind);
        check_repeated<2>(make_points<2, double>(kind, 120, 3), o, 5);
        check_repeated<3>(make_points<3, float>(kind, 120, 3), o, 6);
    }
    check_repeated<8>(make_points<8, float>("clustered", 200, 3), o, 7);
    o.box = {1, 1, 1};
    check_repeated<3>(make_points<3, float>("uniform", 300, 3), o, 8);
    check_repeated<3>(make_points<3, double>("uniform", 300, 3), {.box = {1, 0, 1}}, 9);
    for (std::size_t n = 0; n < 5; ++n)
        check_repeated<2>(make_points<2, double>("uniform", n, n), {}, n);
}

TEST_CASE("weights: ones are none") {
    for (char const* kind : {"uniform", "grid", "lattice24", "clustered"}) {
        CAPTURE(kind);
        auto const rows = make_points<2, float>(kind, 300, 3);
        std::vector<double> const ones(rows.size(), 1.);
        HdbscanOptions o{.min_cluster_size = 4};
        auto const expected = hdbscan(view<2>(rows), o);
        o.weights = ones;
        auto const found = hdbscan(view<2>(rows), o);
        auto const table = found.linkage.table(), theirs = expected.linkage.table();
        CHECK(std::vector(table.begin(), table.end()) == std::vector(theirs.begin(), theirs.end()));
        CHECK(found.condensed_tree.parent == expected.condensed_tree.parent);
        CHECK(found.condensed_tree.child == expected.condensed_tree.child);
        CHECK(found.condensed_tree.lambda == expected.condensed_tree.lambda);
        CHECK(found.condensed_tree.child_size == expected.condensed_tree.child_size);
        CHECK(found.labels == expected.labels);
        CHECK(found.probabilities == expected.probabilities);
        CHECK(found.persistence == expected.persistence);
    }
}

TEST_CASE("weights: condensed trees by definition") {
    for_weighted([](Weighted const& w) {
        for (std::size_t const m : {2, 3, 7}) {
            CAPTURE(m);
            auto const tree = condense(w.linkage(), m);
            CHECK(as_defined(tree) == define_clusters(w.forest, m, w.weights));
            auto const members = members_of(tree);
            for (std::size_t c = 0; c < tree.clusters.size(); ++c) {
                CHECK(std::size_t(tree.clusters[c].size) == members[c].size());
                double weight = 0, stability = 0;
                for (std::size_t row = 0; row < tree.rows(); ++row) {
                    if (below(tree, tree.parent[row]) != c) continue;
                    weight += tree.child_weight[row];
                    double const birth = tree.clusters[c].birth;
                    if (tree.lambda[row] > birth)
                        stability += (tree.lambda[row] - birth) * tree.child_weight[row];
                }
                CHECK(weight == doctest::Approx(w.weights.of(members[c])));
                CHECK((stability == tree.clusters[c].stability ||
                       stability == doctest::Approx(tree.clusters[c].stability)));
            }
        }
    });
}

TEST_CASE("weights: leaf clusters of all sizes") {
    for_weighted([](Weighted const& w) {
        auto const l = w.linkage();
        auto const found = persistent_sizes(l, 2);
        double total = 0;
        for (double const each : w.weights.weight) total += each;
        std::size_t at = 0;
        for (std::size_t size = 2; double(size) < total + 2; ++size) {
            CAPTURE(size);
            if (at + 1 < found.sizes.size() && std::size_t(found.sizes[at + 1]) <= size) ++at;
            std::size_t leaves = 0;
            double sum = 0;
            for (LeafCluster const& c : found.leaves)
                if (c.is_leaf_at(size)) ++leaves, sum += c.persistence;
            CHECK(leaves == select_clusters(condense(l, size), {.method = Selection::leaf}).size());
            CHECK(sum == found.persistence[at]);
        }
        CHECK(found.persistence.back() == 0);
    });
}

TEST_CASE("weights: core distances and tree by brute force") {
    for (char const* kind : {"uniform", "clustered", "lattice24", "grid"})
        for (int const samples : {1, 3, 20, 1000}) {
            CAPTURE(kind);
            CAPTURE(samples);
            auto const rows = make_points<3, float>(kind, 300, 4);
            Random r(7);
            auto const weights = any_weights(rows.size(), r);
            InRange<float> const all(view<3>(rows));
            auto const z = z_order(all.first());
            std::vector<float> core2(rows.size());
            for (std::size_t i = 0; i < rows.size(); ++i) {
                std::vector<std::pair<float, double>> near;
                for (std::size_t j = 0; j < rows.size(); ++j)
                    near.emplace_back(all.distance2(z[i], z[j]), weights[z[j]]);
                std::sort(near.begin(), near.end());
                double sum = 0;
                std::size_t k = 0;
                while ((sum += near[k].second) < samples && k + 1 < near.size()) ++k;
                core2[i] = near[k].first;
            }
            auto const expected = prim_with(all, z, core2);
            Index<float> const index(view<3>(rows), {}, Cpu(3));
            auto const found = emst_with_weights(index, weights, samples);
            CHECK(std::vector(found.lengths.begin(), found.lengths.end()) == expected.lengths);
            for (std::size_t i = 0; i < rows.size(); ++i)
                CHECK(found.core_distances[z[i]] == all.distance(core2[i]));
            CHECK_NOTHROW(single_linkage(rows.size(), found));  // a tree
        }
}

TEST_CASE("weights: predictions are those of rows that are there so often; models are saved with them") {
    for (int const samples : {1, 4, 60}) {
        CAPTURE(samples);
        Random r(9);
        auto const rows = make_points<2, double>("clustered", 200, 4);
        // Also far from all points: there neighbours outside the core distance have small ones of their own.
        auto queries = make_points<2, double>("clustered", 300, 5);
        auto const far = make_points<2, double>("uniform", 3000, 6);
        queries.insert(queries.end(), far.begin(), far.end());
        auto const weights = integer_weights(rows.size(), r);
        auto const [all, of] = repeated<2>(rows, weights, r);
        HdbscanOptions o{.min_cluster_size = 6, .min_samples = samples};
        HdbscanModel<double> const often(view<2>(all), hdbscan(view<2>(all), o), o);
        auto const expected = predict(often, view<2>(queries));
        o.weights = weights;
        auto const found = hdbscan(view<2>(rows), o);
        HdbscanModel<double> const model(view<2>(rows), found, o);
        std::stringstream file;
        model.write(file);
        auto const loaded = HdbscanModel<double>::read(file);
        for (auto const* m : {&model, &loaded}) {
            auto const now = predict(*m, view<2>(queries));
            check_same_parts(std::vector(now.labels.begin(), now.labels.end()),
                             std::vector(expected.labels.begin(), expected.labels.end()));
            CHECK(now.probabilities == expected.probabilities);
            CHECK(now.outlier_scores == expected.outlier_scores);
            CHECK(now.distances == expected.distances);
            CHECK(predict(*m, view<2>(rows)).labels == found.labels);
        }
    }
}

TEST_CASE("weights: light points need more neighbours for a prediction") {
    Random r(3);
    auto const rows = make_points<2, float>("clustered", 150, 4),
               queries = make_points<2, float>("normal", 80, 5);
    for (double const light : {.05, .3}) {
        std::vector<double> weights(rows.size());
        for (double& w : weights) w = light * (.5 + r.uniform());
        HdbscanOptions const o{.min_cluster_size = 2, .min_samples = 3, .weights = weights};
        auto const found = hdbscan(view<2>(rows), o);
        HdbscanModel<float> const model(view<2>(rows), found, o);
        auto const now = predict(model, view<2>(queries));
        InRange<float> const all(view<2>(rows), view<2>(queries));
        for (std::size_t q = 0; q < queries.size(); ++q) {
            std::vector<std::pair<float, std::size_t>> near;
            for (std::size_t i = 0; i < rows.size(); ++i)
                near.emplace_back(all.distance(all.distance2(q, i)), i);
            std::sort(near.begin(), near.end());
            double sum = 0;
            std::size_t k = 0;
            while ((sum += weights[near[k].second]) < 3 && k + 1 < near.size()) ++k;
            float least = infinity<float>;
            for (auto const& [d, i] : near)
                least = std::min(least, std::max({d, near[k].first, found.core_distances[i]}));
            CHECK(now.distances[q] == least);
        }
    }
}

TEST_CASE("weights: what is refused") {
    auto const rows = make_points<2, double>("uniform", 20, 4);
    auto const points = view<2>(rows);
    std::vector<double> weights(20, 1.);
    auto const refused = [&](char const* said) {
        CHECK_THROWS_WITH_AS(hdbscan(points, {.weights = weights}), said, InputError);
    };
    for (auto const& [wrong, said] : {std::pair{0., "weight 3 is 0: it must be finite and > 0"},
                                      {-1., "weight 3 is -1: it must be finite and > 0"},
                                      {infinity<double>, "weight 3 is inf: it must be finite and > 0"},
                                      {std::nan(""), "weight 3 is nan: it must be finite and > 0"}}) {
        weights[3] = wrong;
        refused(said);
    }
    weights.assign(19, 1.);
    refused("there are 19 weights of 20 points");
    weights.assign(20, 2.);
    HdbscanOptions const o{.weights = weights};
    auto const found = hdbscan(points, o);
    char const* const other =
        "the clusters were found with weights: a model needs the options that they were found with";
    CHECK_THROWS_WITH_AS(HdbscanModel<double>(points, found, {}), other, InputError);
    CHECK_THROWS_AS(HdbscanModel<double>(points, hdbscan(points), o), InputError);
    Index<double> const index(points);
    CHECK_THROWS_AS(emst_with_weights(index, weights, 0), InputError);
    std::vector<double> cores(20, 1.);
    cores[2] = -1;
    CHECK_THROWS_AS(emst_with_cores<double>(index, cores), InputError);
    CHECK_THROWS_AS(with_weights(single_linkage(20, emst(points)), weights, cores), InputError);
    cores[2] = infinity<double>;
    CHECK_THROWS_AS(emst_with_cores<double>(index, cores), InputError);
    cores.pop_back();
    CHECK_THROWS_AS(emst_with_cores<double>(index, cores), InputError);
    CHECK_THROWS_AS(with_weights(single_linkage(20, emst(points)), weights, cores), InputError);
}
