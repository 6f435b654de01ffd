// Imports for lists of list traits by what points carry, on MPI ranks, each compiled once for its dimension and type. Those that
// look within one radius have one in common: rank_within.hpp.
#pragma once
#include <utility>
#include <vector>

#include "zwalk/run/detail/rank_lists.hpp"
#include "zwalk/run/rank_points.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The points that were imported for lists.
template <class T, class Payload, class Summary>
struct ListSources : ImportedPoints<T> {
    std::vector<Payload> carried;  ///< by each of them, if they carry something
    KnownNodes<Summary> known;     ///< of counts: WalkInputs::known
};
template <class L>
using ListSourcesOf = ListSources<typename L::real, typename L::Payload, typename L::Summary>;

/// What lists of the targets need of `sources`, which carry nothing unless they are the targets. Defined by ZWALK_LISTS_IMPORT in
/// files that zwalk_add_walk(... LISTS IMPORTED) generates. Collective.
template <class L>
struct CompiledListImport {
    using T = typename L::real;
    /// @param counts   nodes that are wanted as a whole need no points
    /// @param carried  by the targets
    static ListSourcesOf<L> run(RankPoints<T>& targets, RankPoints<T>& sources, L const& list,
                                bool counts, ColumnsView<typename L::Payload> const& carried);
};

template <class L, class Need>
ListSourcesOf<L> import_listed(RankPoints<typename L::real>& targets,
                               RankPoints<typename L::real>& sources, Need const& need,
                               ColumnsView<typename L::Payload> const& carried) {
    ColumnsView<typename L::Payload> const none{};
    auto all = targets.import_from(sources, need, carried, &targets == &sources ? carried : none);
    auto payload = std::move(all.payload);
    auto known = std::move(all.known);
    return {std::move(all), std::move(payload), std::move(known)};
}

/// Compiles the imports for lists of Trait<D, T>.
#define ZWALK_LISTS_IMPORT(Trait, D, T)                                                                \
    template <>                                                                                        \
    ListSourcesOf<Trait<D, T>> CompiledListImport<Trait<D, T>>::run(                                   \
        RankPoints<T>& targets, RankPoints<T>& sources, Trait<D, T> const& list, bool counts,          \
        ColumnsView<Trait<D, T>::Payload> const& carried) {                                            \
        using L = Trait<D, T>;                                                                         \
        if (counts) return import_listed<L>(targets, sources, CountListed<L>(list, nullptr), carried); \
        return import_listed<L>(targets, sources, NeedListed<L>(list, {}), carried);                   \
    }

}}}  // namespace zwalk::v0::detail
