// The k best sources of one target in the registers of a group of lanes, for k in the dozens and hundreds on a
// GPU.
#pragma once
#include <bit>

#include "zwalk/core/bits.hpp"
#include "zwalk/core/slot_network.hpp"
#include "zwalk/core/vec.hpp"
#include "zwalk/exec/group.hpp"
#include "zwalk/nearest/candidates.hpp"

namespace zwalk { inline namespace v0 {

/// Keeps the k <= K smallest keys. One thread does so in a heap in memory, but a group of lanes in a sorted
/// queue in its registers (after WarpSelect: Johnson, Douze, Jegou, "Billion-scale similarity search with
/// GPUs", 2017): `On` the group.
template <class T, int K>
struct GroupCandidates : Candidates<T> {
    using Candidates<T>::Candidates;
    static constexpr pos_t largest_k = K;

    template <class G>
    class On;
};

/// The queue's element i W + l is in register i of lane l. Newcomers wait in shared memory until there is one
/// for every lane; then they are sorted across the lanes, and merged into the queue by a bitonic network:
/// O(log^2 W + k / W log K) steps of all lanes. The first K - k elements are keys before every other, so that
/// the largest key that counts is in one place for every k, and registers that hold nothing else are passed
/// over.
template <class T, int K>
template <class G>
class GroupCandidates<T, K>::On {
    using Slot = KeySlot<T>;
    using S = typename Slot::type;
    template <class V>
    using var = typename G::template var<V>;
    static constexpr int W = G::width, R = K / W;
    static_assert(W <= 32 && std::has_single_bit(unsigned(W)) && std::has_single_bit(unsigned(K)) &&
                  R > 0);

  public:
    /// @param limit  keys behind it will not be kept
    ZWALK_INLINE void begin(G const& g, pos_t k, Key<T> limit) {
        unused_ = K - int(k);
        start_ = waiting_ = 0;
        worst_ = Slot::pack(limit);
        S const before = Slot::first(), none = Slot::pack(Key<T>{});
        ZWALK_UNROLL
        for (int i = 0; i < R; ++i)
            g.lanes([&](int l) { queue_[i][l] = i * W + l < unused_ ? before : none; });
    }

    /// An upper bound of the largest key kept: that of those added until lately.
    [[nodiscard]] ZWALK_INLINE Key<T> worst() const { return Slot::unpack(worst_); }

    /// The sources at first, ..., first + n - 1 <= first + W - 1, by their distances; but that at `left_out`.
    ZWALK_INLINE void add(G const& g, pos_t first, unsigned n, var<T> const& d2, pos_t left_out) {
        auto const key = [&](int l) { return Slot::pack({d2[l], first + pos_t(l)}); };
        unsigned const wanted = g.ballot(
            [&](int l) { return unsigned(l) < n && first + pos_t(l) != left_out && key(l) < worst_; });
        if (wanted == 0) return;
        auto& newcomers = shared_.get(g).newcomers;
        g.where([&](int l) { return (wanted >> l & 1U) != 0; },
                [&](int l) {
                    auto const rank = unsigned(count_bits(wanted & ((1U << l) - 1)));
                    newcomers.write(g, (start_ + waiting_ + rank) % (2 * W), key(l));
                });
        waiting_ += unsigned(count_bits(wanted));
        if (waiting_ >= W) settle(g);
    }

    /// Ends adding.
    ZWALK_INLINE void finish(G const& g) {
        if (waiting_ > 0) settle(g);
    }
    /// f(l, i, key) on lane l for the i-th of the k keys, for all i; in no order. Where fewer than k were added,
    /// the position of the key is no_pos.
    template <class F>
    ZWALK_INLINE void each(G const& g, F const& f) const {
        ZWALK_UNROLL
        for (int i = 0; i < R; ++i)
            g.lanes([&](int l) {
                int const at = i * W + l - unused_;
                if (at >= 0) f(l, at, Slot::unpack(queue_[i][l]));
            });
    }

