// Wrong arguments of an algorithm's public function. As traits.cpp.
#include <array>
#include <vector>

#include "zwalk/density/density.hpp"
#include "zwalk/fof/fof.hpp"
#include "zwalk/gravity/gravity.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"
#include "zwalk/knn/knn_in_batches.hpp"
#include "zwalk/pairs/pairs.hpp"
#include "zwalk/peaks/peaks.hpp"
#include "zwalk/radius/radius.hpp"

using namespace zwalk;

int main() {
    std::vector<std::array<float, 3>> const rows(10);
    std::vector<float> const flat(30);
    FofOptions const o{.linking_length = .1};
#if defined(CASE_no_points)
    (void)fof(3, o);
#elif defined(CASE_flat)
    (void)fof(flat, o);
#elif defined(CASE_ints)
    (void)fof(std::vector<std::array<int, 3>>(10), o);
#elif defined(CASE_where)
    (void)fof(rows, o, 4);
#elif defined(CASE_order)
    (void)fof(rows, o, Cpu(), Cuda{});
#elif defined(CASE_index_place)
    Index<float> const index(rows);
    (void)fof(index, o, Cpu(4));
#elif defined(CASE_device_points)
    (void)fof(DevicePoints<float>(flat.data(), 10, 3), o);
#elif defined(CASE_gravity_index)
    (void)gravity(Index<float>(rows), GravityOptions{});
#elif defined(CASE_precision)
    std::vector<std::array<double, 3>> const doubles(10);
    (void)radius_count(rows, doubles, RadiusOptions{.radius = 1});
#elif defined(CASE_second_last)
    (void)pair_counts(rows, PairOptions{.edges = {0, 1}}, rows);
#elif defined(CASE_second_device)
    (void)pair_counts(DevicePoints<float>(flat.data(), 10, 3), rows, PairOptions{}, Cuda{});
#elif defined(CASE_visit_cuda)
    (void)radius_visit(
        rows, [](index_t, auto const&) {}, RadiusOptions{.radius = 1}, Cuda{});
#elif defined(CASE_neighbours_precision)
    std::vector<std::array<double, 3>> const doubles(10);
    (void)knn(rows, doubles);
#elif defined(CASE_knn_place)
    (void)knn(rows, rows, KnnOptions{}, Cpu(1), Cpu(1));
#elif defined(CASE_knn_no_options)
    (void)knn(rows, 5);
#elif defined(CASE_knn_visit_cuda)
    (void)knn_visit(
        rows, [](index_t, auto const&) {}, {.k = 4}, Cuda{});
#elif defined(CASE_knn_visitor)
    (void)knn_visit(rows, [](index_t, Neighbours<double> const&) {}, {.k = 4});
#elif defined(CASE_radius_visitor)
    (void)radius_visit(
        rows, [](NearestFirst<float> const&) {}, RadiusOptions{.radius = 1});
#elif defined(CASE_reduce_there)
    (void)knn_reduce(DevicePoints<float>(flat.data(), 10, 3), Reduction::radius, {.k = 4}, Cuda{});
#elif defined(CASE_batches_here)
    (void)knn_in_batches(
        rows, {.k = 4}, 1000, [](auto&) {}, Cpu(1));
#elif defined(CASE_peaks_device)
    (void)peaks_clusters(density_peaks(DevicePoints<float>(flat.data(), 10, 3), PeaksOptions{}, Cuda{}),
                         {.clusters = 2});
#elif defined(CASE_hdbscan_place)
    (void)hdbscan(Index<float>(rows), {}, Cuda{}, Cpu(1));
#else
    return int(fof(rows, o, Cpu(2)).groups + fof(Points(flat.data(), 10, 3), o).groups);
#endif
}
