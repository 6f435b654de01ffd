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

/// N keys of each lane of a group: keys.write(g, i, key) and keys[i] on the lane, by what hold(g) gives it.
template <class G, class T, int N>
class LaneKeys {
    using Slot = KeySlot<T>;
    using Columns = typename G::template Columns<typename Slot::type, N>;
    Columns columns_;

  public:
    struct Column {
        typename G::template Column<typename Slot::type> slots;
        ZWALK_INLINE void write(G const& g, int i, Key<T> key) const {
            slots.write(g, i, Slot::pack(key));
        }
        ZWALK_INLINE Key<T> operator[](int i) const { return Slot::unpack(slots[i]); }
    };
    ZWALK_INLINE auto hold(G const& g) {
        auto const slots = columns_.hold(g);
        typename G::template var<Column> columns;
        g.lanes([&](int l) { columns[l] = {slots[l]}; });
        return columns;
    }
};
/// In two arrays: a quarter of a Key<double> is padding.
template <class G, int N>
class LaneKeys<G, double, N> {
    typename G::template Columns<double, N> d2_;
    typename G::template Columns<pos_t, N> pos_;

  public:
    struct Column {
        typename G::template Column<double> d2;
        typename G::template Column<pos_t> pos;
        ZWALK_INLINE void write(G const& g, int i, Key<double> key) const {
            d2.write(g, i, key.d2);
            pos.write(g, i, key.pos);
        }
        ZWALK_INLINE Key<double> operator[](int i) const { return {d2[i], pos[i]}; }
    };
    ZWALK_INLINE auto hold(G const& g) {
        auto const d2 = d2_.hold(g);
        auto const pos = pos_.hold(g);
        typename G::template var<Column> columns;
        g.lanes([&](int l) { columns[l] = {d2[l], pos[l]}; });
        return columns;
    }
};

/// What tuning.kept gives to a target: some of its lane's keys, by number.
template <class G, class Column, int first>
struct KeptKeys {
    G const& g;
    Column const& keys;
    using Key = decltype(keys[0]);
    ZWALK_INLINE void write(int i, Key key) const { keys.write(g, first + i, key); }
    [[nodiscard]] ZWALK_INLINE Key read(int i) const { return keys[first + i]; }
};

/// Finds of the lanes of a group; at most `at_once` a lane come between two calls of hand_over(). Beside them `kept` keys for each lane.
template <class G, class T, int at_once, int kept>
class LeafBatch {
    /// When one lane has so many, most have some: a batch is fuller the longer they wait, but horizons are older.
    static constexpr int enough = 9;
    static constexpr int room = enough - 1 + at_once;

    /// Finds first, then what lanes keep.
    using Keys = LaneKeys<G, T, room + kept>;

  public:
    ZWALK_INLINE explicit LeafBatch(G const& g) {
        keys_ = local_.get(g).hold(g);
        g.lanes([&](int l) { size_[l] = 0; });
    }
    LeafBatch(LeafBatch const&) = delete;
    LeafBatch& operator=(LeafBatch const&) = delete;

    /// One more, of lane l.
    ZWALK_INLINE void put(G const& g, int l, Key<T> key) {
        keys_[l].write(g, size_[l], key);
        ++size_[l];
    }
    /// Whether a lane has enough of them.
    [[nodiscard]] ZWALK_INLINE bool is_full(G const& g) const {
        return g.any([&](int l) { return size_[l] >= enough; });
    }
    [[nodiscard]] ZWALK_INLINE bool is_empty(G const& g) const {
        return !g.any([&](int l) { return size_[l] > 0; });
    }
    /// f(l, batch) on the lanes with finds, for the last batch_size of them.
    template <class F>
    ZWALK_INLINE void hand_over(G const& g, F const& f) {
        g.where([&](int l) { return size_[l] > 0; },
                [&](int l) {
                    Key<T> batch[batch_size];
                    int const n = size_[l];
                    ZWALK_UNROLL
                    for (int i = 0; i < batch_size; ++i) {
                        batch[i] = no_find();
                        if (n + i >= batch_size) batch[i] = keys_[l][n + i - batch_size];
                    }
                    size_[l] = n < batch_size ? 0 : n - batch_size;
                    f(l, batch);
                });
    }
    /// What lane l keeps.
    [[nodiscard]] ZWALK_INLINE auto kept_by(G const& g, int l) const requires(kept > 0) {
        return KeptKeys<G, typename Keys::Column, room>{g, keys_[l]};
    }

  private:
    static ZWALK_INLINE Key<T> no_find() {
        return kept > 0 ? Key<T>{not_a_number<T>, no_pos} : Key<T>{};
    }

    typename G::template Local<Keys> local_;
    typename G::template var<typename Keys::Column> keys_;
    typename G::template var<int> size_;
};

/// For traits that visit one by one.
struct NoLeafBatch {
    template <class G>
    ZWALK_INLINE explicit NoLeafBatch(G const&) {}
};
template <class G, class I, int at_once>
using LeafBatchOf =
    std::conditional_t<tuning_of<I>.batch, LeafBatch<G, typename I::real, at_once, tuning_of<I>.kept>,
                       NoLeafBatch>;

}}  // namespace zwalk::v0
