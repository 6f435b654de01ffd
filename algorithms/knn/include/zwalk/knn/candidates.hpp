// The k best sources of one target, in memory that somebody else owns.
#pragma once
#include <algorithm>

#include "zwalk/core/key.hpp"

namespace zwalk::inline v0 {

/// Keeps the k smallest keys of those added, for any k. Few: sorted, by insertion from the end
/// (most newcomers belong near the end). Many: a binary heap with the largest key on top.
template <class T>
class Candidates {
  public:
    static constexpr pos_t sorted_up_to = 48;  ///< measured: insertion beats the heap up to here

    Candidates() = default;
    /// @param memory  k keys, uninitialised
    ZWALK_INLINE Candidates(Key<T>* memory, pos_t k) : key_(memory), k_(k) {}

    /// The largest key kept once there are k of them, unbounded before.
    [[nodiscard]] ZWALK_INLINE Key<T> worst() const {
        return size_ < k_ ? Key<T>{} : key_[k_ <= sorted_up_to ? k_ - 1 : 0];
    }

    ZWALK_INLINE void add(Key<T> key) {
        if (!(key < worst())) return;
        if (k_ > sorted_up_to) {
            add_to_heap(key);
            return;
        }
        pos_t i = size_ < k_ ? size_++ : k_ - 1;
        for (; i > 0 && key < key_[i - 1]; --i) key_[i] = key_[i - 1];
        key_[i] = key;
    }

    /// Ascending keys; call once, when all is added.
    ZWALK_INLINE Key<T> const* finish() {
        if (k_ > sorted_up_to) std::sort(key_, key_ + size_);
        return key_;
    }
    [[nodiscard]] ZWALK_INLINE pos_t size() const { return size_; }

  private:
    ZWALK_HD void add_to_heap(Key<T> key) {
        if (size_ < k_) {
            key_[size_++] = key;
            if (size_ == k_) std::make_heap(key_, key_ + k_);
            return;
        }
        // Replace the top and let it sink; pop_heap + push_heap would walk the heap twice.
        pos_t i = 0;
        for (;;) {
            pos_t c = 2 * i + 1;
            if (c >= k_) break;
            if (c + 1 < k_ && key_[c] < key_[c + 1]) ++c;
            if (!(key < key_[c])) break;
            key_[i] = key_[c];
            i = c;
        }
        key_[i] = key;
    }

    Key<T>* key_ = nullptr;
    pos_t k_ = 0, size_ = 0;
};

}  // namespace zwalk::inline v0
