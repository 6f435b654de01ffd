#include "zwalk/run/detail/rank_within.hpp"

#include "compiled_dims.hpp"
#include "rank_imports.hpp"
#include "zwalk/run/dims.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

template <By by, class T>
CountedWithin<T> import_by(RankPoints<T>& points, RankPoints<T>& sources, T radius) {
    return with_dim<CountedWithin<T>>(CpuDims{}, points.dim(), [&]<int D>() -> CountedWithin<T> {
        return ImportWithin<D, by, T>::run(points, sources, radius);
    });
}

}  // namespace

template <class T>
ImportedPoints<T> import_within(RankPoints<T>& points, RankPoints<T>& sources, T radius) {
    return import_by<By::points>(points, sources, radius);
}
template <class T>
CountedWithin<T> import_counted_within(RankPoints<T>& points, RankPoints<T>& sources, T radius) {
    return import_by<By::nodes>(points, sources, radius);
}

template <class T>
ImportedPoints<T> import_pairs_within(RankPoints<T>& points, T radius) {
    return import_by<By::pairs>(points, points, radius);
}

template ImportedPoints<float> import_within(RankPoints<float>&, RankPoints<float>&, float);
template ImportedPoints<double> import_within(RankPoints<double>&, RankPoints<double>&, double);
template CountedWithin<float> import_counted_within(RankPoints<float>&, RankPoints<float>&, float);
template CountedWithin<double> import_counted_within(RankPoints<double>&, RankPoints<double>&, double);
template ImportedPoints<float> import_pairs_within(RankPoints<float>&, float);
template ImportedPoints<double> import_pairs_within(RankPoints<double>&, double);

}}}  // namespace zwalk::v0::detail
