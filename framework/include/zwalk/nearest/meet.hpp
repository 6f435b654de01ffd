// How targets meet sources: by a walk, or all with all where the lists of a walk would be dense.
#pragma once
#include <vector>

#include "zwalk/nearest/detail/rehearsal.hpp"
#include "zwalk/nearest/ways.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/walk/all_pairs.hpp"
#include "zwalk/walk/walk.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// What was done, for the statistics.
struct HowMet {
    bool all_pairs = false;
    WalkCounts counts{};

    void add(HowMet const& o) {
        all_pairs = all_pairs || o.all_pairs;
        counts.add(o.counts);
    }
};

/// Folds every source that matters into every target. The way is chosen by what some of the targets
/// would cost; results are the same bits.
///
/// Up to four dimensions walks are never slower, and nothing else is compiled.
///
/// @param walk_space, pair_space  one space, as kernels of walks and of all_pairs are compiled for it
/// @param axes                    those that the data has; the others are padding
/// @param some                    the targets, where not all points of their tree are
template <int D, class T, class Output, class WalkSpace, class PairSpace>
HowMet meet(Cpu const& cpu, Nearest<D, T, Output> const& trait, WalkSpace const& walk_space,
            [[maybe_unused]] PairSpace const& pair_space, Tree<T, Cpu> const& targets,
            Tree<T, Cpu> const& sources, [[maybe_unused]] int axes, TargetNodes const& some = {}) {
    using Trait = Nearest<D, T, Output>;
    if constexpr (D > walked_dims)
        if (lists_are_dense(trait, walk_space, targets, sources, axes)) {
            LeafPoints<Trait> const points{targets.template points<D>(),
                                           sources.template points<D>(),
                                           {},
                                           {},
                                           first_target(targets, some)};
            all_pairs(trait, pair_space, points, axes, best_isa(), end_of_targets(targets, some));
            return {true};
        }
    WalkInputs<Trait> inputs;
    inputs.targets = some;
    return {false, walk(cpu, trait, walk_space, targets, sources, inputs)};
}

/// Folds every source that matters into every target, in a space of these periods (none: open).
template <int D, class T, class Output>
HowMet meet(Cpu const& cpu, Nearest<D, T, Output> const& trait, std::vector<T> const& period,
            Tree<T, Cpu> const& targets, Tree<T, Cpu> const& sources, int axes,
            TargetNodes const& some = {}) {
    return with_space<D>(period, [&](auto const& space) {
        if constexpr (D > max_open_dim)  // all_pairs has kernels of its own for open space
            if (period.empty())
                return meet(cpu, trait, space, Open<D, T>{}, targets, sources, axes, some);
        return meet(cpu, trait, space, space, targets, sources, axes, some);
    });
}

}}}  // namespace zwalk::v0::detail
