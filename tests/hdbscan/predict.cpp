// Predictions for new points, against the definition over all pairs.
#include <doctest/doctest.h>

#include <cmath>
#include <string_view>
#include <tuple>

#include "hdbscan/definition.hpp"
#include "knn/check.hpp"
#include "support/brute_knn.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/hdbscan/predict.hpp"

using namespace test;

namespace {

template <class T>
struct Predicted {
    std::vector<index_t> labels;
    std::vector<double> probabilities, scores;
    std::vector<index_t> neighbours;
    std::vector<T> distances;
    bool operator==(Predicted const&) const = default;
};
template <class T>
Predicted<T> listed_prediction(HdbscanPrediction<T> const& p) {
    return {listed(p.labels), listed(p.probabilities), listed(p.outlier_scores), listed(p.neighbours),
            listed(p.distances)};
}

/// What becomes of a query that joins this point at this distance, told step by step from the rows of the condensed tree.
struct Told {
    index_t label = -1;
    double probability = 0, score = 1;
};
Told tell(HdbscanOptions const& o, CondensedTree const& tree, Clusters const& found, std::size_t point,
          double distance, bool is_copy) {
    std::size_t const row = std::size_t(std::find(tree.child.begin(), tree.child.end(), index_t(point)) -
                                        tree.child.begin());
    auto const cluster = [&](index_t id) -> CondensedCluster const& {
        return tree.clusters[std::size_t(id) - tree.points];
    };
    index_t const root = index_t(tree.points);
    double const lambda = lambda_of(distance), leaves = tree.lambda[row];
    index_t c = tree.parent[row];
    if (leaves > lambda)
        while (c != root && cluster(c).birth >= lambda) c = root + cluster(c).parent;
    Told told;
    for (index_t up = c;; up = root + cluster(up).parent) {
        auto const taken = std::find(found.ids.begin(), found.ids.end(), up);
        if (taken == found.ids.end() && up != root) continue;
        if (taken == found.ids.end()) break;
        double const least = up != root             ? 0
                             : o.select.epsilon > 0 ? 1 / o.select.epsilon
                                                    : cluster(up).death;
        if (std::min(lambda, leaves) < least) break;
        told.label = taken - found.ids.begin();
        double const death = cluster(up).death;
        bool const whole = death == 0 || std::isinf(lambda);
        told.probability = whole ? 1 : std::min(lambda, death) / death;
        break;
    }
    double largest = 0;
    double const own = is_copy ? leaves : lambda;
    for (std::size_t k = 0; k < tree.clusters.size(); ++k)
        for (index_t up = index_t(k); up >= 0; up = tree.clusters[std::size_t(up)].parent)
            if (root + up == tree.parent[row]) largest = std::max(largest, tree.clusters[k].death);
    told.score = largest == 0 || std::isinf(own) ? 0
                 : std::isinf(largest)           ? 1
                                                 : std::max(0., (largest - own) / largest);
    return told;
}

/// The definition, over all pairs.
template <class T>
Predicted<T> brute_predict(Points<T> points, Points<T> queries, HdbscanResult<T> const& found,
                           HdbscanOptions const& o) {
    InRange<T> const all(points, queries, o.box);
    auto const z = z_order(all.first());
    std::size_t const n = points.size,
                      wanted = o.min_samples > 0 ? std::size_t(o.min_samples) : o.min_cluster_size,
                      m = std::min(wanted, n);
    Predicted<T> r;
    for (std::size_t q = 0; q < queries.size; ++q) {
        std::vector<T> near;
        for (std::size_t p = 0; p < n; ++p) near.push_back(all.distance(all.distance2(q, p)));
        std::sort(near.begin(), near.end());
        std::tuple<T, T, index_t> best{infinity<T>, infinity<T>, -1};
        for (std::size_t const p : z) {
            T const core = found.core_distances.size() ? found.core_distances[p] : T(0),
                    d2 = all.distance2(q, p), reach = std::max({near[m - 1], core, all.distance(d2)});
            if (std::tie(reach, d2) < std::tie(std::get<0>(best), std::get<1>(best)))
                best = {reach, d2, index_t(p)};
        }
        auto const [reach, d2, p] = best;
        Told const told =
            found.condensed_tree.clusters.empty()
                ? Told{}
                : tell(o, found.condensed_tree, found, std::size_t(p), double(reach), near[0] == 0);
        r.labels.push_back(told.label);
        r.probabilities.push_back(told.probability);
        r.scores.push_back(told.score);
        r.neighbours.push_back(p);
        r.distances.push_back(reach);
    }
    return r;
}

/// Returns how many of the queries needed the walk.
template <int D, class T>
std::uint64_t check_prediction(Rows<D, T> const& rows, Rows<D, T> const& queries,
                               HdbscanOptions const& o) {
    auto const found = hdbscan(rows, o);
    auto const expected = brute_predict(view<D>(rows), view<D>(queries), found, o);
    std::uint64_t open = 0;
    for (int const threads : {1, 3}) {
        HdbscanModel<T> const model(view<D>(rows), found, o, Cpu(threads));
        auto const predicted = predict(model, queries);
        CHECK(listed_prediction(predicted) == expected);
        for (auto const& [name, count] : predicted.stats.counts)
            if (std::string_view(name) == "open") open = count;
    }
    return open;
}

/// Labels and scores of the points themselves are those that they have.
template <int D, class T>
void check_own(Rows<D, T> const& rows, HdbscanOptions const& o) {
    auto const found = hdbscan(rows, o);
    auto const own = predict(HdbscanModel<T>(view<D>(rows), found, o), rows);
    CHECK(listed(own.labels) == listed(found.labels));
    if (rows.size() > 1) CHECK(listed(own.outlier_scores) == listed(found.outlier_scores));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(own.probabilities[i] >= found.probabilities[i]);
        CHECK(own.distances[i] == (found.core_distances.size() ? found.core_distances[i] : T(0)));
    }
}

