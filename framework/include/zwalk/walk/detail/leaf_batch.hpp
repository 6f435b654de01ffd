// Sources that wait until several can be handed to a target's fold at once (tuning.batch).
//
// When lanes visit sources one by one, a fold that takes many instructions is entered by all lanes of a group as
// soon as one of them has found something: few lanes work. So finds wait in shared memory until one lane has more of
// them than fit into a batch; then each lane takes in as many as it has, up to a batch.
#pragma once
#include <type_traits>

#include "zwalk/core/key_slot.hpp"
#include "zwalk/walk/interaction.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

/// Finds of the lanes of a group; at most `at_once` a lane come between two calls of hand_over().
template <class G, class T, int at_once>
class LeafBatch {
    using Slot = KeySlot<T>;
    static constexpr unsigned W = G::width;
    /// When one lane has so many, most have some: a batch is fuller the longer they wait, but horizons are older.
    static constexpr unsigned enough = 12;
    static constexpr unsigned room = enough - 1 + at_once;

  public:
    ZWALK_INLINE explicit LeafBatch(G const& g) {
        g.lanes([&](int l) { end_[l] = unsigned(l); });
    }
    /// One more, of lane l.
    ZWALK_INLINE void put(G const& g, int l, Key<T> key) {
        shared_.get(g).slots.write(g, end_[l], Slot::pack(key));
        end_[l] += W;
    }
    /// Whether a lane has enough of them.
    [[nodiscard]] ZWALK_INLINE bool is_full(G const& g) const {
        return g.any([&](int l) { return end_[l] >= enough * W; });
    }
    [[nodiscard]] ZWALK_INLINE bool is_empty(G const& g) const {
        return !g.any([&](int l) { return end_[l] >= W; });
    }
    /// f(l, batch) on the lanes with finds, for the last batch_size of them.
    template <class F>
    ZWALK_INLINE void hand_over(G const& g, F const& f) {
        auto& slots = shared_.get(g).slots;
        g.where([&](int l) { return end_[l] >= W; },
                [&](int l) {
                    Key<T> batch[batch_size];
                    unsigned const end = end_[l];
                    ZWALK_UNROLL
                    for (unsigned i = 1; i <= unsigned(batch_size); ++i)
                        if (i * W <= end) batch[i - 1] = Slot::unpack(slots[end - i * W]);
                    end_[l] = end < batch_size * W ? unsigned(l) : end - batch_size * W;
                    f(l, batch);
                });
    }

  private:
    struct Shared {
        typename G::template Slots<typename Slot::type, room * W> slots;  // one lane has every W-th
    };
    typename G::template Local<Shared> shared_;
    typename G::template var<unsigned> end_;  // number of the lane's next slot
};

/// For traits that visit one by one.
struct NoLeafBatch {
    template <class G>
    ZWALK_INLINE explicit NoLeafBatch(G const&) {}
};
template <class G, class I, int at_once>
using LeafBatchOf =
    std::conditional_t<tuning_of<I>.batch, LeafBatch<G, typename I::real, at_once>, NoLeafBatch>;

}}  // namespace zwalk::v0
