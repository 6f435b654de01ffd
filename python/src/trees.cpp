// Minimum spanning trees, single linkage, HDBSCAN*.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bind.hpp"
#include "gpu.hpp"
#include "hierarchy.hpp"
#include "run.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"

namespace zwalk::python {
namespace {

using namespace nb::literals;
using Edges = nb::ndarray<index_t const, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

/// (edges, lengths, core distances or None)
template <class T>
nb::tuple spanning_tree(PointArray<T> const& points, int min_samples, Box const& box, int threads) {
    EmstOptions const o{.min_samples = min_samples, .box = box};
    auto r = run(heavy(points.shape(0)), [&] { return emst(view<T>(points), o, Cpu(threads)); });
    std::size_t const n = r.lengths.size();
    auto edges = to_numpy(std::move(r.edges), {n, 2});
    auto lengths = to_numpy(std::move(r.lengths));
    return nb::make_tuple(edges, lengths, array_or_none(std::move(r.core_distances)));
}

template <class T>
nb::object linkage(std::size_t points, Edges const& edges, Column<T> const& lengths) {
    return to_table(run(heavy(points), [&] {
        return single_linkage<T>(points, {edges.data(), edges.size()}, {lengths.data(), lengths.size()});
    }));
}

template <class T>
nb::dict found_dict(HdbscanResult<T>&& r) {
    nb::dict d = clusters_dict(std::move(r));
    d["linkage"] = to_table(std::move(r.linkage));
    d["condensed"] = to_dict(std::move(r.condensed_tree));
    return d;
}

template <class T>
nb::dict find_hdbscan(PointArray<T> const& points, std::size_t min_cluster_size, int min_samples,
                      SelectionTuple const& select, Box const& box, int threads) {
    HdbscanOptions const o{.min_cluster_size = min_cluster_size,
                           .min_samples = min_samples,
                           .select = selection(select),
                           .box = box};
    return found_dict(
        run(heavy(points.shape(0)), [&] { return hdbscan(view<T>(points), o, Cpu(threads)); }));
}
/// The tree on a GPU, clusters on the host.
template <class T>
nb::dict find_hdbscan_on_gpu(int device, PointArray<T> const& points, std::size_t min_cluster_size,
                             int min_samples, SelectionTuple const& select, Box const& box,
                             int threads) {
    HdbscanOptions const o{.min_cluster_size = min_cluster_size,
                           .min_samples = min_samples,
                           .select = selection(select),
                           .box = box};
    return found_dict(on_gpu(
        device, 0, [&](Cuda const& cuda) { return hdbscan(view<T>(points), o, cuda, Cpu(threads)); }));
}

template <class T>
void bind(nb::module_& m) {
    auto const points = "points"_a.noconvert();
    m.def("emst", &spanning_tree<T>, points, "min_samples"_a, "box"_a, "threads"_a);
    m.def("single_linkage", &linkage<T>, "points"_a, "edges"_a.noconvert(), "lengths"_a.noconvert());
    m.def("hdbscan", &find_hdbscan<T>, points, "min_cluster_size"_a, "min_samples"_a, "select"_a,
          "box"_a, "threads"_a);
    m.def("cuda_hdbscan", &find_hdbscan_on_gpu<T>, "device"_a, points, "min_cluster_size"_a,
          "min_samples"_a, "select"_a, "box"_a, "threads"_a);
}

}  // namespace

void bind_trees(nb::module_& m) {
    bind<float>(m);
    bind<double>(m);
}

}  // namespace zwalk::python
