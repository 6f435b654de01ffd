// Minimum spanning trees and HDBSCAN* of points from any source.
#pragma once
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <type_traits>

#include "hierarchy.hpp"
#include "where.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"

namespace zwalk::python {

template <class Source, class... Where>
struct Emst {
    static constexpr char const* name = "emst";

    /// (edges, lengths, core distances or None, on ranks the number of the first edge, else None)
    static nb::tuple call(Source const& points, int min_samples, Box const& box, Where const&... where) {
        EmstOptions const o{.min_samples = min_samples, .box = box};
        auto r = call_at([](auto const&... a) { return emst(a...); }, 1, points, o, where...);
        nb::object first_edge = nb::none();
        using T = std::remove_cvref_t<decltype(*r.lengths.data())>;
        if constexpr (std::is_same_v<decltype(r), EmstResult<T, Mpi>>)
            first_edge = nb::cast(r.first_edge);
        std::size_t const n = r.lengths.size();
        return nb::make_tuple(array(std::move(r.edges), {n, 2}, where...),
                              column(std::move(r.lengths), where...),
                              column_or_none(std::move(r.core_distances), where...), first_edge);
    }
};

template <class Source, class... Where>
struct Hdbscan {
    static constexpr char const* name = "hdbscan";

    /// What is said of clusters and of the hierarchy is on the first rank, and None elsewhere.
    static nb::dict call(Source const& points, std::size_t min_cluster_size, int min_samples,
                         SelectionTuple const& select, Box const& box,
                         std::optional<Column<double>> const& weights, Where const&... where) {
        HdbscanOptions const o{.min_cluster_size = min_cluster_size,
                               .min_samples = min_samples,
                               .select = selection(select),
                               .box = box,
                               .weights = view(weights)};
        auto const find = [&](auto const& p, auto const& options, auto const&... places) {
            constexpr bool on_gpu = (std::is_same_v<decltype(places), Cuda const&> && ...);
            if constexpr (on_gpu) return hdbscan(p, options, places..., Cpu(where.threads)...);
            else return hdbscan(p, options, places...);
        };
        auto r = call_at(find, 1, points, o, where...);
        nb::dict d = clusters_dict(r, std::move(r.outlier_scores));
        d["core_distances"] = array_or_none(std::move(r.core_distances));
        bool const has_all = (where.is_first() && ...);
        if (!has_all) d["persistence"] = nb::none();
        d["min_cluster_size"] =
            has_all ? nb::cast(r.condensed_tree.min_cluster_size) : nb::object(nb::none());
        d["linkage"] = has_all ? to_table(std::move(r.linkage)) : nb::none();
        d["condensed"] = has_all ? nb::object(to_dict(std::move(r.condensed_tree))) : nb::none();
        return d;
    }
};

}  // namespace zwalk::python
