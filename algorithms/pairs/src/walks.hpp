// The walks of pair counts that zwalk_add_walk() compiles, and what some dimensions and places do without.
#pragma once
#include "algorithm.hpp"
#include "device_pairs.hpp"
#include "zwalk/pairs/trait.hpp"
#include "zwalk/run/instance.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <int D, class T>
using PairsByDistancePlain = PairsByDistance<D, T, false>;
template <int D, class T>
using PairsByDistanceWeighted = PairsByDistance<D, T, true>;
template <int D, class T>
using PairsByTwoPlain = PairsByTwo<D, T, false>;
template <int D, class T>
using PairsByTwoWeighted = PairsByTwo<D, T, true>;
template <int D, class T>
using PairsInCellsPlain = PairsInCells<D, T, false>;
template <int D, class T>
using PairsInCellsWeighted = PairsInCells<D, T, true>;

template <int D, class T, class P>
requires(!counts_without_weights(D)) struct WalkOf<PairsByDistance<D, T, false>, P> : NotAsked {
};
template <int D, class T, bool weighted, class P>
requires(is_device<P> || !counts_by_two<D>) struct WalkOf<PairsByTwo<D, T, weighted>, P> : NotAsked {
};
template <int D, class T, bool weighted, class P>
requires(!is_device<P> || !counts_by_two<D>) struct WalkOf<PairsInCells<D, T, weighted>, P> : NotAsked {
};
/// All threads add to cells of the device, whose sums come to the host.
template <int D, class T, bool weighted, class P>
requires(is_device<P>&& counts_by_two<D>) struct WalkOf<PairsInCells<D, T, weighted>, P> {
    using Asked = PairsInCells<D, T, weighted>;
    static constexpr bool is_asked = true;

    template <class Space>
    static WalkCounts run(P& device, Asked const& asked, Space const& space, Tree<T, P> const& targets,
                          Tree<T, P> const& sources, WalkInputs<Asked> const& inputs) {
        using Trait = PairsByTwoShared<D, T, weighted>;
        CellsOn<P> cells(device, std::size_t(asked.cells()), weighted);
        Trait trait{};
        static_cast<TwoNumbers<D, T>&>(trait) = asked;
        trait.counted = cells.view();
        WalkInputs<Trait> of_cells;
        of_cells.target_payload = inputs.target_payload;
        of_cells.source_payload = inputs.source_payload;
        of_cells.targets = inputs.targets;
        auto const counts = walk(device, trait, space, targets, sources, of_cells);
        cells.each([&](size_type pairs, FixedSum products) {
            inputs.total->pairs.push_back(pairs);
            if constexpr (weighted) inputs.total->products.push_back(products);
        });
        return counts;
    }
};

}}}  // namespace zwalk::v0::detail
