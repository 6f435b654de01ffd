// The neighbour heap with counts of the paper's FindRmax (section III-B).
#pragma once
#include "zwalk/core/key.hpp"

namespace zwalk::inline v0 {

/// Upper bound of the k-th best key among groups of points, from few bins.
///
/// A bin (key, n) says: n points have a key of at most this. Bins are ascending. Only what can
/// lower the bound is kept: as soon as the bins hold `want` points, the last key is the bound, and
/// bins that are not needed to reach `want` are dropped. When all B bins are in use, the two
/// neighbours with the fewest points are merged under the larger key, which loosens the bound (to
/// about rank want (1 + 2/B)) but never makes it wrong.
template <class T, int B>
class CountedRadii {
  public:
    ZWALK_INLINE explicit CountedRadii(pos_t want = 0) : want_(want) {}

    /// The bound so far: at least `want` points have a key <= it. Unbounded if too few were seen.
    [[nodiscard]] ZWALK_INLINE Key<T> bound() const {
        return total_ >= want_ && used_ > 0 ? bin_[used_ - 1].key : Key<T>{};
    }

    /// n more points, none of them with a key above `key`.
    ZWALK_INLINE void add(Key<T> key, pos_t n) {
        if (total_ >= want_ && !(key < bound())) return;
        if (used_ == B) merge_cheapest();
        int i = used_++;
        for (; i > 0 && key < bin_[i - 1].key; --i) bin_[i] = bin_[i - 1];
        bin_[i] = {key, n};
        total_ += n;
        while (used_ > 1 && total_ - bin_[used_ - 1].count >= want_)
            total_ -= bin_[--used_].count;
    }

  private:
    struct Bin {
        Key<T> key;
        size_type count;
    };

    ZWALK_INLINE void merge_cheapest() {
        int best = 0;
        for (int i = 1; i + 1 < B; ++i)
            if (bin_[i].count + bin_[i + 1].count < bin_[best].count + bin_[best + 1].count)
                best = i;
        bin_[best + 1].count += bin_[best].count;
        --used_;
        for (int i = best; i < used_; ++i) bin_[i] = bin_[i + 1];
    }

    Bin bin_[B];
    int used_ = 0;
    size_type total_ = 0, want_;
};

}  // namespace zwalk::inline v0
