#include "zwalk/density/density.hpp"

#include <algorithm>
#include <cmath>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/core/validate.hpp"
#include "zwalk/run/calls.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

template <class T>
bool is_lost(T density) {
    return std::isnan(density) || density < 0;
}

}  // namespace

void check_reduction(Reduction what, int dim, KnnOptions const& o) {
    if (what == Reduction::sph && dim > 3)
        throw InputError(
            detail::text("the SPH density is for one to three dimensions, not for {}", dim));
    if (what != Reduction::radius && o.within < infinity<double>)
        throw InputError("a density is that of all k neighbours, wherever they are: leave out within");
}

void check_has_masses(Reduction what) {
    if (what == Reduction::radius)
        throw InputError("the distance to the k-th neighbour has no masses in it: leave them out");
}

template <class T>
void check_sums_of_masses(std::span<T const> masses, index_t k) {
    if (masses.empty()) return;
    auto const largest = double(*std::max_element(masses.begin(), masses.end()));
    if (!(largest * double(k) < infinity<double>))
        throw InputError(
            detail::text("{} masses of {} leave the range of double precision together: use other units",
                         k, largest));
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
void ReduceAlgorithm::check(ReduceAsked const& o, CallSets const& sets) {
    check_reduction(o.what, sets.points.dim, o);
    check_options(o, sets);
}

#define ZWALK_DENSITY(T)                                                          \
    template void check_sums_of_masses(std::span<T const>, index_t);              \
    template LostDensities lost_densities(std::span<T const>);                    \
    template void settle_densities(std::span<T>, LostDensities const&);           \
    template void ReduceAlgorithm::check<T>(ReduceAsked const&, CallSets const&); \
    template struct Called<ReduceCall, Points<T>, Cpu>;                           \
    template struct Called<ReduceCall, Points<T>, Cuda>;                          \
    template struct Called<ReduceCall, Index<T>, Kept>;                           \
    template struct Called<ReduceCall, CudaIndex<T>, Kept>;
ZWALK_DENSITY(float)
ZWALK_DENSITY(double)

}}}  // namespace zwalk::v0::detail
