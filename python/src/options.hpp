// Options of calls that run in one process, on ranks and on a GPU.
#pragma once
#include "arrays.hpp"
#include "zwalk/gravity/gravity.hpp"
#include "zwalk/pairs/pairs.hpp"

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

}  // namespace zwalk::python
