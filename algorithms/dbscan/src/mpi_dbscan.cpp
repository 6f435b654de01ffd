#include "rank_driver.hpp"

namespace zwalk::inline v0::detail {

template <class T>
DbscanOnRanks find_clusters(RankInput<T> const& local, DbscanOptions const& o, Mpi const& mpi,
                            Cpu const& cpu) {
    Comm comm(mpi);
    Cpu place = cpu;
    using OnThreads = decltype(rank_place(&place, CpuDims{}));
    return DbscanRanks<T, OnThreads>(comm, cpu, {&place}, o).run(local);
}
template <class T>
DbscanOnRanks find_clusters(RankInput<T> const& local, DbscanOptions const& o, Mpi const& mpi,
                            Cuda const& cuda, Cpu const& cpu) {
    Comm comm(mpi);
    return on_rank_cuda(comm, CudaDims{}, CpuDims{}, cuda, [&]<class Place>(Place place) {
        return DbscanRanks<T, Place>(comm, cpu, place, o).run(local);
    });
}

#define ZWALK_DBSCAN_ON_RANKS(T)                                                                \
    template DbscanOnRanks find_clusters(RankInput<T> const&, DbscanOptions const&, Mpi const&, \
                                         Cpu const&);                                           \
    template DbscanOnRanks find_clusters(RankInput<T> const&, DbscanOptions const&, Mpi const&, \
                                         Cuda const&, Cpu const&);
ZWALK_DBSCAN_ON_RANKS(float)
ZWALK_DBSCAN_ON_RANKS(double)

}  // namespace zwalk::inline v0::detail
