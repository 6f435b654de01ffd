#include "zwalk/run/rank_nearest.hpp"

#include "compiled_dims.hpp"
#include "rank_imports.hpp"
#include "zwalk/run/dims.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T>
ImportedPoints<T> import_for_nearest(RankPoints<T>& points, RankPoints<T>& sources, pos_t k,
                                     bool exclude_self, T limit2) {
    return with_dim<ImportedPoints<T>>(CpuDims{}, points.dim(), [&]<int D>() -> ImportedPoints<T> {
        return ImportForNearest<D, T>::run(points, sources, k, exclude_self, limit2);
    });
}

template ImportedPoints<float> import_for_nearest(RankPoints<float>&, RankPoints<float>&, pos_t, bool,
                                                  float);
template ImportedPoints<double> import_for_nearest(RankPoints<double>&, RankPoints<double>&, pos_t, bool,
                                                   double);

}}}  // namespace zwalk::v0::detail
