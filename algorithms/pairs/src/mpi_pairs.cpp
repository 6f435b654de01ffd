#include "rank_driver.hpp"

namespace zwalk::inline v0::detail {

template <class T>
PairCountsOnRanks count_pairs(Points<T> points, std::type_identity_t<Points<T>> const* second,
                              PairOptions const& options, Mpi const& mpi, Cpu const& cpu) {
    Comm comm(mpi);
    Cpu place = cpu;
    using OnThreads = decltype(rank_place(&place, CpuDims{}));
    return PairsRanks<T, OnThreads>(comm, cpu, {&place}, options).run(points, second);
}
template <class T>
PairCountsOnRanks count_pairs(Points<T> points, std::type_identity_t<Points<T>> const* second,
                              PairOptions const& options, Mpi const& mpi, Cuda const& cuda,
                              Cpu const& cpu) {
    Comm comm(mpi);
    return on_rank_cuda(comm, CudaDims{}, CpuDims{}, cuda, [&]<class Place>(Place place) {
        return PairsRanks<T, Place>(comm, cpu, place, options).run(points, second);
    });
}

#define ZWALK_PAIRS_ON_RANKS(T)                                                                         \
    template PairCountsOnRanks count_pairs(Points<T>, Points<T> const*, PairOptions const&, Mpi const&, \
                                           Cpu const&);                                                 \
    template PairCountsOnRanks count_pairs(Points<T>, Points<T> const*, PairOptions const&, Mpi const&, \
                                           Cuda const&, Cpu const&);
ZWALK_PAIRS_ON_RANKS(float)
ZWALK_PAIRS_ON_RANKS(double)

}  // namespace zwalk::inline v0::detail
