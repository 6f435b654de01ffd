#include "rank_radii.hpp"

#include <utility>

#include "compiled_dims.hpp"
#include "zwalk/run/dims.hpp"
#include "zwalk/run/rank_lists.hpp"

namespace zwalk::inline v0::detail {
namespace {

template <class T, class Need>
ImportedRadii<T> import_for(RankPoints<T>& targets, RankPoints<T>& sources, Need const& need,
                            ColumnsView<OwnRadius<T>> const& radii) {
    ColumnsView<OwnRadius<T>> const none{};
    auto all = targets.import_from(sources, need, radii, &targets == &sources ? radii : none);
    auto given = std::move(all.payload);
    auto known = std::move(all.known);
    return {std::move(all), std::move(given), std::move(known)};
}

}  // namespace

template <class T>
ImportedRadii<T> import_radii(Comm& comm, RankPoints<T>& targets, RankPoints<T>& sources,
                              std::span<OwnRadius<T> const> radii, bool larger, bool counts) {
    auto const columns = comm.agree([&] { return Columns<OwnRadius<T>>(radii); });
    return with_dim<ImportedRadii<T>>(CpuDims{}, targets.dim(), [&]<int D>() {
        WithinRadii<D, T> within;
        within.larger = larger;
        using List = WithinRadii<D, T>;
        if (counts)
            return import_for(targets, sources, CountListed<List>(within, nullptr), columns.view());
        return import_for(targets, sources, NeedListed<List>(within, {}), columns.view());
    });
}

template ImportedRadii<float> import_radii(Comm&, RankPoints<float>&, RankPoints<float>&,
                                           std::span<OwnRadius<float> const>, bool, bool);
template ImportedRadii<double> import_radii(Comm&, RankPoints<double>&, RankPoints<double>&,
                                            std::span<OwnRadius<double> const>, bool, bool);

}  // namespace zwalk::inline v0::detail
