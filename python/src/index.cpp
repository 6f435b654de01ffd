// Points that are kept: what zwalk.KDTree stands on.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bind.hpp"
#include "kept.hpp"
#include "neighbours.hpp"
#include "own_pairs.hpp"
#include "pairs.hpp"
#include "within.hpp"
#include "zwalk/core/buffer.hpp"
#include "zwalk/run/index.hpp"
#include "zwalk/run/queries.hpp"

namespace zwalk::python {
namespace {

using namespace nb::literals;

/// The least coordinate on each axis, and the largest one; none in open space.
template <class T>
nb::tuple extent_of(Index<T> const& index) {
    auto const& extent = index.points().extent;
    auto const dim = std::size_t(index.points().period.empty() ? 0 : index.dim());
    return nb::make_tuple(std::vector<T>(extent.lo.begin(), extent.lo.begin() + dim),
                          std::vector<T>(extent.hi.begin(), extent.hi.begin() + dim));
}

/// Whether all rows are inside a box that begins at `begin` and has those lengths; 0: an open axis.
template <class T>
bool lie_inside(PointArray<T> const& rows, Column<T> const& begin, Column<T> const& length) {
    std::size_t const dim = rows.shape(1);
    for (std::size_t i = 0; i < rows.shape(0); ++i)
        for (std::size_t axis = 0; axis < dim; ++axis) {
            T const least = begin.data()[axis], side = length.data()[axis],
                    x = rows.data()[i * dim + axis];
            if (side != 0 && !(x >= least && x - least <= side)) return false;
        }
    return true;
}

/// Refuses queries that aren't finite or don't fit into the box, before any are searched for.
template <class T>
void check_queries(Index<T> const& index, PointArray<T> const& queries) {
    run(false, [&] {
        zwalk::detail::check_query_columns(int(queries.shape(1)), index.dim());
        auto const& points = index.points();
        auto const asked = zwalk::detail::Preparation<T, Cpu>::bring(
            index.place().apart(), view<T>(queries), "queries", !points.period.empty());
        zwalk::detail::check_fit(points, asked.extent, asked.largest, "queries");
        return 0;
    });
}

template <class T>
void bind(nb::module_& m, char const* name) {
    using I = Index<T>;
    nb::class_<I> index(m, name);
    index
        .def_static(
            "build",
            [](PointArray<T> const& points, Box const& box, int threads, std::uint64_t memory_budget) {
                return run(heavy(points.shape(0)), [&] {
                    return at_rest(I(view<T>(points), {.box = box}, Cpu(threads, memory_budget)));
                });
            },
            "points"_a.noconvert(), "box"_a, "threads"_a, "memory_budget"_a)
        .def_prop_ro("size", &I::size)
        .def_prop_ro("dim", &I::dim)
        .def_prop_ro("box", &I::box)
        .def("data", &data_of<T>)
        .def("extent", &extent_of<T>)
        .def("few_lists", &few_lists<T>, "rows"_a.noconvert(), "radius"_a, "by_index"_a, "most"_a)
        .def("ascending", &ascending<T>, "rows"_a.noconvert(), "radius"_a, "counts"_a.noconvert())
        .def("check_queries", &check_queries<T>, "queries"_a.noconvert())
        .def("pairs_within", &pairs_within<T>);
    def(m, "lie_inside", &lie_inside<T>);
    bind_files(index);
    FunctionsOf<I>::template bind<Knn, RadiusLists, RadiusCounts, Pairs>(index);
}

}  // namespace

void bind_index(nb::module_& m) {
    bind<float>(m, "Index32");
    bind<double>(m, "Index64");
    m.def("index_item_bytes", [](std::string const& path) { return index_item_bytes(path); });
}

}  // namespace zwalk::python
