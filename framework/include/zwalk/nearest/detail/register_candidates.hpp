// The k best sources of one target in the registers of a thread, for small k on a GPU.
//
// A comparator of whole keys takes six instructions, one of 32-bit numbers two: a minimum and a maximum. So what is merged are *words*,
// the upper bits of a key's distance above a tag, which says where in memory the key itself waits. Where distances differ in
// the cut bits only, words don't know the order. That matters in two places. If it decides which keys are dropped, or which of them is
// the worst, keys are compared at once (settle_ties), and those of tied words change places. Other ties wait for the end, when
// keys are read, and sorted if they aren't in order.
#pragma once
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "zwalk/core/bits.hpp"
#include "zwalk/core/slot_network.hpp"
#include "zwalk/core/vec.hpp"
#include "zwalk/walk/interaction.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

/// A number that grows with a squared distance, or stays: the lowest bits don't count. That of a NaN is behind all others.
ZWALK_INLINE std::int32_t upper_bits(float d2) { return bit_cast_to<std::int32_t>(d2); }
ZWALK_INLINE std::int32_t upper_bits(double d2) {
    // All but the sign. Up from nearly the lowest number: words before every key are below.
    auto const bits = std::uint32_t(bit_cast_to<std::uint64_t>(d2) >> 31);
    return bit_cast_to<std::int32_t>(bits + 0x80000040U);
}

/// Keeps the k <= K smallest keys of those added: their words in registers, ascending, indexed by constants only; the keys in
/// memory of the walk's, `Kept` (tuning.kept). The first K - k words are before every other.
template <class T, int K>
class RegisterCandidates {
    static constexpr int N = batch_size;
    static_assert(K >= N && K % N == 0);
    using Slot = KeySlot<T>;
    using S = typename Slot::type;
    using Word = std::int32_t;

  public:
    static constexpr int in_registers = K;
    static constexpr int kept = K + N;  ///< keys in memory: those of a batch beside the best

    RegisterCandidates() = default;
    ZWALK_INLINE explicit RegisterCandidates(pos_t k) : unused_(K - int(k)) {
        ZWALK_UNROLL
        for (int i = 0; i < K; ++i) word_[i] = i < unused_ ? before : nothing(i);
        ZWALK_UNROLL
        for (int i = 0; i < N; ++i) free_[i] = i;
    }

    /// The largest key kept once there are k of them, unbounded before.
    [[nodiscard]] ZWALK_INLINE Key<T> worst() const { return worst_; }

    /// Some newcomers, in any order, of which it may change the larger ones; those whose d2 is NaN are none. Sorted backwards behind the words they make one bitonic
    /// sequence, whose smaller half is kept, and sorted. O(K log K) comparisons, where one by one would take batch_size K.
    template <class Kept>
    ZWALK_INLINE void add(Key<T> (&keys)[batch_size], Kept& memory) {
        Word newcomer[N];
        if (has_ties_ != 0 && !leave_smaller(keys)) return;
        ZWALK_UNROLL
        for (int i = 0; i < N; ++i) {
            memory.write(tag_of(free_[i]), keys[i]);
            newcomer[i] = Word(merge_bits(unsigned(upper_bits(keys[i].d2)), unsigned(free_[i]), tags));
        }
        sort_slots<N>(newcomer);
        Word* const last = word_ + (K - N);
        ZWALK_UNROLL
        for (int i = 0; i < N; ++i) {
            Word const there = last[i], other = newcomer[N - 1 - i];
            last[i] = min_of(other, there);
            free_[N - 1 - i] = max_of(other, there);
        }
        merge_slots<K>(word_);
        find_worst(memory);
    }

    /// Ends adding: from now on there are size() and each().
    template <class Kept>
    ZWALK_INLINE void put_in_order(Kept& memory) {
        bool sorted = true;
        ZWALK_UNROLL
        for (int i = 0; i < K; ++i) {
            slot_[i] = i < unused_ ? Slot::first() : Slot::pack(Key<T>{});
            if (i >= unused_ && word_[i] < none) slot_[i] = Slot::pack(memory.read(tag_of(word_[i])));
            if (i > 0) sorted = sorted && !(slot_[i] < slot_[i - 1]);
        }
        if (!sorted) sort_slots<K>(slot_);
    }
    ZWALK_INLINE void finish() {}
    [[nodiscard]] ZWALK_INLINE pos_t size() const {
        pos_t n = 0;
        each([&](int, Key<T>) { ++n; });
        return n;
    }
    /// Whether there are K keys: then key(i) is one of them for i = 0, ..., K - 1, ascending.
    [[nodiscard]] ZWALK_INLINE bool is_full() const { return unused_ == 0 && word_[K - 1] < none; }
    [[nodiscard]] ZWALK_INLINE Key<T> key(int i) const { return Slot::unpack(slot_[i]); }
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
    static constexpr Word tags = Word(std::bit_ceil(unsigned(kept))) - 1;
    /// A word without a key that stands before all that have one; it is never dropped.
    static constexpr Word before = std::numeric_limits<Word>::min();
    /// Words from here on have no key. Behind that of an infinite distance, and not behind that of a NaN.
    static constexpr Word none = (sizeof(T) == 4 ? 0x7fc00000 : 0x7ff00000) & ~tags;