    /// f(found) on one lane: found.size() of the k keys were added, found.each(f) ascend, see Knn.
    template <class F>
    ZWALK_INLINE void hand_over(G const& g, F const& f) {
        auto& keys = sorted_.get(g).keys;
        g.sync();  // the last ones may still be read
        each(g, [&](int, int i, Key<T> key) { keys.write(g, unsigned(i), Slot::pack(key)); });
        g.sync();
        g.where([](int l) { return l == 0; }, [&](int) { f(Found{&keys, unsigned(K - unused_)}); });
    }

  private:
    struct Shared {
        typename G::template Slots<S, 2 * W> newcomers;  // a ring: the `waiting_` from `start_` on
    };
    struct Sorted {
        typename G::template Slots<S, K> keys;
    };
    struct Found {
        typename G::template Slots<S, K>* keys;
        unsigned k;

        [[nodiscard]] ZWALK_INLINE Key<T> at(unsigned i) const { return Slot::unpack((*keys)[i]); }
        [[nodiscard]] ZWALK_INLINE pos_t size() const {
            unsigned n = k;
            while (n > 0 && at(n - 1).pos == no_pos) --n;
            return n;
        }
        template <class F>
        ZWALK_INLINE void each(F const& f) const {
            for (unsigned i = 0; i < k && at(i).pos != no_pos; ++i) f(int(i), at(i));
        }
    };

    /// At most W of those that wait enter the queue.
    ZWALK_INLINE void settle(G const& g) {
        auto& newcomers = shared_.get(g).newcomers;
        unsigned const n = min_of(waiting_, unsigned(W));
        var<S> x;
        g.sync();
        g.lanes([&](int l) {
            x[l] = Slot::pack(Key<T>{});
            if (unsigned(l) < n) x[l] = newcomers[(start_ + unsigned(l)) % (2 * W)];
        });
        g.sync();  // before others take their places
        start_ = (start_ + n) % (2 * W);
        waiting_ -= n;
        sort_descending(g, x);
        g.lanes([&](int l) {
            queue_[R - 1][l] = choose_slot(x[l] < queue_[R - 1][l], x[l], queue_[R - 1][l]);
        });
        sort_queue(g);
        S const last = g.broadcast(queue_[R - 1], W - 1);
        worst_ = choose_slot(last < worst_, last, worst_);  // fewer than k: the limit remains
    }
    ZWALK_INLINE void sort_descending(G const& g, var<S>& x) const {
        ZWALK_UNROLL
        for (int size = 2; size <= W; size *= 2) ZWALK_UNROLL
        for (int stride = size / 2; stride > 0; stride /= 2) compare_exchange(g, x, stride, size);
    }
    /// The queue ascends and then, in its last W elements, may descend: one bitonic sequence.
    ZWALK_INLINE void sort_queue(G const& g) {
        int const from = unused_ / W;  // registers before it need no sorting
        ZWALK_UNROLL
        for (int half = R / 2; half > 0; half /= 2) ZWALK_UNROLL
        for (int i = 0; i < R; ++i)
            if ((i & half) == 0 && i >= from)
                g.lanes([&](int l) { put_in_order(queue_[i][l], queue_[i + half][l]); });
        ZWALK_UNROLL
        for (int i = 0; i < R; ++i)
            if (i >= from) {
                ZWALK_UNROLL
                for (int stride = W / 2; stride > 0; stride /= 2)
                    compare_exchange(g, queue_[i], stride, 0);
            }
    }
    /// The lower one of lanes l and l ^ stride keeps the smaller key where bit `size` of l is as `size` is: 0.
    static ZWALK_INLINE void compare_exchange(G const& g, var<S>& x, int stride, int size) {
        g.exchange(x, stride, [&](int l, S y) {
            bool const smaller = ((l & stride) == 0) == (size == 0 || (l & size) != 0);
            x[l] = choose_slot((y < x[l]) == smaller, y, x[l]);
        });
    }

    var<S> queue_[R];
    int unused_;
    unsigned start_, waiting_;
    typename G::template Local<Shared> shared_;
    typename G::template Local<Sorted> sorted_;
    S worst_;
};

}}  // namespace zwalk::v0
