// A target takes in sources that were accepted (uses.state): one at a time, or on CPUs several (tuning.lane_absorb).
#pragma once
#include <new>
#include <vector>

#include "zwalk/exec/pack.hpp"
#include "zwalk/walk/bounds.hpp"
#include "zwalk/walk/interaction.hpp"
#include "zwalk/walk/lists.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

/// One source, in whichever form the trait has for it.
template <class I>
ZWALK_INLINE void absorb_source(I const& trait, typename I::State& state, typename I::Node const& t,
                                typename I::Node const& s, Range<typename I::real> d) {
    if constexpr (tuning_of<I>.lane_absorb) {
        typename I::template Accepted<double> const one = trait.accepted(t, s, d);
        trait.template absorb<double>(state, t, {&one, 1});
    } else {
        trait.absorb(state, t, s, d);
    }
}

/// A source node whose summary is where it lies in memory: a copy of it for each pair of nodes would cost as much as what is
/// made of it. A trait with `auto const& s` sees this, one with `Node const& s` a copy.
template <class I>
struct SourceNode {
    pos_t index, plane, first, count, label;
    typename I::real diag2;
    typename I::Summary const& summary;

    ZWALK_INLINE SourceNode(typename I::Node const& n, typename I::Summary const& in_place)
        : index(n.index),
          plane(n.plane),
          first(n.first),
          count(n.count),
          label(n.label),
          diag2(n.diag2),
          summary(in_place) {}
    ZWALK_INLINE explicit(false) operator typename I::Node() const {
        typename I::Node n;
        n.index = index, n.plane = plane, n.first = first, n.count = count, n.label = label;
        n.diag2 = diag2, n.summary = summary;
        return n;
    }
};

/// Source node i as the trait sees it.
template <class I, class Space>
ZWALK_INLINE typename I::Node source_view(Step<I, Space> const& step, pos_t i) {
    typename I::Node s = node_view<I>(step.space, step.sources, step.source_summary, i);
    if constexpr (accepts_nodes<I>)
        if (step.source_count) s.count = step.source_count[i];
    if constexpr (I::uses.links) s.label = step.links.root(s.first);
    return s;
}

/// Source node i as decisions and accepts see it: with tuning.lane_absorb, whose summaries are large, the summary stays in place.
template <class I, class Space>
ZWALK_INLINE auto decided_view(Step<I, Space> const& step, pos_t i) {
    if constexpr (tuning_of<I>.lane_absorb && I::uses.summary)
        return SourceNode<I>(source_view(step, i), step.source_summary[i]);
    else return source_view(step, i);
}

/// Accepted sources of one target side by side, with tuning.lane_absorb. Part of a thread's workspace.
template <class I>
class AcceptedLanes {
    using Number = typename I::template Accepted<double>;
    static constexpr int width = simd_width<double>, numbers = int(sizeof(Number) / sizeof(double)),
                         columns = (numbers + 3) / 4 * 4;  // of which transpose() takes four at a time
    /// Packs. Few, so that they stay in the cache next to the registers, beside the summaries that they are made of.
    static constexpr pos_t capacity = 4;

    /// The numbers of an Accepted<double>.
    struct alignas(32) Row {
        double number[columns];
    };
    struct alignas(64) Memory {
        /// Numbers of Accepted<Pack>, one behind the other; what transpose() writes behind one is in the way of none before it.
        double packs[capacity * numbers + columns - numbers][width];
        Row rows[width];  ///< sources that are no pack yet
    };
    std::vector<Memory> memory_ = std::vector<Memory>(1);
    pos_t size_ = 0;  ///< sources

  public:
    [[nodiscard]] ZWALK_INLINE bool is_full() const { return size_ == capacity * width; }
    /// @param source  returns an Accepted<double>, which is made where it is needed
    template <Isa isa, class F>
    inline void take(F const& source) {
        auto& [packs, rows] = memory_[0];
        ::new (rows[size_ % width].number) Number(source());
        if (++size_ % width == 0)
            detail::PackOps<isa>::transpose(rows[0].number, columns,
                                            packs[(size_ / width - 1) * numbers]);
    }
    /// The target takes in the sources that there are. (Not ZWALK_INLINE, see exec/pack.hpp.)
    template <Isa isa>
    inline void absorb(I const& trait, typename I::State& state, typename I::Node const& t) {
        using V = Pack<double, isa>;
        using Packs = typename I::template Accepted<V>;
        if (size_ == 0) return;
        while (size_ % width != 0) take<isa>([] { return Number{}; });
        trait.template absorb<V>(state, t,
                                 {reinterpret_cast<Packs const*>(memory_[0].packs), size_ / width});
        size_ = 0;
    }
};

}}  // namespace zwalk::v0
