// Imports of sources for shipped traits on MPI ranks, each compiled once for its dimension and type, as walks are
// (compiled_walk.hpp): where the trait decides by what points carry, so that an import for others (rank_within.hpp,
// rank_nearest.hpp) can't stand in for it.
#pragma once
#include "zwalk/run/rank_points.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// RankPoints::import_for() of the trait I. Defined by ZWALK_IMPORT in files that zwalk_add_walk(... IMPORTED) generates. Collective.
template <class I>
struct CompiledImport {
    static Imported<I> run(RankPoints<typename I::real>& points, I const& trait,
                           ColumnsView<typename I::Payload> const& payload);
};

/// Compiles the imports for Trait<D, T>.
#define ZWALK_IMPORT(Trait, D, T)                                    \
    template <>                                                      \
    Imported<Trait<D, T>> CompiledImport<Trait<D, T>>::run(          \
        RankPoints<T>& points, Trait<D, T> const& trait,             \
        ColumnsView<typename Trait<D, T>::Payload> const& payload) { \
        return points.import_for(trait, payload);                    \
    }

}}}  // namespace zwalk::v0::detail
