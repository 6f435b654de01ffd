// The k best sources of one target, in memory that somebody else owns.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "zwalk/core/key.hpp"

namespace zwalk::inline v0 {

/// How a key is stored: what is compared most should compare in one instruction.
template <class T>
struct KeySlot {
    using type = Key<T>;
    static ZWALK_INLINE type pack(Key<T> key) { return key; }
    static ZWALK_INLINE Key<T> unpack(type slot) { return slot; }
};
/// A float key in one integer: d2 >= 0, so its bits order like its value.
template <>
struct KeySlot<float> {
    using type = std::int64_t;
    static ZWALK_INLINE type pack(Key<float> key) {
        return type(std::uint64_t(std::bit_cast<std::uint32_t>(key.d2)) << 32 | key.pos);
    }
    static ZWALK_INLINE Key<float> unpack(type slot) {
        return {std::bit_cast<float>(std::uint32_t(std::uint64_t(slot) >> 32)),
                pos_t(std::uint64_t(slot))};
    }
};

/// Keeps the k smallest keys of those added, for any k. Few: sorted. Many: a binary heap with the
/// largest key on top.
template <class T>
class Candidates {
    using Slot = KeySlot<T>;
    using S = typename Slot::type;
    static constexpr bool packed = std::is_same_v<S, std::int64_t>;
    static constexpr pos_t block = 8;  // slots that move together

  public:
    static constexpr pos_t sorted_up_to = packed ? 128 : 48;

    /// Memory for k candidates. Packed: two sorted areas that insertions alternate between, each
    /// with a slot below every key in front and rounded up to whole blocks.
    static ZWALK_INLINE std::size_t bytes(pos_t k) {
        return (packed && k <= sorted_up_to ? 2 * area(k) : k) * sizeof(S);
    }

    Candidates() = default;
    /// @param memory  bytes(k), uninitialised, aligned for a key
    ZWALK_INLINE Candidates(void* memory, pos_t k) : slot_(static_cast<S*>(memory)), k_(k) {
        if constexpr (packed) {
            if (k > sorted_up_to) return;
            pos_t const n = area(k);
            std::fill_n(slot_, 2 * n, nothing());
            std::fill_n(slot_, block, S(0));
            std::fill_n(slot_ + n, block, S(0));
            slot_ += block;
        }
    }

    /// The largest key kept once there are k of them, unbounded before.
    [[nodiscard]] ZWALK_INLINE Key<T> worst() const {
        if (packed && k_ <= sorted_up_to) return Slot::unpack(slot_[k_ - 1]);
        return size_ < k_ ? Key<T>{} : Slot::unpack(slot_[k_ <= sorted_up_to ? k_ - 1 : 0]);
    }

    ZWALK_INLINE void add(Key<T> key) {
        S const s = Slot::pack(key);
        if (k_ > sorted_up_to) {
            add_to_heap(s);
        } else if constexpr (packed) {
            if (!(s < slot_[k_ - 1])) return;
            shift_in(s);
        } else {
            if (!(key < worst())) return;
            pos_t i = size_ < k_ ? size_++ : k_ - 1;
            for (; i > 0 && s < slot_[i - 1]; --i) slot_[i] = slot_[i - 1];
            slot_[i] = s;
        }
    }

    /// Ends adding. Afterwards (*this)[0], ..., (*this)[size() - 1] ascend.
    ZWALK_INLINE void finish() {
        if (k_ > sorted_up_to) {
            std::sort(slot_, slot_ + size_);
        } else if constexpr (packed) {
            while (size_ < k_ && slot_[size_] < nothing()) ++size_;
        }
    }
    [[nodiscard]] ZWALK_INLINE pos_t size() const { return size_; }
    [[nodiscard]] ZWALK_INLINE Key<T> operator[](pos_t i) const { return Slot::unpack(slot_[i]); }

  private:
    static ZWALK_INLINE pos_t area(pos_t k) { return block + (k + block - 1) / block * block; }
    static ZWALK_INLINE S nothing() { return Slot::pack(Key<T>{}); }

    /// Every slot takes the middle one of itself, its left neighbour and the newcomer: a sorted
    /// insertion without a branch, block by block in vector registers.
    ZWALK_INLINE void shift_in(S s) {
        S const* from = slot_;
        slot_ = other_ ? slot_ - area(k_) : slot_ + area(k_);
        other_ = !other_;
        S* to = slot_;
        for (S const* const end = from + k_; from < end; from += block, to += block) {
            S moved[block];
            S const* const left = from - 1;
            for (int i = 0; i < int(block); ++i) moved[i] = max_of(left[i], min_of(from[i], s));
            for (int i = 0; i < int(block); ++i) to[i] = moved[i];
        }
    }

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
    bool other_ = false;
};

}  // namespace zwalk::inline v0
