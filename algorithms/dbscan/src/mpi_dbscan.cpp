#include "rank_driver.hpp"

namespace zwalk::inline v0::detail {

template <class T>
DbscanOnRanks find_clusters(RankInput<T> const& local, DbscanOptions const& o, RankCall const& call) {
    return on_ranks(call, CudaDims{}, CpuDims{}, [&]<class Place>(Comm& comm, Place place) {
        return DbscanRanks<T, Place>(comm, call.cpu, place, o).run(local);
    });
}

template DbscanOnRanks find_clusters(RankInput<float> const&, DbscanOptions const&, RankCall const&);
template DbscanOnRanks find_clusters(RankInput<double> const&, DbscanOptions const&, RankCall const&);

}  // namespace zwalk::inline v0::detail
