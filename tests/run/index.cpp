// One index for every algorithm: the same bits as calls with the points.
#include "zwalk/run/index.hpp"

#include <filesystem>
#include <numeric>
#include <sstream>

#include "knn/check.hpp"
#include "support/on_threads.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/fof/fof.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"
#include "zwalk/knn/knn.hpp"

using namespace test;

namespace {

template <class A, class B>
bool same(A const& a, B const& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

template <class T>
void check_fof(FofResult<> const& r, Points<T> points, FofOptions const& o) {
    auto const expected = fof(points, o);
    CHECK(same(r.labels, expected.labels));
    CHECK(same(r.z_order, expected.z_order));
    CHECK(same(r.root, expected.root));
    CHECK(r.groups == expected.groups);
}
template <class T>
void check_emst(EmstResult<T> const& r, Points<T> points, EmstOptions const& o) {
    auto const expected = emst(points, o);
    CHECK(same(r.edges, expected.edges));
    CHECK(same(r.lengths, expected.lengths));
    CHECK(same(r.core_distances, expected.core_distances));
}
template <class T>
void check_hdbscan(HdbscanResult<T> const& r, Points<T> points, HdbscanOptions const& o) {
    auto const expected = hdbscan(points, o);
    CHECK(same(r.labels, expected.labels));
    CHECK(same(r.probabilities, expected.probabilities));
    CHECK(same(r.core_distances, expected.core_distances));
}

/// Asks all algorithms, twice: what one has taken the next one would miss.
template <int D, class T>
void check_index(Index<T> const& index, Rows<D, T> const& rows, std::vector<double> const& box,
                 double length) {
    auto const points = view<D>(rows);
    for (int times = 0; times < 2; ++times) {
        check_fof(fof(index, {.linking_length = length}), points,
                  {.linking_length = length, .box = box});
        for (int m : {1, 5})
            if (rows.size() >= 5)
                check_emst(emst(index, {.min_samples = m}), points, {.min_samples = m, .box = box});
        check_hdbscan(hdbscan(index, {.min_cluster_size = 4}), points,
                      {.min_cluster_size = 4, .box = box});
    }
    for (index_t k : {1, 7}) {
        CHECK(same_bits(knn(index, {.k = k}), knn(points, {.k = k, .box = box})));
        CHECK(same_bits(knn(index, rows, {.k = k}), knn(points, points, {.k = k, .box = box})));
    }
    CHECK(index.size() == rows.size());
}

}  // namespace

TEST_CASE("index: groups, spanning trees and clusters are those of the points") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 700, 3);
        Index<float> const index(view<3>(rows), {.tree = {.leaf_size = 11}});
        check_index<3, float>(index, rows, {}, .05);
    }
    for (std::size_t n : {0, 1, 2, 63, 64, 65}) {
        CAPTURE(n);
        auto const rows = make_points<3, double>("uniform", n, 4);
        check_index<3, double>(Index<double>(view<3>(rows)), rows, {}, .1);
    }
}

TEST_CASE("index: periodic and padded, kept in a file") {
    auto const rows = in_box<2, float>("uniform", 900, 1, 5);
    for (auto const& box : {std::vector<double>{1}, std::vector<double>{1, 0}}) {
        Index<float> const index(view<2>(rows), {.box = box}, Cpu(2));
        check_index<2, float>(index, rows, box, .02);
        std::stringstream file;
        index.write(file);
        auto const read = Index<float>::read(file);
        CHECK(read.box() == index.box());
        check_index<2, float>(read, rows, box, .02);
    }
}

TEST_CASE("index: many threads ask one at once") {
    auto const rows = make_points<3, float>("clustered", 3000, 6);
    Index<float> const index(view<3>(rows), {}, Cpu(1));
    auto const expected = fof(view<3>(rows), {.linking_length = .02});
    std::vector<int> right(4);
    on_threads(4, [&](pos_t t) {
        right[t] = same(fof(index, {.linking_length = .02}).labels, expected.labels);
    });
    CHECK(std::accumulate(right.begin(), right.end(), 0) == 4);
}

TEST_CASE("index: the place it is given, by name and in a file, is where it is asked") {
    auto const rows = make_points<3, float>("uniform", 100, 8);
    Index const index(rows, {}, Cpu(2, 1000));
    CHECK(index.place().threads() == 2);
    CHECK(index.place().memory_budget() == 1000);
    std::stringstream file;
    index.write(file);
    auto const read = Index<float>::read(file, Cpu(3, 500));
    CHECK(read.place().threads() == 3);
    CHECK(read.place().memory_budget() == 500);
    read.place() = Cpu(1, 7);
    CHECK(read.place().apart().threads() == 1);
    CHECK(read.place().apart().memory_budget() == 7);
    check_index<3, float>(read, rows, {}, .1);
    using There = decltype(Index(rows, {}, Cuda{}));
    CHECK(std::is_same_v<There, CudaIndex<float>>);
    CHECK(std::is_same_v<decltype(Index(view<3>(rows), {}, Cuda{})), CudaIndex<float>>);
}

TEST_CASE("index: refusals") {
    auto const rows = make_points<3, float>("uniform", 10, 7);
    Index<float> const index(view<3>(rows));
    CHECK_THROWS_WITH_AS((void)fof(index, {.linking_length = .1, .box = {1}}),
                         doctest::Contains("an index has a box of its own"), InputError);
    CHECK_THROWS_AS((void)fof(index, {.linking_length = -1}), InputError);
    CHECK_THROWS_WITH_AS((void)knn(index, {.box = {1}}), doctest::Contains("leave out"), InputError);
    CHECK_THROWS_WITH_AS((void)emst(index, {.min_samples = 0}), doctest::Contains("min_samples"),
                         InputError);
    if (!built_with_cuda())
        CHECK_THROWS_WITH_AS(CudaIndex<float>(view<3>(rows)), doctest::Contains("no CUDA"), InputError);
}
