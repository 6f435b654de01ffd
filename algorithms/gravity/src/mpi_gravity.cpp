#include "rank_driver.hpp"

namespace zwalk::inline v0 {

using namespace detail;

template <class T>
GravityOnRanks<T> gravity(Points<T> local, GravityOptions const& options, Mpi const& mpi,
                          Cpu const& cpu) {
    Comm comm(mpi);
    Cpu place = cpu;
    using OnThreads = decltype(rank_place(&place, Dims<3>{}));
    return GravityRanks<T, OnThreads>(comm, cpu, {&place}, options).run(local);
}
template <class T>
GravityOnRanks<T> gravity(Points<T> local, GravityOptions const& options, Mpi const& mpi,
                          Cuda const& cuda, Cpu const& cpu) {
    Comm comm(mpi);
    return on_rank_cuda(comm, GravityCudaDims{}, Dims<3>{}, cuda, [&]<class Place>(Place place) {
        return GravityRanks<T, Place>(comm, cpu, place, options).run(local);
    });
}

#define ZWALK_GRAVITY_ON_RANKS(T)                                                                 \
    template GravityOnRanks<T> gravity(Points<T>, GravityOptions const&, Mpi const&, Cpu const&); \
    template GravityOnRanks<T> gravity(Points<T>, GravityOptions const&, Mpi const&, Cuda const&, \
                                       Cpu const&);
ZWALK_GRAVITY_ON_RANKS(float)
ZWALK_GRAVITY_ON_RANKS(double)

}  // namespace zwalk::inline v0
