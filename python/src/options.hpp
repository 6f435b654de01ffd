// Options of calls that run in one process, on ranks and on a GPU.
#pragma once
#include <nanobind/stl/variant.h>

#include <variant>

#include "arrays.hpp"
#include "zwalk/gravity/gravity.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/pairs/pairs.hpp"
#include "zwalk/radius/radius.hpp"

namespace zwalk::python {

/// Views of the weights: these must stay.
inline PairOptions pair_options(std::vector<double> const& edges, int bins,
                                std::vector<double> const& los_edges, int line_of_sight,
                                std::optional<Column<double>> const& weights,
                                std::optional<Column<double>> const& second_weights, Box const& box) {
    return {.edges = edges,
            .bins = PairBins(bins),
            .los_edges = los_edges,
            .line_of_sight = line_of_sight,
            .box = box,
            .weights = view<double>(weights),
            .second_weights = view<double>(second_weights)};
}

inline KnnOptions knn_options(index_t k, bool exclude_self, double within, Box const& box,
                              bool z = false) {
    return {.k = k, .exclude_self = exclude_self, .within = within, .box = box, .order = order_of(z)};
}

/// A view of the masses: these must stay.
inline GravityOptions gravity_options(std::optional<Column<double>> const& masses, double softening,
                                      double accuracy, int order, double opening, Box const& box) {
    return {.masses = view<double>(masses),
            .softening = softening,
            .accuracy = accuracy,
            .expansion_order = order,
            .opening = opening,
            .box = box};
}

/// One for each target, or one for all. In this order: an array of one element would do as a number.
using Radius = std::variant<Column<double>, double>;

/// A view of the radii: these must stay.
inline RadiusOptions radius_options(Radius const& radius, bool larger, bool exclude_self, bool distances,
                                    Box const& box, bool images = false) {
    RadiusOptions o{.larger = larger,
                    .exclude_self = exclude_self,
                    .distances = distances,
                    .box = box,
                    .images = images};
    if (auto const* one = std::get_if<double>(&radius)) o.radius = *one;
    else o.radii = {std::get<0>(radius).data(), std::get<0>(radius).shape(0)};
    return o;
}

}  // namespace zwalk::python
