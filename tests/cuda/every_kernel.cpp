// Kernels of every type and space on a GPU, each at least once: the results of CPU threads. Which kernels ran, on PTX, is compared with those
// that there are (tests/ptx/coverage.py).
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cuda/context.hpp"
#include "cuda/large.hpp"
#include "gravity/direct.hpp"
#include "knn/check.hpp"
#include "pairs/brute.hpp"
#include "support/places.hpp"
#include "support/ways.hpp"
#include "zwalk/dbscan/dbscan.hpp"
#include "zwalk/density/density.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/fof/fof.hpp"
#include "zwalk/gravity/gravity.hpp"
#include "zwalk/pairs/pairs.hpp"
#include "zwalk/peaks/peaks.hpp"
#include "zwalk/radius/radius.hpp"

using namespace test;

namespace {

using Periods = std::vector<double>;

template <class A, class B>
bool equal(A const& a, B const& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}
template <class T>
bool same_trees(Rows<3, T> const& rows, EmstOptions const& o) {
    auto const cpu = emst(view<3>(rows), o), gpu = emst(view<3>(rows), o, on_gpu());
    return equal(gpu.edges, cpu.edges) && equal(gpu.lengths, cpu.lengths) &&
           equal(gpu.core_distances, cpu.core_distances);
}
template <class T>
bool same_groups(Rows<3, T> const& rows, FofOptions const& o) {
    return fof(view<3>(rows), o, on_gpu()).labels == fof(view<3>(rows), o).labels;
}
template <class T>
bool same_lists(Rows<3, T> const& rows, RadiusOptions const& o) {
    auto const cpu = radius_search(rows, o), gpu = radius_search(rows, o, on_gpu());
    return gpu.offsets == cpu.offsets && gpu.indices == cpu.indices && gpu.distances == cpu.distances &&
           radius_count(rows, o, on_gpu()).counts == radius_count(rows, o).counts;
}
template <class T>
bool same_counts(Rows<3, T> const& rows, PairOptions const& o) {
    auto const cpu = pair_counts(rows, o), gpu = pair_counts(rows, o, on_gpu());
    return gpu.counts == cpu.counts && gpu.weighted == cpu.weighted;
}

/// Points between 0 and 1, and what is asked of them: f(points, box), for open and periodic axes.
template <class T, class F>
void in_boxes(F const& f) {
    auto const rows = in_box<3, T>("clustered", std::min<std::size_t>(large(), 400), 1, 21);
    for (Periods const& box : {Periods{}, Periods{1, 1, 1}}) {
        CAPTURE(box.size());
        f(rows, box);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("GPU, every kernel: kNN with every fold in registers", T, float, double) {
    auto const queries = in_box<3, T>("uniform", 40, 1, 22);
    in_boxes<T>([&](auto const& rows, Periods const& box) {
        for (index_t k : {8, 16, 32, 100}) {
            CAPTURE(k);
            KnnOptions const o{.k = k, .box = box};
            CHECK(same_bits(knn(view<3>(rows), o, on_gpu()), knn(view<3>(rows), o)));
            for (bool descents : {false, true}) {
                CAPTURE(descents);
                AskedDescents const way(descents);
                CHECK(same_bits(knn(view<3>(rows), view<3>(queries), o, on_gpu()),
                                knn(view<3>(rows), view<3>(queries), o)));
            }
        }
    });
}

TEST_CASE_TEMPLATE("GPU, every kernel: more points with the same key than one block sorts", T, float,
                   double) {
    auto const rows = make_points<3, T>("outlier", 5000, 23);
    CHECK(same_groups<T>(rows, {.linking_length = .01}));
}

TEST_CASE_TEMPLATE("GPU, every kernel: densities", T, float, double) {
    in_boxes<T>([&](auto const& rows, Periods const& box) {
        for (Reduction what : {Reduction::radius, Reduction::density, Reduction::sph}) {
            KnnOptions const o{.k = 12, .box = box};
            CHECK(equal(knn_reduce(view<3>(rows), what, o, on_gpu()).values,
                        knn_reduce(view<3>(rows), what, o).values));
        }
    });
}

TEST_CASE_TEMPLATE("GPU, every kernel: EMST with every fold in registers", T, float, double) {
    in_boxes<T>([&](auto const& rows, Periods const& box) {
        for (int m : {1, 16, 32, 100}) {
            CAPTURE(m);
            CHECK(same_trees<T>(rows, {.min_samples = m, .box = box}));
        }
    });
}

TEST_CASE_TEMPLATE("GPU, every kernel: folds in memory, which more than 256 neighbours need", T, float,
                   double) {
    auto const rows = in_box<3, T>("clustered", 280, 1, 21);
    for (Periods const& box : {Periods{}, Periods{1, 1, 1}}) {
        CAPTURE(box.size());
        CHECK(same_bits(knn(view<3>(rows), {.k = 257, .box = box}, on_gpu()),
                        knn(view<3>(rows), {.k = 257, .box = box})));
        CHECK(same_trees<T>(rows, {.min_samples = 258, .box = box}));
    }
}

TEST_CASE_TEMPLATE("GPU, every kernel: groups, clusters, peaks", T, float, double) {
    in_boxes<T>([&](auto const& rows, Periods const& box) {
        CHECK(same_groups<T>(rows, {.linking_length = .05, .box = box}));
        DbscanOptions const near{.epsilon = .05, .min_samples = 6, .box = box};
        CHECK(dbscan(Points<T>(rows), near, on_gpu()).labels == dbscan(rows, near).labels);
        PeaksOptions const o{.k = 6, .box = box};
        auto const cpu = density_peaks(rows, o), gpu = density_peaks(Points<T>(rows), o, on_gpu());
        CHECK(gpu.delta == cpu.delta);
        CHECK(gpu.nearest_denser == cpu.nearest_denser);
    });
}

TEST_CASE_TEMPLATE("GPU, every kernel: lists within radii", T, float, double) {
    in_boxes<T>([&](auto const& rows, Periods const& box) {
        CHECK(same_lists<T>(rows, {.radius = .05, .box = box}));
        std::vector<double> radii(rows.size());
        for (std::size_t i = 0; i < radii.size(); ++i) radii[i] = .01 * double(i % 7);
        CHECK(same_lists<T>(rows, {.radii = radii, .box = box}));
    });
}

TEST_CASE_TEMPLATE("GPU, every kernel: long lists within radii, one or half of them", T, float, double) {
    auto const rows = in_box<3, T>("clustered", 600, 1, 23);
    std::vector<double> radii(rows.size(), .01);
    radii[7] = 2;
    CHECK(same_lists<T>(rows, {.radii = radii}));
    for (std::size_t i = 0; i < radii.size(); i += 2) radii[i] = 2;
    CHECK(same_lists<T>(rows, {.radii = radii}));
}

TEST_CASE_TEMPLATE("GPU, every kernel: pair counts", T, float, double) {
    in_boxes<T>([&](auto const& rows, Periods const& box) {
        auto const weights = some_weights(rows.size(), 1);
        for (bool weighted : {false, true}) {
            PairOptions o{.edges = {0, .01, .1, .3}, .box = box};
            if (weighted) o.weights = weights;
            CHECK(same_counts<T>(rows, o));
            o.bins = PairBins::rp_pi, o.los_edges = {0, .1, .3};
            CHECK(same_counts<T>(rows, o));
        }
    });
}

TEST_CASE_TEMPLATE("GPU, every kernel: coordinates of any size", T, float, double) {
    auto const n = std::min<std::size_t>(large(), 300);
    auto const rows = make_points<3, T>("huge", n, 24);
    auto const queries = make_points<3, T>("huge", 40, 25);
    auto const expected = knn(view<3>(rows), view<3>(queries), {.k = 5});
    CHECK(same_bits(knn(view<3>(rows), view<3>(queries), {.k = 5}, on_gpu()), expected));
    CudaIndex<T> const index(view<3>(rows), {}, on_gpu());
    CHECK(same_bits(knn(index, queries, {.k = 5}), knn(Index<T>(view<3>(rows)), queries, {.k = 5})));

    // A power of two longer, so accelerations are two powers weaker.
    int const exponent = std::is_same_v<T, float> ? 45 : 340;
    auto const near = in_box<3, T>("uniform", n, 1, 26);
    auto far = near;
    for (auto& p : far)
        for (T& x : p) x = std::ldexp(x, exponent);
    auto const masses = some_masses(n);
    auto const pulled = gravity(near, {.masses = masses}, on_gpu()),
               weakly = gravity(far, {.masses = masses}, on_gpu());
    for (std::size_t i = 0; i < 3 * n; ++i)
        REQUIRE(weakly.accelerations[i] == std::ldexp(pulled.accelerations[i], -2 * exponent));
}

TEST_CASE_TEMPLATE("GPU, every kernel: sorts of more than one block", T, float, double) {
    CHECK(same_groups<T>(make_points<3, T>("equal", 6000, 27), {.linking_length = .1}));
    CHECK(same_trees<T>(make_points<3, T>("clustered", 2000, 28), {}));
}

TEST_CASE("GPU, every kernel: walks in pieces, since memory is short") {
    auto const rows = make_points<3, float>("uniform", 1500, 29);
    RadiusOptions const o{.radius = .1};
    CHECK(radius_count(rows, o, on_gpu(nullptr, 1 << 12)).counts == radius_count(rows, o).counts);
}
