// What a rank's points meet of all, as walks with a total want it: all pairs of one set, or those of a point of each of two.
//
// Need<D, T, symmetric> is a trait that is only imported by: it has a Payload, which travels with the points, and decides as the
// walks do that follow. Its member `limits` is what it knows of them, of a type Limits for all D.
//
// Meeting<Need, T> takes long to compile, so that is done in a file of the algorithm's own; where others see Need, it is declared
// as compiled there: extern template struct Meeting<Need, T>.
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "zwalk/core/columns.hpp"
#include "zwalk/run/dims.hpp"
#include "zwalk/run/rank_points.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Points of all ranks, and what those of this one carry, by position.
template <class T, class Carried>
struct Carriers {
    RankPoints<T>& points;
    ColumnsView<Carried> carried;
};

template <template <int, class, bool> class Need, class T>
struct Meeting {
    using Limits = typename Need<1, T, true>::Limits;
    using Carried = typename Need<1, T, true>::Payload;
    using Summary = typename Need<1, T, true>::Summary;

    Tree<T, Cpu> tree;
    std::vector<Carried> carried;  ///< by its points
    KnownNodes<Summary> known;
    pos_t second = no_pos;  ///< position of the other set's first point; no_pos: there is one set
    TargetNodes targets{};
    KnownNodes<Empty> counts{};  ///< of `known`, for traits without summaries

    /// What a walk of I over the tree takes, but for what points carry.
    template <class I>
    WalkInputs<I> inputs() {
        WalkInputs<I> inputs;
        inputs.targets = targets;
        if constexpr (accepts_nodes<I> && I::uses.summary) {
            inputs.known = &known;
        } else if constexpr (accepts_nodes<I>) {
            counts.count = known.count;
            inputs.known = &counts;
        }
        return inputs;
    }

    /// Imports whatever the own points need for walks within these limits. Collective.
    /// @param others  null: the points meet each other
    static Meeting import(Comm& comm, Cpu const& cpu, Carriers<T, Carried> points,
                          Carriers<T, Carried> const* others, Limits const& limits);

  private:
    template <int D>
    static Meeting within(Carriers<T, Carried> points, Limits const& limits);
    template <int D>
    static Meeting between(Comm& comm, Cpu const& cpu, Carriers<T, Carried> points,
                           Carriers<T, Carried> others, Limits const& limits);
};

template <template <int, class, bool> class Need, class T>
Meeting<Need, T> Meeting<Need, T>::import(Comm& comm, Cpu const& cpu, Carriers<T, Carried> points,
                                          Carriers<T, Carried> const* others, Limits const& limits) {
    return with_dim<Meeting>(typename DimsFor<T, Cpu>::type{}, points.points.dim(), [&]<int D>() {
        return others ? between<D>(comm, cpu, points, *others, limits) : within<D>(points, limits);
    });
}

template <template <int, class, bool> class Need, class T>
template <int D>
Meeting<Need, T> Meeting<Need, T>::within(Carriers<T, Carried> points, Limits const& limits) {
    Need<D, T, true> need;
    need.limits = limits;
    auto all = points.points.import_for(need, points.carried);
    return {std::move(all.tree), std::move(all.payload), std::move(all.known), no_pos, all.targets, {}};
}

/// They meet where the others are, whose own ones are in front: all nodes that came without points are behind them.
template <template <int, class, bool> class Need, class T>
template <int D>
Meeting<Need, T> Meeting<Need, T>::between(Comm& comm, Cpu const& cpu, Carriers<T, Carried> points,
                                           Carriers<T, Carried> others, Limits const& limits) {
    using Trait = Need<D, T, false>;
    Trait need;
    need.limits = limits;
    auto all = others.points.import_from(points.points, need, others.carried, points.carried);
    return comm.agree([&] {
        Meeting both;
        Tree<T, Cpu> const& own = others.points.own().tree;
        Tree<T, Cpu> const* const trees[]{&own, &all.tree};
        Cpu place = cpu;
        both.tree = concat<Cpu, T>(place, trees, D);
        auto const own_known = place.run([&] {
            return all_known(SummarizedTree<Trait>{&own, summarize(need, own, others.carried)});
        });
        KnownNodes<Summary> const* const parts[]{&own_known, &all.known};
        both.known = concat_known<Trait>(parts);
        for (pos_t i = 0; i < own.size(); ++i) both.carried.push_back(others.carried[i]);
        both.carried.insert(both.carried.end(), all.payload.begin(), all.payload.end());
        both.second = own.size();
        return both;
    });
}

}}}  // namespace zwalk::v0::detail
