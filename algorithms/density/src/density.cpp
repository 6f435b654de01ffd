#include "zwalk/density/density.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "zwalk/core/error.hpp"
#include "zwalk/core/validate.hpp"

namespace zwalk::inline v0::detail {
namespace {

/// visit(object) is knn_visit() of `rows` points of `dim` columns with that object.
template <class T, class Visit>
KnnReduced<T> reduced(std::size_t rows, int dim, Reduction what, KnnOptions const& o,
                      Visit const& visit) {
    check_reduction(what, dim, o);
    KnnReduced<T> r;
    r.values = Buffer<T>(rows);
    r.stats = with_reduction(what, r.values.data(), dim, o.k, visit);
    settle_densities<T>(r.values);
    return r;
}

template <class T>
bool is_lost(T density) {
    return std::isnan(density) || density < 0;
}

}  // namespace

void check_reduction(Reduction what, int dim, KnnOptions const& o) {
    if (what == Reduction::sph && dim > 3)
        throw InputError(fmt::format("the SPH density is for one to three dimensions, not for {}", dim));
    if (what != Reduction::radius && o.within < infinity<double>)
        throw InputError("a density is that of all k neighbours, wherever they are: leave out within");
}

template <class T>
LostDensities lost_densities(std::span<T const> values) {
    return {std::uint64_t(std::count_if(values.begin(), values.end(), is_lost<T>)), values.size()};
}
template <class T>
void settle_densities(std::span<T> values, LostDensities const& of_call) {
    if (of_call.lost == 0) return;
    if (of_call.lost > of_call.all / 2) refuse_range<T>("densities");
    for (T& x : values)
        if (is_lost(x)) x = std::isnan(x) ? T(0) : infinity<T>;
}

template <class T>
KnnReduced<T> reduce_knn(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                         Reduction what, KnnOptions const& o, Cpu const& cpu) {
    return reduced<T>(queries ? queries->size : sources.size, sources.dim, what, o, [&](auto const& f) {
        return queries ? knn_visit(sources, *queries, f, o, cpu) : knn_visit(sources, f, o, cpu);
    });
}
template <class T>
KnnReduced<T> reduce_knn(Index<T> const& index, std::type_identity_t<Points<T>> const* queries,
                         Reduction what, KnnOptions const& o, Kept) {
    return reduced<T>(queries ? queries->size : index.size(), index.dim(), what, o, [&](auto const& f) {
        return queries ? knn_visit(index, *queries, f, o) : knn_visit(index, f, o);
    });
}

#define ZWALK_DENSITY(T)                                                                               \
    template LostDensities lost_densities(std::span<T const>);                                         \
    template void settle_densities(std::span<T>, LostDensities const&);                                \
    template KnnReduced<T> reduce_knn(Points<T>, Points<T> const*, Reduction, KnnOptions const&,       \
                                      Cpu const&);                                                     \
    template KnnReduced<T> reduce_knn(Index<T> const&, Points<T> const*, Reduction, KnnOptions const&, \
                                      Kept);
ZWALK_DENSITY(float)
ZWALK_DENSITY(double)

}  // namespace zwalk::inline v0::detail