template <int D, class T>
std::uint64_t every_kind(std::size_t n) {
    if (D > ZWALK_MAX_DIM) return 0;
    std::uint64_t open = 0;
    for (auto const& kind : kinds()) {
        auto const rows = make_points<D, T>(kind, n, D);
        auto queries = make_points<D, T>(kind, n / 2, D + 1);
        queries.insert(queries.end(), rows.begin(), rows.begin() + std::ptrdiff_t(n / 3));
        for (int const samples : {0, 1, 2, 12}) {
            CAPTURE(D);
            CAPTURE(kind);
            CAPTURE(samples);
            HdbscanOptions o{.min_cluster_size = 5, .min_samples = samples, .tree = {.leaf_size = 8}};
            open += check_prediction<D, T>(rows, queries, o);
            check_own<D, T>(rows, o);
        }
    }
    return open;
}

}  // namespace

TEST_CASE("predictions: every kind of points, as the definition has them") {
    std::uint64_t open = every_kind<3, float>(150) + every_kind<3, double>(150);
    open += every_kind<1, double>(100) + every_kind<2, float>(120) + every_kind<8, double>(90);
    CHECK(open > 500);
}

TEST_CASE("predictions: in a box, on all axes and on some") {
    std::uint64_t open = 0;
    for (auto const* kind : {"uniform", "clustered", "sites40", "grid"})
        for (std::vector<double> const& box : {std::vector<double>{1}, {1, 0, 1}}) {
            CAPTURE(kind);
            CAPTURE(box.size());
            auto const rows = in_box<3, float>(kind, 200, 1, 3);
            auto const queries = in_box<3, float>(kind, 200, 1, 4);
            open += check_prediction<3, float>(rows, queries, {.min_cluster_size = 6, .box = box});
        }
    CHECK(open > 0);
}

TEST_CASE("predictions: selections, and where the root is taken") {
    auto const rows = make_points<2, double>("clustered", 200, 5);
    auto const queries = make_points<2, double>("clustered", 200, 6);
    for (auto const method : {Selection::eom, Selection::leaf})
        for (double const epsilon : {0., .02, .2, 5.})
            for (bool const single : {false, true}) {
                CAPTURE(epsilon);
                CAPTURE(single);
                SelectionOptions const select{
                    .method = method, .epsilon = epsilon, .allow_single_cluster = single};
                for (std::size_t const size : {4, 60, 150}) {
                    HdbscanOptions const o{.min_cluster_size = size, .min_samples = 4, .select = select};
                    check_prediction<2, double>(rows, queries, o);
                    check_own<2, double>(rows, o);
                }
            }
}

