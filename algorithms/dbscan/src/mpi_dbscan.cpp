#include "compiled_dims.hpp"
#include "driver.hpp"
#include "zwalk/dbscan/dbscan_mpi.hpp"
#include "zwalk/knn/rank_nearest_point.hpp"

namespace zwalk::inline v0::detail {

template <class T>
DbscanOnRanks find_clusters(RankInput<T> const& local, DbscanOptions const& o, RankCall const& call) {
    return on_ranks(call, CudaDims{}, CpuDims{}, [&](Comm& comm, auto const& where) {
        return run_on_ranks<DbscanAlgorithm>(comm, call.cpu, where, local, o);
    });
}

template DbscanOnRanks find_clusters(RankInput<float> const&, DbscanOptions const&, RankCall const&);
template DbscanOnRanks find_clusters(RankInput<double> const&, DbscanOptions const&, RankCall const&);

}  // namespace zwalk::inline v0::detail
