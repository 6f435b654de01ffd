#include "rank_driver.hpp"

namespace zwalk::inline v0::detail {

template <class T>
PairCountsOnRanks count_pairs(RankInput<T> const& points, std::type_identity_t<Points<T>> const* second,
                              PairOptions const& o, RankCall const& call) {
    return on_ranks(call, CudaDims{}, CpuDims{}, [&]<class Place>(Comm& comm, Place place) {
        return PairsRanks<T, Place>(comm, call.cpu, place, o).run(points.local, second);
    });
}

#define ZWALK_PAIRS_ON_RANKS(T)                                                                       \
    template PairCountsOnRanks count_pairs(RankInput<T> const&, Points<T> const*, PairOptions const&, \
                                           RankCall const&);
ZWALK_PAIRS_ON_RANKS(float)
ZWALK_PAIRS_ON_RANKS(double)

}  // namespace zwalk::inline v0::detail
