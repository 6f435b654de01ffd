#include "rank_driver.hpp"

namespace zwalk::inline v0::detail {

template <class T>
KnnReducedOnRanks<T> reduce_knn(RankInput<T> const& sources,
                                std::type_identity_t<Points<T>> const* queries, Reduction what,
                                KnnOptions const& o, Mpi const& mpi, Cpu const& cpu) {
    Comm comm(mpi);
    Cpu place = cpu;
    return reduce_on_ranks(comm, cpu, rank_place(&place, CpuDims{}), what, o, sources, queries);
}
template <class T>
KnnReducedOnRanks<T> reduce_knn(RankInput<T> const& sources,
                                std::type_identity_t<Points<T>> const* queries, Reduction what,
                                KnnOptions const& o, Mpi const& mpi, Cuda const& cuda, Cpu const& cpu) {
    Comm comm(mpi);
    return on_rank_cuda(comm, CudaDims{}, CpuDims{}, cuda, [&](auto place) {
        return reduce_on_ranks(comm, cpu, place, what, o, sources, queries);
    });
}

#define ZWALK_DENSITY_ON_RANKS(T)                                                              \
    template KnnReducedOnRanks<T> reduce_knn(RankInput<T> const&, Points<T> const*, Reduction, \
                                             KnnOptions const&, Mpi const&, Cpu const&);       \
    template KnnReducedOnRanks<T> reduce_knn(RankInput<T> const&, Points<T> const*, Reduction, \
                                             KnnOptions const&, Mpi const&, Cuda const&, Cpu const&);
ZWALK_DENSITY_ON_RANKS(float)
ZWALK_DENSITY_ON_RANKS(double)

}  // namespace zwalk::inline v0::detail
