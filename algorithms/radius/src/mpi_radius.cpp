#include "rank_driver.hpp"

namespace zwalk::inline v0::detail {

template <class T>
RadiusOnRanks<T> find_radius(RankInput<T> const& sources, std::type_identity_t<Points<T>> const* queries,
                             RadiusOptions const& o, Mpi const& mpi, Cpu const& cpu, RadiusWork work,
                             ListVisitor<T> const& visitor) {
    Comm comm(mpi);
    Cpu place = cpu;
    using OnThreads = decltype(rank_place(&place, CpuDims{}));
    return RadiusRanks<T, OnThreads>(comm, cpu, {&place}, o, work, visitor).run(sources, queries);
}
template <class T>
RadiusOnRanks<T> find_radius(RankInput<T> const& sources, std::type_identity_t<Points<T>> const* queries,
                             RadiusOptions const& o, Mpi const& mpi, Cuda const& cuda, Cpu const& cpu,
                             RadiusWork work) {
    Comm comm(mpi);
    return on_rank_cuda(comm, CudaDims{}, CpuDims{}, cuda, [&]<class Place>(Place place) {
        return RadiusRanks<T, Place>(comm, cpu, place, o, work, {}).run(sources, queries);
    });
}

#define ZWALK_RADIUS_ON_RANKS(T)                                                                       \
    template RadiusOnRanks<T> find_radius(RankInput<T> const&, Points<T> const*, RadiusOptions const&, \
                                          Mpi const&, Cpu const&, RadiusWork, ListVisitor<T> const&);  \
    template RadiusOnRanks<T> find_radius(RankInput<T> const&, Points<T> const*, RadiusOptions const&, \
                                          Mpi const&, Cuda const&, Cpu const&, RadiusWork);
ZWALK_RADIUS_ON_RANKS(float)
ZWALK_RADIUS_ON_RANKS(double)

}  // namespace zwalk::inline v0::detail
