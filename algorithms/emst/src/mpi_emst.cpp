#include "rank_driver.hpp"
#include "zwalk/run/where.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T>
EmstResult<T, Mpi> find_tree(RankInput<T> const& local, EmstOptions const& o, RankCall const& call) {
    return on_ranks(call, CudaDims{}, CpuDims{}, [&]<class Place>(Comm& comm, Place place) {
        return EmstRanks<T, Place>(comm, call.cpu, place, o).run(local);
    });
}

#define ZWALK_TREE_ON_RANKS(T)                                                                         \
    template <>                                                                                        \
    EmstResult<T, Mpi> Called<EmstCall, RankInput<T>, RankCall>::run(                                  \
        RankInput<T> const& local, std::nullptr_t, EmstOptions const& options, RankCall const& call) { \
        return find_tree<T>(local, options, call);                                                     \
    }
ZWALK_TREE_ON_RANKS(float)
ZWALK_TREE_ON_RANKS(double)

}}}  // namespace zwalk::v0::detail
