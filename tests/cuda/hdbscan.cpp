// Clusters with their tree from a GPU against CPU threads, bit by bit.
#include "zwalk/hdbscan/hdbscan.hpp"

#include <algorithm>

#include "cuda/context.hpp"
#include "cuda/large.hpp"
#include "hdbscan/same_condensed.hpp"
#include "hdbscan/src/cut.hpp"
#include "knn/check.hpp"
#include "support/ways.hpp"

using namespace test;

namespace {

template <class T>
void check_same(HdbscanResult<T> const& gpu, HdbscanResult<T> const& cpu) {
    CHECK(std::ranges::equal(gpu.labels, cpu.labels));
    CHECK(std::ranges::equal(gpu.probabilities, cpu.probabilities));
    CHECK(std::ranges::equal(gpu.outlier_scores, cpu.outlier_scores));
    CHECK(std::ranges::equal(gpu.core_distances, cpu.core_distances));
    CHECK(std::ranges::equal(gpu.linkage.table(), cpu.linkage.table()));
    test::check_same(gpu.condensed_tree, cpu.condensed_tree);
}

}  // namespace

TEST_CASE("GPU HDBSCAN: the clusters of the CPU") {
    auto const rows = make_points<2, double>("clustered", std::min<std::size_t>(large(), 20000), 5);
    HdbscanOptions const o{.min_cluster_size = 10, .min_samples = 4};
    auto const cpu = hdbscan(view<2>(rows), o);
    check_same(hdbscan(view<2>(rows), o, on_gpu()), cpu);
    check_same(hdbscan(view<2>(rows), o, on_gpu(), Cpu(1)), cpu);
    check_same(hdbscan(CudaIndex<double>(view<2>(rows), {}, on_gpu()), o), cpu);
}

TEST_CASE_TEMPLATE("GPU HDBSCAN: hierarchies made there, with ties and without", T, float, double) {
    HdbscanOptions const o{.min_cluster_size = 4};
    for (auto const* kind : {"uniform", "clustered", "grid", "equal", "line"})
        for (std::size_t const n : {std::size_t(2), std::min<std::size_t>(large(), 20000)}) {
            CAPTURE(kind);
            CAPTURE(n);
            auto const rows = make_points<3, T>(kind, n, 6);
            auto const cpu = hdbscan(view<3>(rows), o);
            AskedHierarchy const there(true);
            check_same(hdbscan(view<3>(rows), o, on_gpu()), cpu);
            check_same(hdbscan(CudaIndex<T>(view<3>(rows), {}, on_gpu()), o), cpu);
        }
    auto const one = make_points<3, T>("uniform", 1, 6);
    AskedHierarchy const there(true);
    check_same(hdbscan(view<3>(one), o, on_gpu()), hdbscan(view<3>(one), o));
}

TEST_CASE("GPU HDBSCAN: condensed trees without short splits, of a hierarchy made there") {
    auto const rows = make_points<3, float>("clustered", std::min<std::size_t>(large(), 5000), 7);
    auto const whole = hdbscan(view<3>(rows), {.min_cluster_size = 2});
    std::vector<double> lasting;
    for (auto const& c : whole.condensed_tree.clusters)
        if (c.leaf) lasting.push_back(c.death - c.birth);
    std::ranges::sort(lasting);
    HdbscanOptions const o{.min_cluster_size = 2,
                           .select = {.persistence = lasting[lasting.size() / 2]}};
    auto const cpu = hdbscan(view<3>(rows), o);
    CHECK(cpu.condensed_tree.clusters.size() < whole.condensed_tree.clusters.size());
    AskedHierarchy const there(true);
    check_same(hdbscan(view<3>(rows), o, on_gpu()), cpu);
}

TEST_CASE_TEMPLATE("GPU HDBSCAN: the hierarchy of a tree that is on the host, as ranks have it", T,
                   float, double) {
    auto const rows = make_points<3, T>("clustered", std::min<std::size_t>(large(), 5000), 8);
    HdbscanOptions const o{.min_cluster_size = 4};
    auto const cpu = hdbscan(view<3>(rows), o);
    auto const tree_of = [&] { return emst(view<3>(rows), detail::tree_options(rows.size(), o)); };
    for (bool const on_device : {true, false}) {
        AskedHierarchy const there(on_device);
        check_same(detail::cut<T>(rows.size(), tree_of(), o, on_gpu(), Cpu(1)), cpu);
    }
    AskedHierarchy const there(true);
    // A GPU is opened, so one that isn't there is refused.
    CHECK_THROWS_AS((void)detail::cut<T>(rows.size(), tree_of(), o, Cuda{.device = 100}, Cpu(1)),
                    InputError);
}

TEST_CASE("GPU HDBSCAN: points with weights") {
    auto const rows = make_points<3, float>("clustered", std::min<std::size_t>(large(), 5000), 5);
    std::vector<double> weights(rows.size());
    for (double const light : {.05, 1.}) {
        for (std::size_t i = 0; i < rows.size(); ++i) weights[i] = light * double(1 + i % 4);
        HdbscanOptions const o{.min_cluster_size = 10, .min_samples = 4, .weights = weights};
        auto const cpu = hdbscan(view<3>(rows), o);
        check_same(hdbscan(view<3>(rows), o, on_gpu()), cpu);
        check_same(hdbscan(CudaIndex<float>(view<3>(rows), {}, on_gpu()), o), cpu);
    }
    auto const few = make_points<3, double>("uniform", 1, 5);
    weights.resize(1);
    CHECK(hdbscan(view<3>(few), {.weights = weights}, on_gpu()).labels[0] == -1);
    CHECK_THROWS_AS((void)hdbscan(view<3>(rows), {.weights = weights}, on_gpu()), InputError);
    CHECK_THROWS_AS((void)hdbscan(CudaIndex<float>(view<3>(rows), {}, on_gpu()), {.weights = weights}),
                    InputError);
}

TEST_CASE("GPU HDBSCAN: refusals") {
    auto const rows = make_points<3, float>("uniform", 10, 1);
    CHECK_THROWS_AS((void)hdbscan(view<3>(rows), {.min_cluster_size = 1}, Cuda{}), InputError);
    CHECK_THROWS_AS((void)hdbscan(view<3>(rows), {.min_samples = -1}, Cuda{}), InputError);
}
