// HDBSCAN* models: clusters that new points are compared with.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "bind.hpp"
#include "hierarchy.hpp"
#include "kept.hpp"
#include "where.hpp"
#include "zwalk/core/error.hpp"
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
template <class T>
nb::tuple predicted(HdbscanModel<T> const& model, PointArray<T> const& queries) {
    auto r = run(heavy(queries.shape(0)), [&] { return predict(model, view<T>(queries)); });
    return nb::make_tuple(to_numpy(std::move(r.labels)), to_numpy(std::move(r.probabilities)),
                          to_numpy(std::move(r.outlier_scores)), to_numpy(std::move(r.neighbours)),
                          to_numpy(std::move(r.distances)));
}

/// Of queries, or of the model's own points; shape (rows, clusters).
template <class T>
nb::object memberships(HdbscanModel<T> const& model, std::optional<PointArray<T>> const& queries) {
    std::size_t const rows = queries ? queries->shape(0) : model.size();
    auto values = run(heavy(rows, model.clusters() + 1), [&] {
        return queries ? membership_vectors(model, view<T>(*queries))
                       : all_points_membership_vectors(model);
    });
    return to_numpy(std::move(values), {rows, model.clusters()});
}

template <class T>
nb::list exemplar_rows(HdbscanModel<T> const& model) {
    nb::list rows;
    for (auto& of_cluster : exemplars(model)) rows.append(to_numpy(std::move(of_cluster)));
    return rows;
}

template <class T>
void bind(nb::module_& m, char const* name) {
    using M = HdbscanModel<T>;
    nb::class_<M> model(m, name);
    model.def_prop_ro("size", &M::size)
        .def_prop_ro("dim", &M::dim)
        .def_prop_ro("clusters", &M::clusters)
        .def_prop_ro("min_samples", &M::min_samples)
        .def_prop_ro("box", [](M const& it) { return it.index().box(); })
        .def("data", [](M const& it) { return data_of(it.index()); });
    bind_files(model);
    def(model, "predict", &predicted<T>);
    def(model, "memberships", &memberships<T>);
    def(model, "exemplars", &exemplar_rows<T>);
    def(m, "hdbscan_model", &build<T>);
    def(m, "weighted_emst", &weighted_emst<T>);
}

}  // namespace

void bind_models(nb::module_& m) {
    bind<float>(m, "HdbscanModel32");
    bind<double>(m, "HdbscanModel64");
    m.def("model_item_bytes", [](std::string const& path) { return model_item_bytes(path); });
}

}  // namespace zwalk::python
