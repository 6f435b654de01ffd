// Pair counts.
#include "zwalk/pairs/pairs.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bind.hpp"
#include "options.hpp"
#include "run.hpp"

namespace zwalk::python {
namespace {

using namespace nb::literals;

/// (counts, sums of weights or None), both of one axis.
template <class T>
nb::tuple count(PointArray<T> const& points, std::optional<PointArray<T>> const& second,
                std::vector<double> const& edges, int bins, std::vector<double> const& los_edges,
                int line_of_sight, std::optional<Column<double>> const& weights,
                std::optional<Column<double>> const& second_weights, Box const& box, int threads) {
    auto const o = pair_options(edges, bins, los_edges, line_of_sight, weights, second_weights, box);
    auto r = run(heavy(points.shape(0) + (second ? second->shape(0) : 0), 8), [&] {
        Cpu const cpu(threads);
        return second ? pair_counts(view<T>(points), view<T>(*second), o, cpu)
                      : pair_counts(view<T>(points), o, cpu);
    });
    auto counts = to_numpy(std::move(r.counts));
    return nb::make_tuple(counts, array_or_none(std::move(r.weighted)));
}

template <class T>
void bind(nb::module_& m) {
    m.def("pairs", &count<T>, "points"_a.noconvert(), "second"_a.noconvert().none(), "edges"_a, "bins"_a,
          "los_edges"_a, "line_of_sight"_a, "weights"_a.noconvert().none(),
          "second_weights"_a.noconvert().none(), "box"_a, "threads"_a);
}

}  // namespace

void bind_pairs(nb::module_& m) {
    bind<float>(m);
    bind<double>(m);
}

}  // namespace zwalk::python
