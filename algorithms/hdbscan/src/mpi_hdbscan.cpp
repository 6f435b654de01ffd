#include "rank_driver.hpp"
#include "rank_weighted.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T>
HdbscanResult<T> find_clusters(RankInput<T> const& local, HdbscanOptions const& options,
                               RankCall const& call) {
    Comm comm(call.mpi);
    auto const tree_of = [&](EmstOptions const& o, bool weighted) {
        if (weighted) return weighted_tree(comm, local, options.weights, samples_of(options), o, call);
        return Called<EmstCall, RankInput<T>, RankCall>::run(local, nullptr, o, call);
    };
    auto const cut_by = [&](std::size_t points, EmstResult<T>&& tree, HdbscanOptions const& o) {
        if (call.cuda) return cut<T>(points, std::move(tree), o, *call.cuda, call.cpu);
        return cut<T>(points, std::move(tree), o, call.cpu);
    };
    return hdbscan_on(comm, local.rows, options, call.cpu, tree_of, cut_by);
}

template HdbscanResult<float> find_clusters(RankInput<float> const&, HdbscanOptions const&,
                                            RankCall const&);
template HdbscanResult<double> find_clusters(RankInput<double> const&, HdbscanOptions const&,
                                             RankCall const&);

}}}  // namespace zwalk::v0::detail
