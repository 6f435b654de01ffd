// A group for tests: runs lanes one by one and finds missing sync() calls.
#pragma once
#include "zwalk/core/config.hpp"
#include "zwalk/exec/group.hpp"

namespace zwalk { inline namespace v0 {

/// The state of a checked group while a kernel runs. One per kernel run, owned by the test.
struct CheckedRun {
    int lane = -1;        ///< lane that is running, -1 outside lanes()
    long epoch = 0;       ///< number of sync() calls so far
    long races = 0;       ///< accesses that another lane's access in the same epoch conflicts with
    long syncs = 0;       ///< sync() calls met
    long drop_sync = -1;  ///< this sync() call is ignored (to see that the check can fail)
};

/// Lanes run in turn, in reverse order in odd epochs. Every slot of a tile remembers its last
/// writer, its last reader and the epochs; a read of what another lane wrote, or a write over what
/// another lane read or wrote, with no sync() in between, counts as a race. So does an operation of all
/// lanes that is inside lanes().
template <int W>
struct CheckedGroup {
    static constexpr int width = W;
    template <class T>
    using var = LaneArray<T, W>;

    CheckedRun* run;

    static constexpr int thread() { return 0; }

    template <class F>
    void lanes(F const& f) const {
        for (int i = 0; i < W; ++i) {
            run->lane = run->epoch % 2 ? W - 1 - i : i;
            f(run->lane);
        }
        run->lane = -1;
    }
    void sync() const {
        if (run->syncs++ != run->drop_sync) ++run->epoch;
    }
    template <class F>
    bool any(F const& pred) const {
        bool some = false;
        lanes([&](int l) { some |= bool(pred(l)); });
        return some;
    }
    template <class P, class F>
    void where(P const& pred, F const& f) const {
        lanes([&](int l) {
            if (pred(l)) f(l);
        });
    }

    template <class F>
    unsigned ballot(F const& pred) const {
        static_assert(W <= 32);
        run->races += run->lane >= 0;
        unsigned bits = 0;
        lanes([&](int l) { bits |= unsigned(bool(pred(l))) << l; });
        return bits;
    }
    template <class T>
    T broadcast(LaneArray<T, W> const& x, int lane) const {
        run->races += run->lane >= 0;
        return x[lane];
    }
    template <class T, class F>
    void exchange(LaneArray<T, W> const& x, int mask, F const& f) const {
        run->races += run->lane >= 0;
        LaneArray<T, W> const before = x;
        lanes([&](int l) { f(l, before[l ^ mask]); });
    }

    template <class T, int N>
    struct Slots {
        static constexpr int nobody = -2, everybody = -3;
        T value[N];
        int writer[N], reader[N];
        long written[N], read[N];
        CheckedRun* run = nullptr;

        void write(CheckedGroup const& g, unsigned i, T const& x) {
            start(g);
            run->races += read[i] == run->epoch && reader[i] != run->lane;
            run->races += written[i] == run->epoch && writer[i] != run->lane;
            writer[i] = run->lane;
            written[i] = run->epoch;
            value[i] = x;
        }
        T operator[](unsigned i) {
            // Outside lanes() every lane of the real group reads the slot.
            int const me = run->lane < 0 ? everybody : run->lane;
            run->races += written[i] == run->epoch && writer[i] != me;
            reader[i] = read[i] == run->epoch && reader[i] != me ? everybody : me;
            read[i] = run->epoch;
            return value[i];
        }

      private:
        void start(CheckedGroup const& g) {
            if (run) return;
            for (int i = 0; i < N; ++i) writer[i] = reader[i] = nobody, written[i] = read[i] = -1;
            run = g.run;
        }
    };

    template <class T>
    struct Column {
        CheckedRun* run;
        T* first;
        long lane;  // as wide as the others, without padding
        void write(CheckedGroup const&, int i, T const& x) const {
            run->races += run->lane != lane;
            first[i * W] = x;
        }
        T operator[](int i) const {
            run->races += run->lane != lane;
            return first[i * W];
        }
    };
    template <class T, int N>
    struct Columns {
        T value[N * W];
        var<Column<T>> hold(CheckedGroup const& g) {
            var<Column<T>> columns;
            for (int l = 0; l < W; ++l) columns[l] = {g.run, value + l, l};
            return columns;
        }
    };
    template <class T, int N>
    struct Tile : Slots<T, N> {
        static constexpr unsigned capacity = N;
        static constexpr bool fills = true;
        void load_and_fill(CheckedGroup const& g, T const* source, unsigned n, T fill) {
            g.lanes([&](int l) {
                for (unsigned i = unsigned(l); i < N; i += W)
                    this->write(g, i, i < n ? source[i] : fill);
            });
        }
        void load(CheckedGroup const& g, T const* source, unsigned n) {
            g.lanes([&](int l) {
                for (unsigned i = unsigned(l); i < n; i += W) this->write(g, i, source[i]);
            });
        }
    };

    template <class S>
    struct Local {
        S value{};
        S& get(CheckedGroup const&) { return value; }
        S& hold(CheckedGroup const&) { return value; }
    };
};

}}  // namespace zwalk::v0
