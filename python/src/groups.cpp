// Catalogues of groups.
#include "groups.hpp"

#include "bind.hpp"

namespace zwalk::python {
namespace {

/// (columns, number of the first row, first members of the rows, rows of the points sorted by group)
template <class T>
nb::tuple catalogue(PointArray<T> const& points, Groups const& groups, std::size_t min_members,
                    Box const& box, std::optional<Column<T>> const& masses,
                    std::optional<PointArray<T>> const& velocities, bool moving, Here const& where) {
    auto const o = catalogue_options<T>(min_members, box, masses, velocities);
    Cpu const threads(where.threads, where.memory_budget);
    auto c = where.run(heavy(rows_of(points)), [&](auto const& place) {
        if constexpr (std::is_same_v<std::decay_t<decltype(place)>, Cpu>)
            return fof_catalogue(view(points), groups.found, o, place);
        else return fof_catalogue(view(points), groups.found, o, place, threads);
    });
    return nb::make_tuple(catalogue_dict(c, moving), 0, to_numpy(std::move(c.first)),
                          to_numpy(std::move(c.order)));
}

template <class T>
double spacing(PointArray<T> const& points, Box const& box) {
    return run(false, [&] { return mean_spacing(view(points), box); });
}

template <class T>
void bind(nb::module_& m) {
    def(m, "fof_catalogue", &catalogue<T>);
    def(m, "mean_spacing", &spacing<T>);
}

}  // namespace

void bind_groups(nb::module_& m) {
    nb::class_<Groups>(m, "Groups");
    bind<float>(m);
    bind<double>(m);
}

}  // namespace zwalk::python
