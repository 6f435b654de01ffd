// Pair counts of points from any source.
#pragma once
#include <nanobind/stl/vector.h>

#include "where.hpp"
#include "zwalk/pairs/pairs.hpp"

namespace zwalk::python {

template <class Source, class... Where>
struct Pairs {
    static constexpr char const* name = "pairs";

    /// (counts, sums of weights or None), both of one axis, on the host; on ranks they are the same on all.
    static nb::tuple call(Source const& points, Others<Source> const& second,
                          std::vector<double> const& edges, int bins,
                          std::vector<double> const& los_edges, int line_of_sight,
                          std::optional<Column<double>> const& weights,
                          std::optional<Column<double>> const& second_weights, Box const& box,
                          Where const&... where) {
        PairOptions const o{.edges = edges,
                            .bins = PairBins(bins),
                            .los_edges = los_edges,
                            .line_of_sight = line_of_sight,
                            .box = box,
                            .weights = view(weights),
                            .second_weights = view(second_weights)};
        auto r = call_with([](auto const&... a) { return pair_counts(a...); }, 8, points, second, o,
                           where...);
        return nb::make_tuple(to_numpy(std::move(r.counts)), array_or_none(std::move(r.weighted)));
    }
};

}  // namespace zwalk::python
