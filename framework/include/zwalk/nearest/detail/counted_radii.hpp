// The neighbour heap with counts of the paper's FindRmax (section III-B).
#pragma once
#include "zwalk/core/key.hpp"

namespace zwalk { inline namespace v0 {

/// Upper bound of the k-th best key among groups of points, from few bins.
///
/// A bin (key, n) means: n points have a key of at most this. Bins are ascending. Only what can
/// lower the bound is kept: as soon as the bins hold `want` points, the last key is the bound, and
/// bins that are not needed to reach `want` are dropped. When all B bins are in use, the two
/// neighbours with the fewest points are merged under the larger key, which loosens the bound (to
/// about rank want (1 + 2/B)) but never makes it wrong.
///
/// Bins are indexed by constants only, so that a GPU keeps them in registers: every loop runs over all
/// bins, and an unused bin is one without points. The groups are disjoint: their points sum to a pos_t.
template <class T, int B>
class CountedRadii {
  public:
    ZWALK_INLINE explicit CountedRadii(pos_t want = 0) : want_(want) {
        ZWALK_UNROLL
        for (int i = 0; i < B; ++i) bin_[i] = {};
    }

    /// The bound so far: at least `want` points have a key <= it. Unbounded if too few were seen.
    [[nodiscard]] ZWALK_INLINE Key<T> bound() const { return bound_; }

    /// n >= 1 more points, none of them with a key above `key`.
    ZWALK_INLINE void add(Key<T> key, pos_t n) {
        if (!(key < bound_)) return;
        if (bin_[B - 1].count > 0) merge_cheapest();
        insert({key.d2, key.pos, n});
        total_ += n;
        if (total_ < want_) return;
        drop_needless();
        ZWALK_UNROLL
        for (int i = 0; i < B; ++i)
            if (bin_[i].count > 0) bound_ = bin_[i].key();
    }

  private:
    struct Bin {
        T d2 = infinity<T>;
        pos_t pos = no_pos, count = 0;
        [[nodiscard]] ZWALK_INLINE Key<T> key() const { return {d2, pos}; }
    };
    // Not a Key and a count: nvcc up to 13.0 loses counts when it copies a member with padding (core/padding.hpp).
    static_assert(sizeof(Bin) == sizeof(T) + 2 * sizeof(pos_t));

    /// Behind those with the same key; the last bin is free.
    ZWALK_INLINE void insert(Bin bin) {
        ZWALK_UNROLL
        for (int i = B - 1; i > 0; --i) {
            if (bin.key() < bin_[i - 1].key()) bin_[i] = bin_[i - 1];
            else if (bin.key() < bin_[i].key()) bin_[i] = bin;
        }
        if (bin.key() < bin_[0].key()) bin_[0] = bin;
    }

    ZWALK_INLINE void drop_needless() {
        bool dropping = true;
        ZWALK_UNROLL
        for (int i = B - 1; i > 0; --i) {
            dropping = dropping && total_ - bin_[i].count >= want_;  // also past unused bins
            if (dropping) total_ -= bin_[i].count, bin_[i] = {};
        }
    }

    ZWALK_INLINE void merge_cheapest() {
        int best = 0;
        pos_t least = bin_[0].count + bin_[1].count;
        ZWALK_UNROLL
        for (int i = 1; i + 1 < B; ++i) {
            pos_t const sum = bin_[i].count + bin_[i + 1].count;
            if (sum < least) best = i, least = sum;
        }
        ZWALK_UNROLL
        for (int i = 0; i + 1 < B; ++i) {
            if (i == best) bin_[i].count = least;
            if (i > best) bin_[i].count = bin_[i + 1].count;
            if (i >= best) bin_[i].d2 = bin_[i + 1].d2, bin_[i].pos = bin_[i + 1].pos;
        }
        bin_[B - 1] = {};
    }

    Bin bin_[B];
    pos_t total_ = 0, want_;
    Key<T> bound_{};
};

}}  // namespace zwalk::v0
