// Gravity.
#include "zwalk/gravity/gravity.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bind.hpp"
#include "options.hpp"
#include "run.hpp"

namespace zwalk::python {
namespace {

using namespace nb::literals;

/// (accelerations, potentials)
template <class T>
nb::tuple find_gravity(PointArray<T> const& points, std::optional<Column<double>> const& masses,
                       double softening, double accuracy, int order, double opening, Box const& box,
                       int threads) {
    auto const o = gravity_options(masses, softening, accuracy, order, opening, box);
    auto r = run(heavy(points.shape(0), 16), [&] { return gravity(view<T>(points), o, Cpu(threads)); });
    auto accelerations = to_numpy(std::move(r.accelerations), {r.rows, r.columns});
    return nb::make_tuple(accelerations, to_numpy(std::move(r.potentials)));
}

template <class T>
void bind(nb::module_& m) {
    m.def("gravity", &find_gravity<T>, "points"_a.noconvert(), "masses"_a.noconvert().none(),
          "softening"_a, "accuracy"_a, "order"_a, "opening"_a, "box"_a, "threads"_a);
}

}  // namespace

void bind_gravity(nb::module_& m) {
    bind<float>(m);
    bind<double>(m);
}

}  // namespace zwalk::python
