#include "zwalk/knn/knn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "job.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/tree/extent.hpp"
#include "zwalk/core/validate.hpp"

namespace zwalk::inline v0 {
namespace {

using namespace detail;

/// Calls run_knn with the smallest compiled dimension that holds the data.
template <class T, int... D>
KnnResult<T> dispatch(int dim, Cpu const& cpu, KnnJob<T> const& job) {
    KnnResult<T> result;
    bool found = false;
    auto const try_one = [&]<int d>() {
        if (found || dim > d) return;
        found = true;
        result = run_knn<d, T>(cpu, job);
    };
    (try_one.template operator()<D>(), ...);
    if (!found)
        throw InputError(fmt::format("the points have {} columns, but this build has kernels for "
                                     "at most {}: build with a larger dimension in ZWALK_DIMS",
                                     dim, std::max({D...})));
    return result;
}

/// The periods of all axes in the precision T, +infinity for open ones, if the data fits in them.
template <class T>
std::vector<T> checked_period(KnnJob<T> const& job) {
    auto const& box = job.options.box;
    std::size_t const dim = std::size_t(job.sources.dim);
    if (box.size() != 1 && box.size() != dim)
        throw InputError(fmt::format("the box has {} lengths, but the points have {} columns: give "
                                     "one length for all axes, or one for each",
                                     box.size(), dim));
    std::vector<T> period(dim);
    for (std::size_t j = 0; j < dim; ++j) period[j] = T(box[box.size() == 1 ? 0 : j]);
    Extent<T> extent = find_extent(job.sources);
    if (job.queries) extent.add(find_extent(*job.queries));
    check_box(extent.lo.data(), extent.hi.data(), period.data(), int(dim));
    for (T& length : period)
        if (length == 0) length = infinity<T>;
    return period;
}

template <class T>
KnnResult<T> checked_knn(Points<T> sources, Points<T> const* queries, KnnOptions const& o) {
    if (o.k < 1)
        throw InputError(fmt::format("k must be at least 1, but is {}", o.k));
    if (o.k > index_t(max_points))
        throw InputError(fmt::format("k = {} is more than one device can hold ({})", o.k,
                                     max_points));
    if (queries && o.exclude_self)
        throw InputError("exclude_self needs the points to be their own queries: leave out either "
                         "the queries or exclude_self");
    if (queries && queries->dim != sources.dim)
        throw InputError(fmt::format("queries have {} columns, but the points have {}",
                                     queries->dim, sources.dim));
    Cpu const cpu(o.threads);
    return cpu.run([&] {
        KnnJob<T> job{sources, queries, {}, o};
        check_points(sources, "points");
        if (queries) check_points(*queries, "queries");
        if (!o.box.empty()) job.period = checked_period(job);
        return dispatch<T, ZWALK_DIMS>(sources.dim, cpu, job);
    });
}

}  // namespace

template <class T>
KnnResult<T> knn(Points<T> points, KnnOptions const& options) {
    return checked_knn<T>(points, nullptr, options);
}
template <class T>
KnnResult<T> knn(Points<T> sources, Points<T> queries, KnnOptions const& options) {
    return checked_knn<T>(sources, &queries, options);
}

template KnnResult<float> knn(Points<float>, KnnOptions const&);
template KnnResult<double> knn(Points<double>, KnnOptions const&);
template KnnResult<float> knn(Points<float>, Points<float>, KnnOptions const&);
template KnnResult<double> knn(Points<double>, Points<double>, KnnOptions const&);

}  // namespace zwalk::inline v0
