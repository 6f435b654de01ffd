#include "rank_driver.hpp"

namespace zwalk::inline v0::detail {

template <class T>
GravityResult<T, Mpi> find_gravity(RankInput<T> const& local, GravityOptions const& o,
                                   RankCall const& call) {
    return on_ranks(call, GravityCudaDims{}, Dims<3>{}, [&]<class Place>(Comm& comm, Place place) {
        return GravityRanks<T, Place>(comm, call.cpu, place, o).run(local.local);
    });
}

template GravityResult<float, Mpi> find_gravity(RankInput<float> const&, GravityOptions const&,
                                                RankCall const&);
template GravityResult<double, Mpi> find_gravity(RankInput<double> const&, GravityOptions const&,
                                                 RankCall const&);

}  // namespace zwalk::inline v0::detail
