// Neighbours of points that are used once, and numbers made of them.
#include <cstdint>

#include "bind.hpp"
#include "neighbours.hpp"
#include "zwalk/density/density.hpp"
#include "zwalk/knn/write_rows.hpp"

namespace zwalk::python {
namespace {

/// knn_visit() of points or queries, with an object.
template <class T, class Visit>
void visit_nearest(PointArray<T> const& points, Others<PointArray<T>> const& queries, Visit const& visit,
                   KnnOptions const& options, Threads const& where) {
    std::size_t const rows = rows_of(points) + (queries ? rows_of(*queries) : 0);
    where.run(heavy(rows, results_of_row(options)), [&](Cpu const& cpu) {
        return queries ? knn_visit(view(points), view(*queries), visit, options, cpu)
                       : knn_visit(view(points), visit, options, cpu);
    });
}

/// As Knn, into two arrays of shape (rows, k), C order.
template <class T, class I>
void write_knn(PointArray<T> const& points, Others<PointArray<T>> const& queries, index_t k,
               bool exclude_self, double within, Box const& box, Written<T, 2> const& distances,
               Written<I, 2> const& indices, Threads const& where) {
    visit_nearest(points, queries, WriteRows<T, I>{distances.data(), indices.data(), k},
                  knn_options(k, exclude_self, within, box), where);
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
nb::object reduce(PointArray<T> const& points, Others<PointArray<T>> const& queries, std::uintptr_t f,
                  std::uintptr_t data, std::size_t columns, index_t k, bool exclude_self, Box const& box,
                  Threads const& where) {
    std::size_t const rows = rows_of(queries ? *queries : points);
    Buffer<T> out(rows * columns);
    CallReducer<T> const call{reinterpret_cast<typename CallReducer<T>::Function>(f),
                              reinterpret_cast<void*>(data), out.data(), columns};
    visit_nearest(points, queries, call, knn_options(k, exclude_self, infinity<double>, box), where);
    return to_numpy(std::move(out), {rows, columns});
}

enum class Density { radius, ball, sph };

/// Written into `out`, one for each point.
template <class T>
void density(PointArray<T> const& points, int kind, std::optional<Column<T>> const& masses, index_t k,
             bool exclude_self, Box const& box, Written<T, 1> const& out, Threads const& where) {
    KnnOptions const o = knn_options(k, exclude_self, infinity<double>, box);
    auto const p = view(points);
    where.run(heavy(p.size, results_of_row(o)), [&](Cpu const& cpu) {
        zwalk::detail::check_masses(view(masses));
        zwalk::detail::check_sums_of_masses(view(masses), k);
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
    def(m, "knn_into", &write_knn<T, index_t>);
    def(m, "knn_into", &write_knn<T, std::int32_t>);
    def(m, "knn_into", &write_knn<T, std::uint32_t>);
    def(m, "knn_reduce", &reduce<T>);
    def(m, "density", &density<T>);
}

}  // namespace

void bind_knn(nb::module_& m) {
    bind<float>(m);
    bind<double>(m);
}

}  // namespace zwalk::python
