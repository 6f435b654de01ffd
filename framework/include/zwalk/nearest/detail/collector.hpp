// The k best sources of one target, on a CPU: collect first, choose later.
#pragma once
#include <cstdint>

#include "zwalk/core/vec.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/nearest/detail/select.hpp"

namespace zwalk { inline namespace v0 {

/// Keeps the k smallest keys of those added.
///
/// Whatever is not behind the k-th best key known is appended, a block of lanes at a time and without a
/// branch; only when enough has come together the k smallest are chosen again, which tightens the bound.
/// Fewer, cheaper steps than sorting each newcomer in, at the price of some newcomers that a tighter bound
/// would have kept out.
template <class T>
class Collector {
    static constexpr pos_t block = 64;  // the most that one call of add() appends

  public:
    static std::size_t bytes(pos_t k, Selector<T> const& selector) {
        return capacity(k, selector.slack) * (sizeof(T) + sizeof(pos_t));
    }

    Collector() = default;
    /// @param memory  bytes(k, *selector), uninitialised, aligned for T
    /// @param limit2  keys behind it will not be kept
    ZWALK_INLINE Collector(void* memory, pos_t k, Selector<T> const* selector, T limit2 = infinity<T>)
        : d2_(static_cast<T*>(memory)),
          position_(reinterpret_cast<pos_t*>(d2_ + capacity(k, selector->slack))),
          selector_(selector),
          worst_{limit2, no_pos},
          k_(k),
          next_(k) {}

    /// Keys behind d2 will not be kept. Before the first is added. If d2 is a good guess few more than k keys
    /// come in all, and fewer in the first block: then there is no hurry to choose.
    ZWALK_INLINE void assume(T d2) {
        worst_ = {d2, no_pos};
        patience_ = k_ + selector_->slack;
    }

    /// The largest key kept once there are k of them, the limit before. May be behind the true one.
    [[nodiscard]] ZWALK_INLINE Key<T> worst() const { return worst_; }

    ZWALK_INLINE void add(Key<T> key) {
        if (!(key < worst_)) return;
        d2_[size_] = key.d2;
        position_[size_] = key.pos;
        if (++size_ >= next_) choose();
    }
    /// Adds the points of a SourceBlock, but for the one at `without`.
    template <Isa isa, class Block>
    ZWALK_INLINE void add(Block const& source, pos_t without) {
        constexpr pos_t W = simd_width<T>;
        // Locals: for the compiler, what is stored through d2 could be a member.
        T* const d2 = d2_;
        pos_t* const position = position_;
        T const limit = worst_.d2;
        std::uint64_t points = source.points();  // lanes by shifts: a few operations less than lanes()
        if (without < block) points &= ~(std::uint64_t(1) << without);
        std::size_t n = size_;
        pos_t c = 0;
        do {
            alignas(64) T lane_d2[W];
            source.distances(c, lane_d2);
            std::uint32_t const wanted = Simd<isa>::at_most(lane_d2, limit) & std::uint32_t(points >> c);
            n = Simd<isa>::append(wanted, lane_d2, source.first + c, d2, position, n);
            c += W;
        } while (c < source.count);
        size_ = pos_t(n);
        if (size_ >= next_) choose();
        next_ = max_of(next_, patience_);
    }

    /// Ends adding. Afterwards the first size() keys ascend.
    ZWALK_INLINE void finish() {
        selector_->finish(d2_, position_, chosen_, size_, k_);
        size_ = min_of(size_, k_);
    }
    /// Ends adding as finish() does, and makes worst() the true one.
    ZWALK_INLINE void settle() {
        finish();
        if (size_ == k_) worst_ = {d2_[k_ - 1], position_[k_ - 1]};
    }
    [[nodiscard]] ZWALK_INLINE pos_t size() const { return size_; }
    [[nodiscard]] ZWALK_INLINE T const* d2() const { return d2_; }
    [[nodiscard]] ZWALK_INLINE pos_t const* position() const { return position_; }
    /// f(i, key) for them, ascending.
    template <class F>
    ZWALK_INLINE void each(F const& f) const {
        for (int i = 0; i < int(size_); ++i) f(i, Key<T>{d2_[i], position_[i]});
    }
    [[nodiscard]] ZWALK_INLINE T d2(int i) const { return d2_[i]; }
    [[nodiscard]] ZWALK_INLINE pos_t position(int i) const { return position_[i]; }

  private:
    static ZWALK_INLINE std::size_t capacity(pos_t k, pos_t slack) {
        return (std::size_t(k) + k / 8 + slack + block + Selector<T>::padding + 15) / 16 * 16;
    }
    ZWALK_INLINE void choose() {
        Chosen<T> chosen;
        selector_->choose(d2_, position_, chosen_, size_, k_, chosen);
        size_ = chosen_ = chosen.count;
        worst_ = chosen.worst;
        next_ = chosen.count + selector_->slack;
    }

    T* d2_ = nullptr;
    pos_t* position_ = nullptr;
    Selector<T> const* selector_ = nullptr;
    Key<T> worst_{};
    pos_t size_ = 0, chosen_ = 0, k_ = 0, next_ = 0, patience_ = 0;
};

}}  // namespace zwalk::v0