TEST_CASE("predictions: few points, no query, one by one") {
    for (std::size_t const n : {0, 1, 2, 4, 7}) {
        CAPTURE(n);
        auto const rows = make_points<3, float>("uniform", n, 1);
        for (std::size_t const m : {0, 1, 5}) {
            auto const queries = make_points<3, float>("uniform", m, 2);
            check_prediction<3, float>(rows, queries, {.min_cluster_size = 2, .min_samples = 3});
        }
        check_own<3, float>(rows, {.min_cluster_size = 2, .min_samples = 3});
    }
    auto const rows = make_points<3, float>("clustered", 3000, 7);
    auto const queries = make_points<3, float>("clustered", 600, 8);
    HdbscanModel<float> const model(view<3>(rows), hdbscan(rows, {.min_cluster_size = 9}),
                                    {.min_cluster_size = 9});
    auto const together = listed_prediction(predict(model, queries));
    for (std::size_t i = 0; i < queries.size(); i += 7) {
        auto const alone = predict(model, Rows<3, float>{queries[i]});
        CHECK(alone.labels[0] == together.labels[i]);
        CHECK(alone.probabilities[0] == together.probabilities[i]);
        CHECK(alone.neighbours[0] == together.neighbours[i]);
        CHECK(alone.distances[0] == together.distances[i]);
    }
}

TEST_CASE("predictions: ways up a tree are those step by step") {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        auto const forest = random_forest(40 + 20 * seed, seed % 3 ? 0 : 9, seed % 2, seed);
        auto const tree = condense(forest.linkage(), 2);
        auto const model = detail::model_tree(tree, select_clusters(tree), {}, Cpu(2));
        auto const up = [&](index_t c) { return tree.clusters[std::size_t(c)].parent; };
        auto const n = index_t(tree.clusters.size());
        for (index_t c = 0; c < n; ++c) {
            double const birth = tree.clusters[std::size_t(c)].birth;
            for (double const lambda : {0., .4, .5, .8, 1.7, 4., birth, infinity<double>}) {
                index_t at = c;
                while (at != 0 && tree.clusters[std::size_t(at)].birth >= lambda) at = up(at);
                REQUIRE(model.at(c, lambda) == at);
            }
            for (index_t a = c, b = c * 7 % n;; a > b ? a = up(a) : b = up(b)) {
                if (a != b) continue;  // of two clusters the one inside the other has the larger number
                REQUIRE(model.common(c, c * 7 % n) == a);
                break;
            }
        }
    }
}

TEST_CASE("predictions: what is refused") {
    auto const rows = make_points<3, float>("uniform", 50, 1);
    HdbscanOptions const o{.min_cluster_size = 5};
    auto const found = hdbscan(rows, o);
    HdbscanModel<float> const model(view<3>(rows), found, o);
    CHECK_THROWS_AS((void)predict(model, make_points<2, float>("uniform", 5, 1)), InputError);
    auto bad = rows;
    bad[7][1] = std::nanf("");
    CHECK_THROWS_WITH_AS((void)predict(model, bad),
                         "queries: row 7, column 1 is nan; coordinates must be finite", InputError);
    auto const more = make_points<3, float>("uniform", 51, 1);
    CHECK_THROWS_AS(HdbscanModel<float>(view<3>(more), found, o), InputError);
    CHECK_THROWS_AS(
        HdbscanModel<float>(Index<float>(view<3>(rows)), found, {.min_cluster_size = 5, .box = {2}}),
        InputError);
    HdbscanOptions const in_box{.min_cluster_size = 5, .box = {1}};
    HdbscanModel<float> const periodic(view<3>(rows), hdbscan(rows, in_box), in_box);
    CHECK_THROWS_AS((void)predict(periodic, Rows<3, float>{{3, 0, 0}}), InputError);
}
