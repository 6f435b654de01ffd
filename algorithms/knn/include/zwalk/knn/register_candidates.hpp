// The k best sources of one target in the registers of a thread, for small k on a GPU.
#pragma once
#include <type_traits>

#include "zwalk/core/key_slot.hpp"

namespace zwalk::inline v0 {

/// Keeps the k <= K smallest keys of those added, ascending. Slots are indexed by constants only: a newcomer
/// passes through all of them, without a branch. The first K - k slots hold keys before every other.
template <class T, int K>
class RegisterCandidates {
    using Slot = KeySlot<T>;
    using S = typename Slot::type;

  public:
    static constexpr int in_registers = K;

    RegisterCandidates() = default;
    ZWALK_INLINE explicit RegisterCandidates(pos_t k) : unused_(K - int(k)) {
        S const first = Slot::first(), last = Slot::pack(Key<T>{});
        ZWALK_UNROLL
        for (int i = 0; i < K; ++i) slot_[i] = i < unused_ ? first : last;
    }

    /// The largest key kept once there are k of them, unbounded before.
    [[nodiscard]] ZWALK_INLINE Key<T> worst() const { return Slot::unpack(slot_[K - 1]); }

    ZWALK_INLINE void add(Key<T> key) {
        S const s = Slot::pack(key);
        if (!(s < slot_[K - 1])) return;
        ZWALK_UNROLL
        for (int i = K - 1; i > 0; --i) {
            S const kept = choose(slot_[i] < s, slot_[i], s);
            slot_[i] = choose(s < slot_[i - 1], slot_[i - 1], kept);
        }
        slot_[0] = choose(s < slot_[0], s, slot_[0]);
    }

    ZWALK_INLINE void finish() {}
    [[nodiscard]] ZWALK_INLINE pos_t size() const {
        pos_t n = 0;
        each([&](int, Key<T>) { ++n; });
        return n;
    }
    /// f(i, key) for the keys i = 0, ..., size() - 1, ascending.
    template <class F>
    ZWALK_INLINE void each(F const& f) const {
        ZWALK_UNROLL
        for (int i = 0; i < K; ++i) {
            Key<T> const key = Slot::unpack(slot_[i]);
            if (i >= unused_ && key.pos != no_pos) f(i - unused_, key);
        }
    }

  private:
    /// One of two values, member by member: `?:` on structs chooses between their addresses, which keeps
    /// them out of registers.
    static ZWALK_INLINE S choose(bool first, S a, S b) {
        if constexpr (std::is_integral_v<S>) return first ? a : b;
        else return {first ? a.d2 : b.d2, first ? a.pos : b.pos};
    }

    S slot_[K];
    int unused_ = 0;
};

}  // namespace zwalk::inline v0
