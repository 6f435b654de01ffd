#include "rank_driver.hpp"
#include "zwalk/emst/given_cores.hpp"
#include "zwalk/run/where.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T>
EmstResult<T, Mpi> find_tree(RankInput<T> const& local, EmstOptions const& o, RankCall const& call) {
    return on_ranks(call, CudaDims{}, CpuDims{}, [&]<class Place>(Comm& comm, Place place) {
        return EmstRanks<T, Place>(comm, call.cpu, place, o).run(local);
    });
}

template <class T>
EmstResult<T, Mpi> tree_with_cores(RankInput<T> const& local, std::span<T const> cores, EmstOptions o,
                                   RankCall const& call) {
    o.min_samples = 2;  // distances are mutual
    return on_ranks(call, CudaDims{}, CpuDims{}, [&]<class Place>(Comm& comm, Place place) {
        return EmstRanks<T, Place>(comm, call.cpu, place, o, cores).run(local);
    });
}
template EmstResult<float, Mpi> tree_with_cores(RankInput<float> const&, std::span<float const>,
                                                EmstOptions, RankCall const&);
template EmstResult<double, Mpi> tree_with_cores(RankInput<double> const&, std::span<double const>,
                                                 EmstOptions, RankCall const&);

#define ZWALK_TREE_ON_RANKS(T)                                                                         \
    template <>                                                                                        \
    EmstResult<T, Mpi> Called<EmstCall, RankInput<T>, RankCall>::run(                                  \
        RankInput<T> const& local, std::nullptr_t, EmstOptions const& options, RankCall const& call) { \
        return find_tree<T>(local, options, call);                                                     \
    }
ZWALK_TREE_ON_RANKS(float)
ZWALK_TREE_ON_RANKS(double)

}}}  // namespace zwalk::v0::detail
