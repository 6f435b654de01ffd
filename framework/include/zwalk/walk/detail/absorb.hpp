// A target takes in sources that were accepted (uses.state): one at a time, or on CPUs several (uses.lane_absorb).
#pragma once
#include <vector>

#include "zwalk/exec/pack.hpp"
#include "zwalk/walk/interaction.hpp"

namespace zwalk::inline v0 {

/// One source, in whichever form the trait has for it.
template <class I>
ZWALK_INLINE void absorb_source(I const& trait, typename I::State& state, typename I::Node const& t,
                                typename I::Node const& s, Range<typename I::real> d) {
    if constexpr (I::uses.lane_absorb) {
        typename I::template Accepted<double> const one = trait.accepted(t, s, d);
        trait.template absorb<double>(state, t, {&one, 1});
    } else {
        trait.absorb(state, t, s, d);
    }
}

/// A source node whose summary is where it lies in memory: a copy of it for each pair of nodes would cost as much as what is
/// made of it. A trait that says `auto const& s` sees this, one that says `Node const& s` a copy.
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

/// Accepted sources of one target side by side, with uses.lane_absorb. Part of a thread's workspace.
template <class I>
class AcceptedLanes {
    using Number = typename I::template Accepted<double>;
    static constexpr int width = simd_width<double>, numbers = int(sizeof(Number) / sizeof(double));
    /// Packs. Few, so that they stay in the cache next to the registers, beside the summaries that they are made of.
    static constexpr pos_t capacity = 4;

    /// Memory of an Accepted<Pack>.
    struct alignas(64) Lanes {
        double number[numbers][width];
    };
    std::vector<Lanes> pack_ = std::vector<Lanes>(capacity);
    pos_t size_ = 0;  ///< sources

    ZWALK_INLINE void put(Number const& source, pos_t i) {
        Lanes& pack = pack_[i / width];
        double const* const x = reinterpret_cast<double const*>(&source);
        for (int k = 0; k < numbers; ++k) pack.number[k][i % width] = x[k];
    }

  public:
    [[nodiscard]] ZWALK_INLINE bool is_full() const { return size_ == capacity * width; }
    ZWALK_INLINE void take(Number const& source) { put(source, size_++); }
    /// The target takes in what there is. (Not ZWALK_INLINE, see exec/pack.hpp.)
    template <Isa isa>
    inline void absorb(I const& trait, typename I::State& state, typename I::Node const& t) {
        using V = Pack<double, isa>;
        using Packs = typename I::template Accepted<V>;
        if (size_ == 0) return;
        for (; size_ % width != 0; ++size_) put(Number{}, size_);
        trait.template absorb<V>(state, t,
                                 {reinterpret_cast<Packs const*>(pack_.data()), size_ / width});
        size_ = 0;
    }
};

}  // namespace zwalk::inline v0
