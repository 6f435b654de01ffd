// Density peaks.
#include "peaks.hpp"

#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "gpu.hpp"
#include "run.hpp"

namespace zwalk::python {
namespace {

using namespace nb::literals;

template <class T>
nb::tuple find_peaks(PointArray<T> const& points, index_t k, Box const& box, int threads) {
    PeaksOptions const o{.k = k, .box = box};
    return peaks_tuple(
        run(heavy(points.shape(0)), [&] { return density_peaks(view<T>(points), o, Cpu(threads)); }));
}
template <class T>
nb::tuple find_peaks_on_gpu(int device, PointArray<T> const& points, index_t k, Box const& box) {
    PeaksOptions const o{.k = k, .box = box};
    return peaks_tuple(
        on_gpu(device, 0, [&](Cuda const& cuda) { return density_peaks(view<T>(points), o, cuda); }));
}
template <class T>
nb::tuple cut(Column<T> const& radius, Column<T> const& delta, Column<index_t> const& denser,
              index_t clusters, double min_delta, double max_radius, int threads) {
    PeaksColumns<T> const graph(radius, delta, denser);
    return clusters_tuple(run(heavy(radius.shape(0)), [&] {
        return peaks_clusters(graph, {clusters, min_delta, max_radius}, Cpu(threads));
    }));
}

template <class T>
void bind(nb::module_& m) {
    auto const points = "points"_a.noconvert();
    m.def("density_peaks", &find_peaks<T>, points, "k"_a, "box"_a, "threads"_a);
    m.def("cuda_density_peaks", &find_peaks_on_gpu<T>, "device"_a, points, "k"_a, "box"_a);
    m.def("peaks_clusters", &cut<T>, "radius"_a.noconvert(), "delta"_a.noconvert(),
          "nearest_denser"_a.noconvert(), "clusters"_a, "min_delta"_a, "max_radius"_a, "threads"_a);
}

}  // namespace

void bind_peaks(nb::module_& m) {
    bind<float>(m);
    bind<double>(m);
}

}  // namespace zwalk::python
