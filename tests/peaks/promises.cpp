// What density peaks promise beside the answer: one answer, indices, orders, refusals, what it costs; and cuts.
#include <doctest/doctest.h>

#include <cmath>

#include "knn/check.hpp"
#include "peaks/brute.hpp"
#include "support/on_threads.hpp"
#include "support/places.hpp"
#include "zwalk/density/density.hpp"

using namespace test;

namespace {

template <class T>
bool same_result(PeaksResult<T> const& a, PeaksResult<T> const& b) {
    return a.radius == b.radius && a.delta == b.delta && a.nearest_denser == b.nearest_denser &&
           a.z_order == b.z_order;
}

/// `clusters` clouds of n points each around places on a circle, the later the more spread.
Rows<2, double> clouds(std::size_t clusters, std::size_t n) {
    auto const normal = make_points<2, double>("normal", clusters * n, 4);
    Rows<2, double> rows;
    for (std::size_t i = 0; i < normal.size(); ++i) {
        double const c = double(i % clusters), width = .5 * std::pow(4., c), angle = 2.1 * c;
        rows.push_back({normal[i][0] * width + 300 * std::cos(angle) * std::pow(2., c),
                        normal[i][1] * width + 300 * std::sin(angle) * std::pow(2., c)});
    }
    return rows;
}

template <class Result>
auto listed_graph(Result const& r) {
    return Graph<std::remove_cvref_t<decltype(r.radius[0])>>{listed(r.radius), listed(r.delta),
                                                             listed(r.nearest_denser)};
}

}  // namespace

TEST_CASE("density peaks: no bit depends on threads or on how the tree is cut") {
    auto const rows = make_points<3, float>("clustered", 30000, 1);
    PeaksOptions const o{.k = 9};
    auto const expected = density_peaks(rows, o, Cpu(1));
    for (int threads : {2, 5})
        for (pos_t leaf : {0, 1, 7, 300}) {
            auto other = o;
            other.tree = {.leaf_size = leaf, .coarsening = 3, .top_nodes = 20};
            CHECK(same_result(density_peaks(rows, other, Cpu(threads)), expected));
        }
}

TEST_CASE("density peaks: the radius is the distance to the k-th neighbour of kNN") {
    auto const rows = make_points<3, double>("clustered", 2000, 6);
    for (index_t k : {1, 8, 2000, 2001}) {
        auto const expected = knn_reduce(rows, Reduction::radius, {.k = k});
        CHECK(listed(density_peaks(rows, {.k = k}).radius) == listed(expected.values));
    }
}

TEST_CASE("density peaks: an index gives what a call with the points gives") {
    auto const rows = in_box<3, double>("clustered", 900, 1, 1);
    for (std::vector<double> const& box : {std::vector<double>{}, {1}, {1, 0, 1}}) {
        TreeOptions const tree{.leaf_size = 20};
        Index<double> const index(rows, {.box = box, .tree = tree}, Cpu(2));
        for (index_t k : {1, 4, 8, 1000}) {
            PeaksOptions const kept{.k = k}, alone{.k = k, .box = box, .tree = tree};
            CHECK(same_result(density_peaks(index, kept), density_peaks(rows, alone)));
        }
    }
}

TEST_CASE("density peaks: in z-order") {
    auto const rows = make_points<3, float>("clustered", 1500, 3);
    PeaksOptions o{.k = 6};
    auto const plain = density_peaks(rows, o);
    o.order = Order::z;
    auto const z = density_peaks(rows, o);
    REQUIRE(z.delta.size() == rows.size());
    CHECK(z.z_order == plain.z_order);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        auto const row = z.z_order[i];
        wrong += z.radius[i] != plain.radius[row] || z.delta[i] != plain.delta[row] ||
                 z.nearest_denser[i] != plain.nearest_denser[row];
    }
    CHECK(wrong == 0);
    CHECK(refusal_of([&] { (void)peaks_clusters(z, {.clusters = 2}); }).find("order of the input") !=
          std::string::npos);
}

TEST_CASE("density peaks: units that squares leave") {
    for (float unit : {1e-30f, 1.f, 1e30f}) {
        auto rows = make_points<3, float>("clustered", 500, 3);
        for (auto& row : rows)
            for (float& x : row) x *= unit;
        CHECK(peaks_right<3, float>(rows, {.k = 7}));
    }
}

TEST_CASE("density peaks: refusals") {
    auto const rows = make_points<3, float>("uniform", 50, 9);
    auto const says = [&](PeaksOptions const& o) {
        return refusal_of([&] { (void)density_peaks(rows, o); });
    };
    CHECK(says({.k = 0}) == "k must be at least 1, but is 0");
    CHECK(says({.k = -3}) == "k must be at least 1, but is -3");
    CHECK(says({.box = {.5}}).find("box") != std::string::npos);
    CHECK(says({.k = 50}) == "");
    Index<float> const index(rows, {.box = {1}});
    CHECK(refusal_of([&] { (void)density_peaks(index, {.box = {1}}); }) ==
          "an index has a box of its own: leave out that of the options");
}

