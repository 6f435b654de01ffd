#include "rank_driver.hpp"

namespace zwalk::inline v0::detail {

template <class T>
EmstOnRanks<T> find_tree(RankInput<T> const& local, EmstOptions const& o, Mpi const& mpi,
                         Cpu const& cpu) {
    Comm comm(mpi);
    Cpu place = cpu;
    using OnThreads = decltype(rank_place(&place, CpuDims{}));
    return EmstRanks<T, OnThreads>(comm, cpu, {&place}, o).run(local);
}
template <class T>
EmstOnRanks<T> find_tree(RankInput<T> const& local, EmstOptions const& o, Mpi const& mpi,
                         Cuda const& cuda, Cpu const& cpu) {
    Comm comm(mpi);
    return on_rank_cuda(comm, CudaDims{}, CpuDims{}, cuda, [&]<class Place>(Place place) {
        return EmstRanks<T, Place>(comm, cpu, place, o).run(local);
    });
}

#define ZWALK_EMST_ON_RANKS(T)                                                                          \
    template EmstOnRanks<T> find_tree(RankInput<T> const&, EmstOptions const&, Mpi const&, Cpu const&); \
    template EmstOnRanks<T> find_tree(RankInput<T> const&, EmstOptions const&, Mpi const&, Cuda const&, \
                                      Cpu const&);
ZWALK_EMST_ON_RANKS(float)
ZWALK_EMST_ON_RANKS(double)

}  // namespace zwalk::inline v0::detail
