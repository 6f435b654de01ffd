#include "zwalk/knn/knn.hpp"
#include "zwalk/core/validate.hpp"

#include "checks.hpp"
#include "job.hpp"
#include "zwalk/tree/box.hpp"

namespace zwalk::inline v0 {
namespace {

using namespace detail;

template <class T>
KnnResult<T> checked_knn(Points<T> sources, Points<T> const* queries, KnnOptions const& o,
                         KnnVisitor<T> const& visitor = {}) {
    check_k(o.k);
    if (queries && o.exclude_self)
        throw InputError(
            "exclude_self needs the points to be their own queries: leave out either "
            "the queries or exclude_self");
    if (queries) check_columns(queries->dim, sources.dim);
    Cpu const cpu(o.threads);
    return cpu.run([&] {
        KnnJob<T> job{sources, queries, {}, o, visitor};
        check_points(sources, "points");
        if (queries) check_points(*queries, "queries");
        if (!o.box.empty()) {
            Extent<T> extent = find_extent(sources);
            if (queries) extent.add(find_extent(*queries));
            job.period = checked_period(o.box, extent);
        }
        return with_dim<KnnResult<T>>(Dims<ZWALK_DIMS>{}, sources.dim,
                                      [&]<int D>() { return run_knn<D, T>(cpu, job); });
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

template <class T>
Stats detail::visit_knn(Points<T> sources, Points<T> const* queries, KnnVisitor<T> const& visitor,
                        KnnOptions const& options) {
    return checked_knn<T>(sources, queries, options, visitor).stats;
}

template Stats detail::visit_knn(Points<float>, Points<float> const*, KnnVisitor<float> const&,
                                 KnnOptions const&);
template Stats detail::visit_knn(Points<double>, Points<double> const*, KnnVisitor<double> const&,
                                 KnnOptions const&);
template KnnResult<float> knn(Points<float>, KnnOptions const&);
template KnnResult<double> knn(Points<double>, KnnOptions const&);
template KnnResult<float> knn(Points<float>, Points<float>, KnnOptions const&);
template KnnResult<double> knn(Points<double>, Points<double>, KnnOptions const&);

}  // namespace zwalk::inline v0
