#include "rank_driver.hpp"

namespace zwalk::inline v0::detail {

template <class T>
RadiusOnRanks<T> find_radius(RankInput<T> const& sources, std::type_identity_t<Points<T>> const* queries,
                             RadiusOptions const& o, RankCall const& call, RadiusWork work,
                             ListVisitor<T> const& visitor) {
    return on_ranks(call, CudaDims{}, CpuDims{}, [&]<class Place>(Comm& comm, Place place) {
        return RadiusRanks<T, Place>(comm, call.cpu, place, o, work, visitor).run(sources, queries);
    });
}

#define ZWALK_RADIUS_ON_RANKS(T)                                                                       \
    template RadiusOnRanks<T> find_radius(RankInput<T> const&, Points<T> const*, RadiusOptions const&, \
                                          RankCall const&, RadiusWork, ListVisitor<T> const&);
ZWALK_RADIUS_ON_RANKS(float)
ZWALK_RADIUS_ON_RANKS(double)

}  // namespace zwalk::inline v0::detail
