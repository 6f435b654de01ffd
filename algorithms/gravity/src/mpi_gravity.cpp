#include "rank_driver.hpp"

namespace zwalk::inline v0 {

template <class T>
static GravityOnRanks<T> find_gravity(Points<T> local, GravityOptions const& o,
                                      detail::RankCall const& call) {
    using namespace detail;
    return on_ranks(call, GravityCudaDims{}, Dims<3>{}, [&]<class Place>(Comm& comm, Place place) {
        return GravityRanks<T, Place>(comm, call.cpu, place, o).run(local);
    });
}

template <class T>
GravityOnRanks<T> gravity(Points<T> local, GravityOptions const& options, Mpi const& mpi,
                          Cpu const& cpu) {
    return find_gravity(local, options, {mpi, cpu});
}
template <class T>
GravityOnRanks<T> gravity(Points<T> local, GravityOptions const& options, Mpi const& mpi,
                          Cuda const& cuda, Cpu const& cpu) {
    return find_gravity(local, options, {mpi, cuda, cpu});
}

#define ZWALK_GRAVITY_ON_RANKS(T)                                                                 \
    template GravityOnRanks<T> gravity(Points<T>, GravityOptions const&, Mpi const&, Cpu const&); \
    template GravityOnRanks<T> gravity(Points<T>, GravityOptions const&, Mpi const&, Cuda const&, \
                                       Cpu const&);
ZWALK_GRAVITY_ON_RANKS(float)
ZWALK_GRAVITY_ON_RANKS(double)

}  // namespace zwalk::inline v0
