// HDBSCAN* models: clusters that new points are compared with.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "arrays.hpp"
#include "bind.hpp"
#include "hierarchy.hpp"
#include "kept.hpp"
#include "where.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/parallel.hpp"
#include "zwalk/hdbscan/membership.hpp"
#include "zwalk/hdbscan/predict.hpp"
#include "zwalk/hdbscan/weights.hpp"

namespace zwalk::python {
namespace {

using namespace nb::literals;

template <class T>
Buffer<T> checked_cores(std::optional<Column<T>> const& given, std::size_t points) {
    auto const cores = view(given);
    if (given && cores.size() != points)
        throw InputError("there are " + std::to_string(cores.size()) + " core distances of " +
                         std::to_string(points) + " points");
    for (std::size_t i = 0; i < cores.size(); ++i)
        if (!(cores[i] >= 0) || std::isinf(cores[i]))
            throw InputError("core distance " + std::to_string(i) + " isn't a finite number >= 0");
    Buffer<T> copy(cores.size());
    std::copy(cores.begin(), cores.end(), copy.begin());
    return copy;
}

/// A model from what hdbscan() has found: the clusters are cut from the linkage once more, so that all is as the library made it.
template <class T>
HdbscanModel<T> build(PointArray<T> const& points, Box const& box, Table const& linkage,
                      std::optional<Column<T>> const& cores, std::size_t min_cluster_size,
                      int min_samples, SelectionTuple const& select, PointWeights const& weights,
                      Threads const& where) {
    std::size_t const n = points.shape(0);
    return where.run(heavy(n), [&](Cpu const& cpu) {
        HdbscanOptions o{.min_cluster_size = min_cluster_size,
                         .min_samples = min_samples,
                         .select = selection(select)};
        if (weights) o.weights = view(weights->first);
        HdbscanResult<T> found;
        found.condensed_tree =
            condense(weighted_linkage(n, linkage, weights), min_cluster_size, o.select, cpu);
        static_cast<Clusters&>(found) = select_clusters(found.condensed_tree, o.select, cpu);
        found.core_distances = checked_cores(cores, n);
        return at_rest(HdbscanModel<T>(Index<T>(view<T>(points), {.box = box}, cpu), found, o));
    });
}

/// A number that other points would hardly have, by their bits: as fast as memory, since each tree and hierarchy has one.
template <class T>
std::uint64_t checksum(PointArray<T> const& points, Threads const& where) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    T const* const x = points.data();
    std::size_t const n = points.size();
    auto const mixed = [](std::uint64_t bits) {  // Stafford's thirteenth
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
        return bits ^ (bits >> 31);
    };
    auto const add = [&](std::size_t i, std::size_t end, std::uint64_t sum) {
        for (; i < end; ++i) sum += mixed(std::bit_cast<Bits>(x[i]) + (i + 1) * 0x9e3779b97f4a7c15U);
        return sum;
    };
    return run(false, [&] {
        return Cpu(where.threads).run([&] {
            return parallel_reduce(n, 1 << 16, std::uint64_t(0), add, std::plus<>());
        });
    });
}

/// The tree of points with weights: (edges, lengths, core distances).
template <class T>
nb::tuple weighted_emst(PointArray<T> const& points, int min_samples, Box const& box,
                        Column<double> const& weights, Threads const& where) {
    std::size_t const n = points.shape(0);
    auto r = where.run(heavy(n), [&](Cpu const& cpu) {
        Index<T> const index(view<T>(points), {.box = box}, cpu);
        return emst_with_weights(index, view(weights), min_samples);
    });
    std::size_t const edges = r.lengths.size();
    return nb::make_tuple(to_numpy(std::move(r.edges), {edges, 2}), to_numpy(std::move(r.lengths)),
                          to_numpy(std::move(r.core_distances)));
}

/// (labels, probabilities, outlier scores, neighbours, distances)
/// @tparam Queries  PointArray<T>, of a model on a GPU also DevicePoints<T>
template <class T, class P, class Queries>
nb::tuple predicted(HdbscanModel<T, P> const& model, Queries const& queries) {
    auto r = run(heavy(rows_of(queries)), [&] { return predict(model, view(queries)); });
    return nb::make_tuple(to_numpy(std::move(r.labels)), to_numpy(std::move(r.probabilities)),
                          to_numpy(std::move(r.outlier_scores)), to_numpy(std::move(r.neighbours)),
                          to_numpy(std::move(r.distances)));
}

/// Of queries, or of the model's own points; shape (rows, clusters).
template <class T, class P>
nb::object memberships(HdbscanModel<T, P> const& model, std::optional<PointArray<T>> const& queries) {
    std::size_t const rows = queries ? queries->shape(0) : model.size();
    auto values = run(heavy(rows, model.clusters() + 1), [&] {
        return queries ? membership_vectors(model, view<T>(*queries))
                       : all_points_membership_vectors(model);
    });
    return to_numpy(std::move(values), {rows, model.clusters()});
}

template <class T, class P>
nb::list exemplar_rows(HdbscanModel<T, P> const& model) {
    nb::list rows;
    for (auto& of_cluster : exemplars(model)) rows.append(to_numpy(std::move(of_cluster)));
    return rows;
}

template <class T, class P>
nb::object rows_of_model(HdbscanModel<T, P> const& model) {
    auto rows = run(false, [&] { return model.rows(); });
    return to_numpy(std::move(rows), {model.size(), std::size_t(model.dim())});
}

/// What models have on any place.
template <class T, class P>
void bind_model(nb::class_<HdbscanModel<T, P>>& model) {
    using M = HdbscanModel<T, P>;
    model.def_prop_ro("size", &M::size)
        .def_prop_ro("dim", &M::dim)
        .def_prop_ro("clusters", &M::clusters)
        .def_prop_ro("min_samples", &M::min_samples)
        .def_prop_ro("box", [](M const& it) { return it.index().box(); })
        .def("data", &rows_of_model<T, P>);
    def(model, "predict", &predicted<T, P, PointArray<T>>);
    def(model, "memberships", &memberships<T, P>);
    def(model, "exemplars", &exemplar_rows<T, P>);
}

template <class T>
void bind(nb::module_& m, char const* name, char const* name_there) {
    nb::class_<HdbscanModel<T>> model(m, name);
    bind_model(model);
    bind_files(model);
    using There = CudaHdbscanModel<T>;
    nb::class_<There> there(m, name_there);
    bind_model(there);
    there
        .def("save", [](There const& it,
                        std::string const& path) { run(false, [&] { return it.save(path), 0; }); })
        .def("to_bytes", &bytes_of<There>)
        .def_static("from_bytes", &from_bytes_there<There>);
    def(there, "predict", &predicted<T, CudaDevice, DevicePoints<T>>);
    def(m, "hdbscan_model", &build<T>);
    def(m, "weighted_emst", &weighted_emst<T>);
    def(m, "checksum", &checksum<T>);
}

}  // namespace

void bind_models(nb::module_& m) {
    bind<float>(m, "HdbscanModel32", "CudaHdbscanModel32");
    bind<double>(m, "HdbscanModel64", "CudaHdbscanModel64");
    m.def("model_item_bytes", [](std::string const& path) { return model_item_bytes(path); });
}

}  // namespace zwalk::python
