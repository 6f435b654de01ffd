#include "rank_driver.hpp"

namespace zwalk::inline v0::detail {

template <class T>
KnnReduced<T, Mpi> reduce_knn(RankInput<T> const& sources,
                              std::type_identity_t<Points<T>> const* queries, Reduction what,
                              KnnOptions const& o, RankCall const& call) {
    return on_ranks(call, CudaDims{}, CpuDims{}, [&](Comm& comm, auto place) {
        return reduce_on_ranks(comm, call.cpu, place, what, o, sources, queries);
    });
}

#define ZWALK_DENSITY_ON_RANKS(T)                                                            \
    template KnnReduced<T, Mpi> reduce_knn(RankInput<T> const&, Points<T> const*, Reduction, \
                                           KnnOptions const&, RankCall const&);
ZWALK_DENSITY_ON_RANKS(float)
ZWALK_DENSITY_ON_RANKS(double)

}  // namespace zwalk::inline v0::detail
