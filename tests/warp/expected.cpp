#include "warp/expected.hpp"

#include "zwalk/dbscan/dbscan.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/fof/fof.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/peaks/peaks.hpp"
#include "zwalk/radius/radius.hpp"

namespace test {
namespace {

template <int D, class T>
zwalk::Points<T> points(Rows<D, T> const& rows) {
    return {rows.empty() ? nullptr : rows.front().data(), rows.size(), D};
}
template <class V>
std::vector<V> copy_of(zwalk::Buffer<V> const& values) {
    return {values.begin(), values.end()};
}

}  // namespace

template <int D, class T>
ExpectedNeighbours<T> expected_neighbours(Rows<D, T> const& rows, Rows<D, T> const* queries,
                                          std::int64_t k, bool exclude_self,
                                          std::vector<double> const& box) {
    zwalk::KnnOptions const o{.k = k, .exclude_self = exclude_self, .box = box};
    auto const r =
        queries ? zwalk::knn(points<D>(rows), points<D>(*queries), o) : zwalk::knn(points<D>(rows), o);
    return {r.rows,
            r.columns,
            copy_of(r.indices),
            copy_of(r.distances),
            copy_of(r.row_order),
            copy_of(r.source_order)};
}

template <int D, class T>
ExpectedBalls<T> expected_balls(Rows<D, T> const& rows, double radius, bool exclude_self,
                                std::vector<double> const& box) {
    zwalk::RadiusOptions const o{.radius = radius, .exclude_self = exclude_self, .box = box};
    auto const r = zwalk::radius_search(points<D>(rows), o);
    return {copy_of(zwalk::radius_count(points<D>(rows), o).counts), copy_of(r.offsets),
            copy_of(r.indices), copy_of(r.distances)};
}

template <int D, class T>
ExpectedGroups expected_groups(Rows<D, T> const& rows, double linking_length,
                               std::vector<double> const& box) {
    auto const r = zwalk::fof(points<D>(rows), {.linking_length = linking_length, .box = box});
    return {copy_of(r.labels), copy_of(r.root), copy_of(r.z_order), r.groups};
}

template <int D, class T>
ExpectedClusters expected_clusters(Rows<D, T> const& rows, double epsilon, std::int64_t min_samples,
                                   std::vector<double> const& box) {
    auto const r =
        zwalk::dbscan(points<D>(rows), {.epsilon = epsilon, .min_samples = min_samples, .box = box});
    return {copy_of(r.labels), copy_of(r.core), r.clusters, r.noise};
}

template <int D, class T>
ExpectedGraph<T> expected_graph(Rows<D, T> const& rows, std::int64_t k, std::vector<double> const& box) {
    auto const r = zwalk::density_peaks(points<D>(rows), {.k = k, .box = box});
    return {copy_of(r.radius), copy_of(r.delta), copy_of(r.nearest_denser)};
}

template <int D, class T>
ExpectedTree<T> expected_tree(Rows<D, T> const& rows, int min_samples, std::vector<double> const& box) {
    auto const r = zwalk::emst(points<D>(rows), {.min_samples = min_samples, .box = box});
    return {copy_of(r.edges), copy_of(r.lengths), copy_of(r.core_distances)};
}

#define ZWALK_EXPECTED(D, T)                                                                   \
    template ExpectedNeighbours<T> expected_neighbours<D, T>(                                  \
        Rows<D, T> const&, Rows<D, T> const*, std::int64_t, bool, std::vector<double> const&); \
    template ExpectedGroups expected_groups<D, T>(Rows<D, T> const&, double,                   \
                                                  std::vector<double> const&);                 \
    template ExpectedClusters expected_clusters<D, T>(Rows<D, T> const&, double, std::int64_t, \
                                                      std::vector<double> const&);             \
    template ExpectedGraph<T> expected_graph<D, T>(Rows<D, T> const&, std::int64_t,            \
                                                   std::vector<double> const&);                \
    template ExpectedBalls<T> expected_balls<D, T>(Rows<D, T> const&, double, bool,            \
                                                   std::vector<double> const&);                \
    template ExpectedTree<T> expected_tree<D, T>(Rows<D, T> const&, int, std::vector<double> const&);
ZWALK_EXPECTED(3, float)
ZWALK_EXPECTED(2, double)

}  // namespace test