TEST_CASE("density peaks: few points look far, also where all are equal") {
    auto const entries = [](Rows<3, float> const& rows, index_t k) {
        return count_of(density_peaks(rows, {.k = k}).stats, "node_entries");
    };
    std::size_t const n = 20000;
    auto const usual = entries(make_points<3, float>("uniform", n, 1), 10);
    CHECK(usual > 1000);
    for (std::string const kind : {"equal", "sites40", "clustered", "grid", "normal", "line"}) {
        CAPTURE(kind);
        CHECK(entries(make_points<3, float>(kind, n, 1), 10) < 2 * usual);
    }
}

TEST_CASE("density peaks: predicted memory") {
    auto const m = peaks_memory(1000000, 3, 4);
    CHECK(m.result == 20000000);
    CHECK(m.sort >= 16000000);
    CHECK(peaks_memory(1000000, 3, 8).build > m.build);
}

TEST_CASE("cuts of density peaks: those of the definition, on any number of threads") {
    for (auto const* kind : {"uniform", "clustered", "grid", "sites40", "equal"})
        for (std::size_t n : {0, 1, 2, 30, 2000}) {
            auto const r = density_peaks(make_points<2, float>(kind, n, 8), {.k = 6});
            auto const graph = listed_graph(r);
            for (index_t clusters : {0, 1, 2, 7, 5000})
                for (double min_delta : {0., .02, .3, infinity<double>})
                    for (double max_radius : {0., .01, .1, infinity<double>}) {
                        if (clusters == 0 && min_delta == 0) continue;
                        CAPTURE(kind);
                        CAPTURE(n);
                        CAPTURE(clusters);
                        CAPTURE(min_delta);
                        CAPTURE(max_radius);
                        PeaksCut const cut{clusters, min_delta, max_radius};
                        auto const [centres, labels] = brute_cut(graph, cut);
                        for (int threads : {1, 3}) {
                            auto const found = peaks_clusters(r, cut, Cpu(threads));
                            CHECK(found.centres == centres);
                            CHECK(listed(found.labels) == labels);
                        }
                    }
        }
}

TEST_CASE("cuts of density peaks: long chains, on several threads") {
    // Each point's nearest denser one is the one before it.
    std::size_t const n = 200000;
    Graph<double> graph;
    for (std::size_t i = 0; i < n; ++i) {
        graph.radius.push_back(double(i));
        graph.delta.push_back(i == 0 ? infinity<double> : i == n / 2 ? 5 : 1);
        graph.nearest_denser.push_back(index_t(i) - 1);
    }
    for (int threads : {1, 4}) {
        auto const r = peaks_clusters(graph, {.min_delta = 2}, Cpu(threads));
        CHECK(r.centres == std::vector<index_t>{0, index_t(n / 2)});
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < n; ++i) wrong += r.labels[i] != index_t(i >= n / 2);
        CHECK(wrong == 0);
    }
}

TEST_CASE(
    "cuts of density peaks: clouds of very different density are found, by number and by rectangle") {
    auto const rows = clouds(4, 500);
    auto const r = density_peaks(rows, {.k = 40});
    auto const by_number = peaks_clusters(r, {.clusters = 4});
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        wrong += by_number.labels[i] != by_number.labels[i % 4];
    CHECK(wrong <= 8);  // far tails of the widest
    CHECK(by_number.centres.size() == 4);
    auto const by_delta = peaks_clusters(r, {.min_delta = 150});
    CHECK(by_delta.centres == by_number.centres);
    CHECK(listed(by_delta.labels) == listed(by_number.labels));
    auto const dense = peaks_clusters(r, {.min_delta = 150, .max_radius = 1});
    CHECK(dense.centres.size() < 4);
}

TEST_CASE("cuts of density peaks: refusals") {
    auto const r = density_peaks(make_points<3, float>("uniform", 50, 9), {.k = 3});
    auto const says = [&](PeaksCut const& cut) {
        return refusal_of([&] { (void)peaks_clusters(r, cut); });
    };
    CHECK(says({}) == "say which points are centres: give a number of clusters, or min_delta > 0");
    CHECK(says({.clusters = -1}) == "clusters must be at least 0, but is -1");
    CHECK(says({.min_delta = -1}) == "min_delta must be at least 0, but is -1");
    CHECK(says({.min_delta = std::nan("")}) == "min_delta must be at least 0, but is nan");
    CHECK(says({.min_delta = 1, .max_radius = -2}) == "max_radius must be at least 0, but is -2");
    CHECK(says({.clusters = 1}) == "");
    auto const refuses = [&](auto const& change) {
        auto graph = listed_graph(r);
        change(graph);
        return refusal_of([&] { (void)peaks_clusters(graph, {.clusters = 2}); });
    };
    CHECK(refuses([](auto& g) { g.delta.pop_back(); }) ==
          "radius, delta and nearest_denser are those of 50, 49 and 50 points: they must be as many");
    CHECK(refuses([](auto& g) { g.nearest_denser[3] = 50; }) ==
          "nearest_denser of row 3 is 50: there is no such row");
    CHECK(refuses([](auto& g) {
              g.nearest_denser[3] = 3;
          }).starts_with("nearest_denser of row 3 is 3, which isn't denser"));
    // Points that nothing is denser than, and that aren't chosen, are in no cluster.
    auto two = listed_graph(r);
    for (auto& up : two.nearest_denser) up = -1;
    auto const alone = peaks_clusters(two, {.clusters = 1});
    CHECK(std::count(alone.labels.begin(), alone.labels.end(), -1) == 49);
}
