// Points that are kept: what zwalk.KDTree stands on.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <sstream>

#include "arrays.hpp"
#include "bind.hpp"
#include "neighbours.hpp"
#include "run.hpp"
#include "zwalk/run/index.hpp"

namespace zwalk::python {
namespace {

using namespace nb::literals;

/// An index whose own threads have never begun. (Calls take others, like it.) Ones that have would keep oneTBB from ending
/// them all before a fork, and children would work alone.
template <class T>
Index<T> at_rest(Index<T>&& index) {
    index.place() = index.place().apart();
    return std::move(index);
}

/// The points themselves, in the order of the input.
template <class T>
nb::object data_of(Index<T> const& index) {
    auto const& tree = index.points().tree;
    std::size_t const n = index.size(), d = std::size_t(index.dim());
    Buffer<T> rows(n * d);
    run(false, [&] {
        index.place().apart().for_each(n, [&](std::size_t z) {
            for (std::size_t j = 0; j < d; ++j)
                rows[tree.input[z] * d + j] = tree.x[j * tree.stride + z];
        });
        return 0;
    });
    return to_numpy(std::move(rows), {n, d});
}

/// The least coordinate on each axis, and the largest one; none in open space.
template <class T>
nb::tuple extent_of(Index<T> const& index) {
    auto const& extent = index.points().extent;
    auto const dim = std::size_t(index.points().period.empty() ? 0 : index.dim());
    return nb::make_tuple(std::vector<T>(extent.lo.begin(), extent.lo.begin() + dim),
                          std::vector<T>(extent.hi.begin(), extent.hi.begin() + dim));
}

template <class T>
nb::bytes bytes_of(Index<T> const& index) {
    std::ostringstream out;
    run(false, [&] { return index.write(out), 0; });
    auto const s = std::move(out).str();
    return nb::bytes(s.data(), s.size());
}

template <class T>
Index<T> from_bytes(nb::bytes const& b, int threads, std::uint64_t memory_budget) {
    std::istringstream in(std::string(b.c_str(), b.size()));
    return run(false, [&] { return at_rest(Index<T>::read(in, Cpu(threads, memory_budget))); });
}

template <class T>
void bind(nb::module_& m, char const* name) {
    using I = Index<T>;
    auto const each = [](index_t k) { return std::size_t(std::max<index_t>(k, 1)); };
    nb::class_<I>(m, name)
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
        .def(
            "knn",
            [each](I const& i, PointArray<T> const& queries, index_t k) {
                return knn_tuple(run(heavy(queries.shape(0), each(k)),
                                     [&] { return knn(i, view<T>(queries), {.k = k}); }));
            },
            "queries"_a.noconvert(), "k"_a)
        .def("knn_of_points",
             [each](I const& i, index_t k, bool exclude_self) {
                 return knn_tuple(run(heavy(i.size(), each(k)),
                                      [&] { return knn(i, {.k = k, .exclude_self = exclude_self}); }));
             })
        .def(
            "radius",
            [](I const& i, PointArray<T> const& queries, double radius, bool distances) {
                return radius_tuple(run(heavy(queries.shape(0), 8), [&] {
                    return radius_search(i, view<T>(queries),
                                         {.radius = radius, .distances = distances});
                }));
            },
            "queries"_a.noconvert(), "radius"_a, "distances"_a)
        .def("radius_of_points",
             [](I const& i, double radius, bool exclude_self, bool distances) {
                 return radius_tuple(run(heavy(i.size(), 8), [&] {
                     return radius_search(
                         i, {.radius = radius, .exclude_self = exclude_self, .distances = distances});
                 }));
             })
        .def(
            "radius_count",
            [](I const& i, PointArray<T> const& queries, double radius) {
                auto r = run(heavy(queries.shape(0), 8),
                             [&] { return radius_count(i, view<T>(queries), {.radius = radius}); });
                return to_numpy(std::move(r.counts));
            },
            "queries"_a.noconvert(), "radius"_a)
        .def("save",
             [](I const& i, std::string const& path) { run(false, [&] { return i.save(path), 0; }); })
        .def_static("load",
                    [](std::string const& path, int threads, std::uint64_t memory_budget) {
                        return run(false,
                                   [&] { return at_rest(I::load(path, Cpu(threads, memory_budget))); });
                    })
        .def("to_bytes", &bytes_of<T>)
        .def_static("from_bytes", &from_bytes<T>);
}

}  // namespace

void bind_index(nb::module_& m) {
    bind<float>(m, "Index32");
    bind<double>(m, "Index64");
    m.def("index_item_bytes", [](std::string const& path) { return index_item_bytes(path); });
}

}  // namespace zwalk::python
