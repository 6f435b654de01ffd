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

/// Accepted sources of one target side by side, with uses.lane_absorb. Part of a thread's workspace.
template <class I>
class AcceptedLanes {
    using Number = typename I::template Accepted<double>;
    static constexpr int width = simd_width<double>, numbers = int(sizeof(Number) / sizeof(double));
    /// As many packs as a cache next to the registers' has room for.
    static constexpr pos_t capacity = 16;

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
