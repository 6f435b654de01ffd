// Cuts of a decision graph whose rows are spread over ranks: rank 0 gets all of them.
#include <algorithm>

#include "zwalk/peaks/clusters.hpp"
#include "zwalk/ranks/agree_on.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

/// Where the rows of this rank go.
Routes to_first(Comm& comm, std::uint64_t own) {
    return comm.routes(comm.attempt([&] {
        std::vector<std::uint64_t> sent(std::size_t(comm.size()) + 1, own);
        sent[0] = 0;
        return sent;
    }));
}

}  // namespace

template <class T>
PeaksClusters cut_peaks(PeaksView<T> const& own, PeaksCut const& cut, RankCall const& call) {
    Comm comm(call.mpi);
    agree_on(comm,
             {{"clusters", cut.clusters}, {"min_delta", cut.min_delta}, {"max_radius", cut.max_radius}});
    comm.agree([&] { check_lengths(own.radius.size(), own.delta.size(), own.nearest_denser.size()); });
    auto const routes = to_first(comm, own.radius.size());
    auto const radius = comm.exchange(routes, own.radius);
    auto const delta = comm.exchange(routes, own.delta);
    auto const denser = comm.exchange(routes, own.nearest_denser);
    auto found = comm.agree([&] {
        PeaksView<T> const all{radius, delta, denser};
        return comm.rank() == 0 ? cut_peaks(all, cut, call.cpu) : PeaksClusters{};
    });
    found.labels = comm.exchange(routes.back(), std::span<index_t const>(found.labels));
    auto const centres = comm.gather_all(std::span<index_t const>(found.centres));
    comm.agree([&] { found.centres.assign(centres.records.begin(), centres.records.end()); });
    return found;
}

template PeaksClusters cut_peaks(PeaksView<float> const&, PeaksCut const&, RankCall const&);
template PeaksClusters cut_peaks(PeaksView<double> const&, PeaksCut const&, RankCall const&);

}}}  // namespace zwalk::v0::detail
