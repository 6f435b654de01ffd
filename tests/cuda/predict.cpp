// Predictions of models on a GPU against those of CPU threads, bit by bit.
#include "zwalk/hdbscan/predict.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "cuda/context.hpp"
#include "cuda/large.hpp"
#include "knn/check.hpp"
#include "zwalk/hdbscan/membership.hpp"

using namespace test;

namespace {

template <class T>
void check_same(HdbscanPrediction<T> const& gpu, HdbscanPrediction<T> const& cpu) {
    CHECK(std::ranges::equal(gpu.labels, cpu.labels));
    CHECK(std::ranges::equal(gpu.probabilities, cpu.probabilities));
    CHECK(std::ranges::equal(gpu.outlier_scores, cpu.outlier_scores));
    CHECK(std::ranges::equal(gpu.neighbours, cpu.neighbours));
    CHECK(std::ranges::equal(gpu.distances, cpu.distances));
}

/// A model on a GPU, a copy of it from a file, and that on threads. Returns how many queries needed the walk.
template <int D, class T>
std::uint64_t check_models(Rows<D, T> const& rows, Rows<D, T> const& queries, HdbscanOptions const& o) {
    auto const found = hdbscan(rows, o);
    HdbscanModel<T> const model(view<D>(rows), found, o);
    auto const expected = predict(model, queries);
    CudaHdbscanModel<T> const there(view<D>(rows), found, o, on_gpu());
    auto const found_there = predict(there, queries);
    check_same(found_there, expected);
    std::stringstream file;
    there.write(file);
    CHECK(file.str() == [&] {
        std::ostringstream own;
        model.write(own);
        return own.str();
    }());
    check_same(predict(CudaHdbscanModel<T>::read(file, on_gpu()), queries), expected);
    CHECK(std::ranges::equal(membership_vectors(there, queries), membership_vectors(model, queries)));
    CHECK(
        std::ranges::equal(all_points_membership_vectors(there), all_points_membership_vectors(model)));
    std::uint64_t open = 0;
    for (auto const& [name, count] : found_there.stats.counts)
        if (std::string_view(name) == "open") open = count;
    return open;
}

}  // namespace

TEST_CASE("GPU predictions: those of the CPU") {
    std::size_t const n = std::min<std::size_t>(large(), 20000);
    auto const rows = make_points<3, float>("clustered", n, 5),
               queries = make_points<3, float>("clustered", n / 2, 6);
    // With points that lie alone, so that some queries have no neighbour that is as dense as they are.
    auto const check = [&]<class T>(T, std::vector<double> const& box) {
        auto all = in_box<3, T>("clustered", n, 1, 5);
        auto const more = in_box<3, T>("uniform", n, 1, 6);
        all.insert(all.end(), more.begin(), more.end());
        for (int const samples : {2, 4}) {
            HdbscanOptions const o{.min_cluster_size = 6, .min_samples = samples, .box = box};
            CHECK(check_models<3, T>(all, in_box<3, T>("uniform", n, 1, 7), o) > 0);
        }
    };
    check(0.F, {});
    check(0.F, {1, 0, 1});
    check(0., {});
    check(0., {1});
    for (std::size_t const few : {0, 1, 2, 50})
        check_models<3, float>(make_points<3, float>("uniform", few, 1), queries,
                               {.min_cluster_size = 3});
    check_models<3, float>(rows, {}, {.min_cluster_size = 10});
}

TEST_CASE("GPU predictions: points with weights") {
    std::size_t const n = std::min<std::size_t>(large(), 3000);
    auto const rows = make_points<3, float>("clustered", n, 5),
               queries = make_points<3, float>("clustered", n / 2, 6);
    std::vector<double> weights(n);
    for (std::size_t i = 0; i < n; ++i) weights[i] = .3 * double(1 + i % 7);
    check_models<3, float>(rows, queries, {.min_cluster_size = 5, .min_samples = 6, .weights = weights});
    auto const twice = make_points<3, double>("clustered", n / 3, 5);
    check_models<3, double>(twice, twice,
                            {.min_cluster_size = 5, .weights = std::span(weights).first(n / 3)});
}

TEST_CASE("GPU predictions: refusals") {
    auto const rows = make_points<3, float>("uniform", 50, 1);
    HdbscanOptions const o{.min_cluster_size = 5};
    CudaHdbscanModel<float> const model(view<3>(rows), hdbscan(rows, o), o, on_gpu());
    CHECK_THROWS_AS((void)predict(model, make_points<2, float>("uniform", 5, 1)), InputError);
    auto bad = rows;
    bad[7][1] = std::nanf("");
    CHECK_THROWS_WITH_AS((void)predict(model, bad),
                         "queries: row 7, column 1 is nan; coordinates must be finite", InputError);
}
