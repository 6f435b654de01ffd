// The k best sources of one target, one newcomer at a time: for groups whose lanes can't see each other
// (GPU). A CPU thread uses Collector.
#pragma once
#include <algorithm>

#include "zwalk/knn/key_slot.hpp"

namespace zwalk::inline v0 {

/// Keeps the k smallest keys of those added, for any k. Few: sorted. Many: a binary heap with the
/// largest key on top.
template <class T>
class Candidates {
    using Slot = KeySlot<T>;
    using S = typename Slot::type;

  public:
    static constexpr pos_t sorted_up_to = 48;

    static ZWALK_INLINE std::size_t bytes(pos_t k) { return k * sizeof(S); }

    Candidates() = default;
    /// @param memory  bytes(k), uninitialised, aligned for a key
    ZWALK_INLINE Candidates(void* memory, pos_t k) : slot_(static_cast<S*>(memory)), k_(k) {}

    /// The largest key kept once there are k of them, unbounded before.
    [[nodiscard]] ZWALK_INLINE Key<T> worst() const {
        return size_ < k_ ? Key<T>{} : Slot::unpack(slot_[k_ <= sorted_up_to ? k_ - 1 : 0]);
    }

    ZWALK_INLINE void add(Key<T> key) {
        S const s = Slot::pack(key);
        if (k_ > sorted_up_to) {
            add_to_heap(s);
        } else {
            if (!(key < worst())) return;
            pos_t i = size_ < k_ ? size_++ : k_ - 1;
            for (; i > 0 && s < slot_[i - 1]; --i) slot_[i] = slot_[i - 1];
            slot_[i] = s;
        }
    }

    /// Ends adding. Afterwards the keys 0, ..., size() - 1 ascend.
    ZWALK_INLINE void finish() {
        if (k_ > sorted_up_to) std::sort(slot_, slot_ + size_);
    }
    [[nodiscard]] ZWALK_INLINE pos_t size() const { return size_; }
    [[nodiscard]] ZWALK_INLINE T d2(int i) const { return Slot::unpack(slot_[i]).d2; }
    [[nodiscard]] ZWALK_INLINE pos_t position(int i) const {
        return Slot::unpack(slot_[i]).pos;
    }

  private:
    ZWALK_HD void add_to_heap(S s) {
        if (size_ < k_) {
            slot_[size_++] = s;
            if (size_ == k_) std::make_heap(slot_, slot_ + k_);
            return;
        }
        if (!(s < slot_[0])) return;
        // Replace the top and let it sink; pop_heap + push_heap would walk the heap twice.
        pos_t i = 0;
        for (;;) {
            pos_t c = 2 * i + 1;
            if (c >= k_) break;
            if (c + 1 < k_ && slot_[c] < slot_[c + 1]) ++c;
            if (!(s < slot_[c])) break;
            slot_[i] = slot_[c];
            i = c;
        }
        slot_[i] = s;
    }

    S* slot_ = nullptr;
    pos_t k_ = 0, size_ = 0;
};

}  // namespace zwalk::inline v0
