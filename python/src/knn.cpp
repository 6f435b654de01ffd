// Nearest neighbours of points that are used once, and numbers made of them; radius search.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "arrays.hpp"
#include "bind.hpp"
#include "neighbours.hpp"
#include "options.hpp"
#include "run.hpp"
#include "zwalk/density/density.hpp"

namespace zwalk::python {
namespace {

using namespace nb::literals;

template <class T>
using MaybePoints = std::optional<PointArray<T>>;

std::size_t each(index_t k) { return std::size_t(std::max<index_t>(k, 1)); }

template <class T>
nb::tuple find_knn(PointArray<T> const& points, MaybePoints<T> const& queries, index_t k,
                   bool exclude_self, double within, Box const& box, bool z, int threads,
                   std::uint64_t memory_budget) {
    KnnOptions const o = knn_options(k, exclude_self, within, box, z);
    std::size_t const rows = queries ? queries->shape(0) : 0;
    return knn_tuple(run(heavy(points.shape(0) + rows, each(k)), [&] {
        Cpu const cpu(threads, memory_budget);
        return queries ? knn(view<T>(points), view<T>(*queries), o, cpu) : knn(view<T>(points), o, cpu);
    }));
}

/// Neighbours written where the user wants them, instead of into arrays of their own: rows in the order of the input.
template <class T>
struct WriteRows {
    T* distances;
    index_t* indices;
    index_t k;

    void operator()(index_t row, Neighbours<T> const& found) const {
        T* const d = distances + row * k;
        index_t* const i = indices + row * k;
        index_t const n = found.size();
        for (index_t j = 0; j < n; ++j) {
            d[j] = found.distance(int(j));
            i[j] = found.index(int(j));
        }
        std::fill(d + n, d + k, infinity<T>);
        std::fill(i + n, i + k, index_t(-1));
    }
};

/// find_knn() into two arrays of shape (rows, k), C order.
template <class T>
void write_knn(PointArray<T> const& points, MaybePoints<T> const& queries, index_t k, bool exclude_self,
               double within, Box const& box, int threads, std::uint64_t memory_budget,
               Written<T, 2> const& distances, Written<index_t, 2> const& indices) {
    KnnOptions const o = knn_options(k, exclude_self, within, box);
    WriteRows<T> const write{distances.data(), indices.data(), k};
    std::size_t const rows = queries ? queries->shape(0) : 0;
    run(heavy(points.shape(0) + rows, each(k)), [&] {
        Cpu const cpu(threads, memory_budget);
        return queries ? knn_visit(view<T>(points), view<T>(*queries), write, o, cpu)
                       : knn_visit(view<T>(points), write, o, cpu);
    });
}

template <class T>
nb::tuple find_radius(PointArray<T> const& points, MaybePoints<T> const& queries, Radius const& radius,
                      bool larger, bool exclude_self, bool distances, Box const& box, bool images,
                      int threads, std::uint64_t memory_budget) {
    RadiusOptions const o = radius_options(radius, larger, exclude_self, distances, box, images);
    std::size_t const rows = queries ? queries->shape(0) : 0;
    return radius_tuple(run(heavy(points.shape(0) + rows, 8), [&] {
        Cpu const cpu(threads, memory_budget);
        return queries ? radius_search(view<T>(points), view<T>(*queries), o, cpu)
                       : radius_search(view<T>(points), o, cpu);
    }));
}

template <class T>
nb::object count_radius(PointArray<T> const& points, MaybePoints<T> const& queries, Radius const& radius,
                        bool larger, bool exclude_self, Box const& box, bool images, int threads) {
    RadiusOptions const o = radius_options(radius, larger, exclude_self, false, box, images);
    std::size_t const rows = queries ? queries->shape(0) : 0;
    auto r = run(heavy(points.shape(0) + rows, 8), [&] {
        Cpu const cpu(threads);
        return queries ? radius_count(view<T>(points), view<T>(*queries), o, cpu)
                       : radius_count(view<T>(points), o, cpu);
    });
    return to_numpy(std::move(r.counts));
}

/// A user's function (numba's cfunc, cffi, ctypes), called once for each target:
/// void f(int64 n, T const* d2, int64 const* index, void* data, T* out), where out points at this target's columns.
template <class T>
struct CallReducer {
    using Function = void (*)(index_t n, T const* d2, index_t const* index, void* data, T* out);
    Function f;
    void* data;
    T* out;
    std::size_t columns;

