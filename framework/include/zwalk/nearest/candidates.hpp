// The k best sources of one target, one newcomer at a time: for large k on groups whose lanes can't see
// each other (GPU). Small k: RegisterCandidates. A CPU thread uses Collector.
#pragma once
#include "zwalk/core/key_slot.hpp"

namespace zwalk { inline namespace v0 {

/// Keeps the k smallest keys of those added, for any k, in one pass: a binary heap with the largest key on
/// top, O(log k) for a newcomer that is kept. Written by hand because std::make_heap and std::sort recurse,
/// which costs a GPU thread a stack of unknown size.
template <class T>
class Candidates {
    using Slot = KeySlot<T>;
    using S = typename Slot::type;

  public:
    static ZWALK_INLINE std::size_t bytes(pos_t k) { return k * sizeof(S); }

    Candidates() = default;
    /// @param memory  bytes(k), uninitialised, aligned for a key
    ZWALK_INLINE Candidates(void* memory, pos_t k) : slot_(static_cast<S*>(memory)), k_(k) {}

    /// The largest key kept once there are k of them, unbounded before.
    [[nodiscard]] ZWALK_INLINE Key<T> worst() const {
        return size_ < k_ ? Key<T>{} : Slot::unpack(slot_[0]);
    }

    ZWALK_HD void add(Key<T> key) {
        S const s = Slot::pack(key);
        if (size_ < k_) {
            slot_[size_++] = s;
            if (size_ == k_) make_heap();
        } else if (s < slot_[0]) {
            sink(s, 0, k_);
        }
    }

    /// Ends adding. Afterwards the keys 0, ..., size() - 1 ascend.
    ZWALK_HD void finish() {
        if (size_ < k_) make_heap();
        for (pos_t n = size_; n > 1; --n) {  // the largest goes to the end
            S const last = slot_[n - 1];
            slot_[n - 1] = slot_[0];
            sink(last, 0, n - 1);
        }
    }
    [[nodiscard]] ZWALK_INLINE pos_t size() const { return size_; }
    [[nodiscard]] ZWALK_INLINE T d2(int i) const { return Slot::unpack(slot_[i]).d2; }
    [[nodiscard]] ZWALK_INLINE pos_t position(int i) const { return Slot::unpack(slot_[i]).pos; }
    /// f(i, key) for the keys i = 0, ..., size() - 1, after finish().
    template <class F>
    ZWALK_INLINE void each(F const& f) const {
        for (pos_t i = 0; i < size_; ++i) f(int(i), Slot::unpack(slot_[i]));
    }

  private:
    ZWALK_HD void make_heap() {
        for (pos_t i = size_ / 2; i-- > 0;) sink(slot_[i], i, size_);
    }
    /// Puts s into the free slot i of a heap of n, or below it.
    ZWALK_HD void sink(S s, pos_t i, pos_t n) {
        for (;;) {
            pos_t c = 2 * i + 1;
            if (c >= n) break;
            if (c + 1 < n && slot_[c] < slot_[c + 1]) ++c;
            if (!(s < slot_[c])) break;
            slot_[i] = slot_[c];
            i = c;
        }
        slot_[i] = s;
    }

    S* slot_ = nullptr;
    pos_t k_ = 0, size_ = 0;
};

}}  // namespace zwalk::v0
