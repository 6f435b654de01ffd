// The k best sources of one target in the registers of a thread, for small k on a GPU.
#pragma once
#include "zwalk/core/slot_network.hpp"
#include "zwalk/walk/interaction.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

/// Keeps the k <= K smallest keys of those added, ascending. Slots are indexed by constants only, and compared
/// without branches. The first K - k slots hold keys before every other.
template <class T, int K>
class RegisterCandidates {
    using Slot = KeySlot<T>;
    using S = typename Slot::type;
    static_assert(K >= batch_size && K % batch_size == 0);

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

    /// One newcomer passes through all slots.
    ZWALK_INLINE void add(Key<T> key) {
        S s = Slot::pack(key);
        ZWALK_UNROLL
        for (int i = 0; i < K; ++i) put_in_order(slot_[i], s);
    }
    /// Some newcomers at once, in any order: sorted backwards behind the slots they make one bitonic sequence, whose
    /// smaller half is kept, and sorted. O(K log K) comparisons, where one by one would take batch_size K.
    ZWALK_INLINE void add(Key<T> const (&keys)[batch_size]) {
        constexpr int N = batch_size;
        S newcomer[N];
        ZWALK_UNROLL
        for (int i = 0; i < N; ++i) newcomer[i] = Slot::pack(keys[i]);
        sort_slots<N>(newcomer);
        S* const last = slot_ + (K - N);
        ZWALK_UNROLL
        for (int i = 0; i < N; ++i)
            last[i] = choose_slot(newcomer[N - 1 - i] < last[i], newcomer[N - 1 - i], last[i]);
        merge_slots<K>(slot_);
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
    S slot_[K];
    int unused_ = 0;
};

}}  // namespace zwalk::v0