    void operator()(index_t row, Neighbours<T> const& found) const {
        thread_local std::vector<T> d2;
        thread_local std::vector<index_t> index;
        std::size_t const n = std::size_t(found.size());
        if (d2.size() < n) {
            d2.resize(n);
            index.resize(n);
        }
        for (std::size_t i = 0; i < n; ++i) {
            d2[i] = found.distance2(int(i));
            index[i] = found.index(int(i));
        }
        f(index_t(n), d2.data(), index.data(), data, out + std::size_t(row) * columns);
    }
};

template <class T>
nb::object reduce(PointArray<T> const& points, MaybePoints<T> const& queries, std::uintptr_t f,
                  std::uintptr_t data, std::size_t columns, index_t k, bool exclude_self, Box const& box,
                  int threads, std::uint64_t memory_budget) {
    KnnOptions const o{.k = k, .exclude_self = exclude_self, .box = box};
    std::size_t const rows = queries ? queries->shape(0) : points.shape(0);
    Buffer<T> out(rows * columns);
    CallReducer<T> const call{reinterpret_cast<typename CallReducer<T>::Function>(f),
                              reinterpret_cast<void*>(data), out.data(), columns};
    run(heavy(points.shape(0) + rows, each(k)), [&] {
        Cpu const cpu(threads, memory_budget);
        return queries ? knn_visit(view<T>(points), view<T>(*queries), call, o, cpu)
                       : knn_visit(view<T>(points), call, o, cpu);
    });
    return to_numpy(std::move(out), {rows, columns});
}

enum class Density { radius, ball, sph };

/// Written into `out`, one for each point.
template <class T>
void density(PointArray<T> const& points, int kind, std::optional<Column<T>> const& masses, index_t k,
             bool exclude_self, Box const& box, int threads, Written<T, 1> const& out) {
    KnnOptions const o{.k = k, .exclude_self = exclude_self, .box = box};
    auto const p = view<T>(points);
    run(heavy(p.size, each(k)), [&] {
        Cpu const cpu(threads);
        auto const visit = [&](auto const& reduction) { return knn_visit(p, reduction, o, cpu); };
        auto const stats =
            Density(kind) == Density::radius ? visit(KthDistance<T>{out.data(), k})
            : Density(kind) == Density::ball
                ? visit(BallDensity<T>{out.data(), p.dim})
                : visit(SphDensity<T>{out.data(), p.dim, masses ? masses->data() : nullptr});
        zwalk::detail::settle_densities<T>({out.data(), p.size});
        return stats;
    });
}

template <class T>
void bind(nb::module_& m) {
    auto const points = "points"_a.noconvert();
    auto const queries = "queries"_a.noconvert().none();
    m.def("knn", &find_knn<T>, points, queries, "k"_a, "exclude_self"_a, "within"_a, "box"_a, "z"_a,
          "threads"_a, "memory_budget"_a);
    m.def("knn_into", &write_knn<T>, points, queries, "k"_a, "exclude_self"_a, "within"_a, "box"_a,
          "threads"_a, "memory_budget"_a, "distances"_a.noconvert(), "indices"_a.noconvert());
    m.def("radius", &find_radius<T>, points, queries, "radius"_a, "larger"_a, "exclude_self"_a,
          "distances"_a, "box"_a, "images"_a, "threads"_a, "memory_budget"_a);
    m.def("radius_count", &count_radius<T>, points, queries, "radius"_a, "larger"_a, "exclude_self"_a,
          "box"_a, "images"_a, "threads"_a);
    m.def("knn_reduce", &reduce<T>, points, queries, "f"_a, "data"_a, "columns"_a, "k"_a,
          "exclude_self"_a, "box"_a, "threads"_a, "memory_budget"_a);
    m.def("density", &density<T>, points, "kind"_a, "masses"_a.noconvert().none(), "k"_a,
          "exclude_self"_a, "box"_a, "threads"_a, "out"_a.noconvert());
}

}  // namespace

void bind_knn(nb::module_& m) {
    bind<float>(m);
    bind<double>(m);
}

}  // namespace zwalk::python