    /// Word i at first: the last ones are dropped first, so that tags are used in their order.
    static ZWALK_INLINE Word nothing(int i) { return none + i * (tags + 1) + (N + K - 1 - i); }

    static ZWALK_INLINE int tag_of(Word word) { return int(merge_bits(0, unsigned(word), tags)); }
    /// At most `tags` if words don't say whose key is smaller.
    static ZWALK_INLINE unsigned difference(Word a, Word b) { return unsigned(a ^ b); }
    static ZWALK_INLINE bool are_tied(Word a, Word b) { return difference(a, b) <= unsigned(tags); }

    /// Whether there are newcomers smaller than worst(). The others become none.
    ZWALK_INLINE bool leave_smaller(Key<T> (&keys)[batch_size]) const {
        S const worst = Slot::pack(worst_);
        bool some = false;
        ZWALK_UNROLL
        for (int i = 0; i < N; ++i) {
            bool const enters = Slot::pack(keys[i]) < worst;
            if (!enters) keys[i].d2 = not_a_number<T>;
            some |= enters;
        }
        return some;
    }
    /// worst() is that of the keys in memory, and these are the right ones.
    template <class Kept>
    ZWALK_INLINE void find_worst(Kept& memory) {
        Word const last = word_[K - 1];
        if (last >= none) return;
        worst_ = memory.read(tag_of(last));
        Word dropped = free_[0];
        ZWALK_UNROLL
        for (int i = 1; i < N; ++i) dropped = min_of(dropped, free_[i]);
        if (min_of(difference(word_[K - 2], last), difference(dropped, last)) <= unsigned(tags)) {
            has_ties_ = 1;
            settle_ties(memory);
        }
    }
    /// Words that tie with the last one get the smallest of the keys that tie. A turn for each key that was dropped; few of them
    /// are smaller than the worst one kept.
    template <class Kept>
    ZWALK_INLINE void settle_ties(Kept& memory) {
        Word const last = word_[K - 1];
        std::uint32_t dropped = 0;  // a bit for each of free_
        ZWALK_UNROLL
        for (int i = 0; i < N; ++i)
            if (are_tied(free_[i], last)) dropped |= 1U << i;
        ZWALK_ROLLED
        for (bool is_settled = false; !is_settled;) {
            int const at = find_largest(memory);
            is_settled = true;
            ZWALK_UNROLL
            for (int i = 0; i < N; ++i) {
                if (!is_settled || (dropped >> i & 1) == 0) continue;
                dropped ^= 1U << i;
                int const other = tag_of(free_[i]);
                Key<T> const key = memory.read(other);
                if (!(Slot::pack(key) < Slot::pack(worst_))) continue;
                memory.write(other, worst_);
                memory.write(at, key);
                is_settled = false;
            }
        }
    }
    /// The tag of the largest key, which becomes worst_: of those whose words tie with the last one.
    template <class Kept>
    ZWALK_INLINE int find_largest(Kept& memory) {
        Word at = word_[K - 1];
        Word const first = at & ~tags;
        worst_ = memory.read(tag_of(at));
        ZWALK_UNROLL
        for (int i = K - 2; i >= 0; --i) {
            if (word_[i] < first) break;
            Key<T> const key = memory.read(tag_of(word_[i]));
            if (Slot::pack(key) < Slot::pack(worst_)) continue;
            worst_ = key;
            at = word_[i];
        }
        return tag_of(at);
    }

    Word word_[K], free_[N];
    int unused_ = 0;
    int has_ties_ =
        0;  // where there were ties, there will be; no bool, behind which there would be padding
    S slot_[K];
    Key<T> worst_{};
};

}}  // namespace zwalk::v0
