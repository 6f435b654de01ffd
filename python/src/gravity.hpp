// Gravity of points from any source.
#pragma once
#include <nanobind/stl/vector.h>

#include "where.hpp"
#include "zwalk/gravity/gravity.hpp"

namespace zwalk::python {

template <class Source, class... Where>
struct Gravity {
    static constexpr char const* name = "gravity";

    /// (accelerations, potentials)
    static nb::tuple call(Source const& points, std::optional<Column<double>> const& masses,
                          double softening, double accuracy, int order, double opening, Box const& box,
                          Where const&... where) {
        GravityOptions const o{.masses = view(masses),
                               .softening = softening,
                               .accuracy = accuracy,
                               .expansion_order = order,
                               .opening = opening,
                               .box = box};
        auto r = call_at([](auto const&... a) { return gravity(a...); }, 16, points, o, where...);
        return nb::make_tuple(array(std::move(r.accelerations), {r.rows, r.columns}, where...),
                              column(std::move(r.potentials), where...));
    }
};

}  // namespace zwalk::python
