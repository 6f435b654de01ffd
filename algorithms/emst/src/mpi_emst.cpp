#include "rank_driver.hpp"

namespace zwalk::inline v0::detail {

template <class T>
EmstOnRanks<T> find_tree(RankInput<T> const& local, EmstOptions const& o, RankCall const& call) {
    return on_ranks(call, CudaDims{}, CpuDims{}, [&]<class Place>(Comm& comm, Place place) {
        return EmstRanks<T, Place>(comm, call.cpu, place, o).run(local);
    });
}

template EmstOnRanks<float> find_tree(RankInput<float> const&, EmstOptions const&, RankCall const&);
template EmstOnRanks<double> find_tree(RankInput<double> const&, EmstOptions const&, RankCall const&);

}  // namespace zwalk::inline v0::detail
