#include "rank_driver.hpp"
#include "zwalk/run/rank_index.hpp"

#include <algorithm>

namespace zwalk::inline v0 {

namespace detail {
namespace {

template <class T>
HdbscanOnRanks<T> find_hierarchy(RankInput<T> const& local, HdbscanOptions const& options,
                                 RankCall const& call) {
    Comm comm(call.mpi);
    return hdbscan_on(comm, local.rows, options, call.cpu, [&](EmstOptions const& o) {
        return Called<EmstCall, RankInput<T>, RankCall>::run(local, o, call);
    });
}

}  // namespace
}  // namespace detail

template <class T>
HdbscanOnRanks<T> hdbscan(Points<T> local, HdbscanOptions const& options, Mpi const& mpi,
                          Cpu const& cpu) {
    return detail::find_hierarchy<T>(local, options, {mpi, cpu});
}
template <class T>
HdbscanOnRanks<T> hdbscan(Points<T> local, HdbscanOptions const& options, Mpi const& mpi,
                          Cuda const& cuda, Cpu const& cpu) {
    return detail::find_hierarchy<T>(local, options, {mpi, cuda, cpu});
}
template <class T>
HdbscanOnRanks<T> hdbscan(RankIndex<T> const& index, HdbscanOptions const& options) {
    return detail::find_hierarchy<T>(index, options, {index.mpi(), index.cpu()});
}
template <class T>
HdbscanOnRanks<T> hdbscan(RankIndex<T> const& index, HdbscanOptions const& options, Cuda const& cuda) {
    return detail::find_hierarchy<T>(index, options, {index.mpi(), cuda, index.cpu()});
}

Need hdbscan_rank_memory(std::uint64_t points, std::uint64_t total, int dim, std::size_t item_bytes,
                         HdbscanOptions const& o, bool makes_clusters) {
    Need need = emst_rank_memory(points, dim, item_bytes, detail::tree_options(total, o).min_samples);
    if (makes_clusters) need.result = std::max(need.result, detail::cluster_bytes(total, o));
    return need;
}

#define ZWALK_HDBSCAN_ON_RANKS(T)                                                                 \
    template HdbscanOnRanks<T> hdbscan(Points<T>, HdbscanOptions const&, Mpi const&, Cpu const&); \
    template HdbscanOnRanks<T> hdbscan(Points<T>, HdbscanOptions const&, Mpi const&, Cuda const&, \
                                       Cpu const&);                                               \
    template HdbscanOnRanks<T> hdbscan(RankIndex<T> const&, HdbscanOptions const&);               \
    template HdbscanOnRanks<T> hdbscan(RankIndex<T> const&, HdbscanOptions const&, Cuda const&);
ZWALK_HDBSCAN_ON_RANKS(float)
ZWALK_HDBSCAN_ON_RANKS(double)

}  // namespace zwalk::inline v0
