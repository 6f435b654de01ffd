// DBSCAN on a GPU against CPU threads, bit by bit.
#include "zwalk/dbscan/dbscan.hpp"

#include "cuda/context.hpp"
#include "cuda/large.hpp"
#include "fof/brute.hpp"
#include "knn/check.hpp"

using namespace test;

namespace {

bool same_result(DbscanResult<> const& a, DbscanResult<> const& b) {
    return a.labels == b.labels && a.core == b.core && a.z_order == b.z_order &&
           a.clusters == b.clusters && a.core_points == b.core_points && a.noise == b.noise;
}
template <int D, class T>
bool same_clusters(Rows<D, T> const& rows, DbscanOptions const& o, Cuda const& cuda = on_gpu()) {
    return same_result(dbscan(rows, o), dbscan(Points<T>(rows), o, cuda));
}

}  // namespace

TEST_CASE("GPU DBSCAN: every kind of points") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, std::min<std::size_t>(large(), 2000), 1);
        for (double epsilon : lengths_for<3>(rows, 1))
            for (index_t min_samples : {1, 5, 41}) {
                CAPTURE(epsilon);
                CAPTURE(min_samples);
                DbscanOptions o{.epsilon = epsilon, .min_samples = min_samples};
                CHECK(same_clusters<3, float>(rows, o));
                o.order = Order::z;
                CHECK(same_clusters<3, float>(rows, o));
            }
    }
}

TEST_CASE("GPU DBSCAN: larger sets, double, periodic, few points") {
    auto const rows = make_points<3, float>("clustered", large(), 3);
    double const epsilon = .3 / std::cbrt(double(large()));
    CHECK(same_clusters<3, float>(rows, {.epsilon = epsilon, .min_samples = 10}));
    CHECK(same_clusters<3, float>(rows, {.epsilon = epsilon}, {.memory = cuda_plain_memory()}));
    CHECK(same_clusters<3, double>(in_box<3, double>("uniform", large() / 2, 1, 4),
                                   {.epsilon = 3 * epsilon, .min_samples = 4, .box = {1, 0, 1}}));
    for (std::size_t n : {0, 1, 2, 48, 49, 65})
        CHECK(same_clusters<3, float>(make_points<3, float>("uniform", n, 1),
                                      {.epsilon = .2, .min_samples = 3}));
}

TEST_CASE("GPU DBSCAN: an index on the device") {
    auto const rows = in_box<3, double>("clustered", std::min<std::size_t>(large(), 5000), 1, 4);
    CudaIndex<double> const index(view<3>(rows), {.box = {1, 0, 1}}, on_gpu());
    auto const there = dbscan(index, {.epsilon = .02, .min_samples = 6});
    auto const here = dbscan(rows, {.epsilon = .02, .min_samples = 6, .box = {1, 0, 1}});
    CHECK(there.clusters == here.clusters);
    CHECK(there.core_points == here.core_points);
    CHECK(there.noise == here.noise);
}

TEST_CASE("GPU DBSCAN: refusals") {
    auto const rows = make_points<3, float>("uniform", 10, 1);
    Points<float> const points(rows);
    CHECK_THROWS_AS((void)dbscan(points, {.epsilon = -1}, Cuda{}), InputError);
    CHECK_THROWS_AS((void)dbscan(points, {}, Cuda{.device = 99}), InputError);
}
