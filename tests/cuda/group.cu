// The group of a GPU against that of the CPU: what lanes compute together.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "cuda/context.hpp"
#include "zwalk/core/bits.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/exec/cuda_device.cuh"
#include "zwalk/exec/host_device.hpp"
#include "zwalk/exec/lane_doubles.hpp"

using namespace test;
using namespace zwalk;

namespace {

struct Triple {
    float a;
    unsigned b;
    int c;
    ZWALK_HD bool operator==(Triple const& o) const { return a == o.a && b == o.b && c == o.c; }
};

// The i-th value of each type; all different, in each of their words.
template <class V>
V value_of(std::size_t i) {
    if constexpr (std::is_same_v<V, Triple>) return {float(i) + .5f, ~unsigned(i), int(i) * 3};
    else if constexpr (std::is_arithmetic_v<V>) return V(i * 0x100000001ULL) + V(3);
    else return {double(i) / 3, pos_t(i)};
}

/// Votes and barriers: all that groups of any width can do.
template <int W>
struct Votes {
    static constexpr int width = W;
    static constexpr int min_blocks = 1;
    static constexpr bool persistent = false;
    int const* in;
    int* out;

    template <class G>
    ZWALK_INLINE void operator()(G const& g, pos_t i, pos_t) const {
        typename G::template var<int> x;
        g.lanes([&](int l) { x[l] = in[i * W + pos_t(l)]; });
        for (int least = 0; least < 4 * W; least += 3) {
            bool const some = g.any([&](int l) { return x[l] == least; });
            g.lanes([&](int l) { x[l] += some ? 7 : -1; });
            g.sync();
        }
        g.where([&](int l) { return x[l] % 2 == 0; }, [&](int l) { x[l] = -x[l]; });
        g.lanes([&](int l) { out[i * W + pos_t(l)] = x[l]; });
    }
};

/// Lanes of a warp exchange values.
template <int W, class V>
struct Exchanges {
    static constexpr int width = W;
    static constexpr int min_blocks = 1;
    static constexpr bool persistent = false;
    V const* in;
    V* out;  // some rows of W for each group

    static constexpr pos_t rows = std::bit_width(unsigned(W));

    template <class G>
    ZWALK_INLINE void operator()(G const& g, pos_t i, pos_t) const {
        pos_t row = i * rows;
        typename G::template var<V> x;
        auto const keep = [&] {
            g.lanes([&](int l) { out[row * W + pos_t(l)] = x[l]; });
            ++row;
        };
        g.lanes([&](int l) { x[l] = in[i * W + pos_t(l)]; });
        for (int mask = 1; mask < W; mask *= 2) {
            g.exchange(x, mask, [&](int l, V const& y) {
                if (l % 3 != 0) x[l] = y;
            });
            keep();
        }
        unsigned const odd = g.ballot([&](int l) { return (pos_t(l) + i) % 3 == 1; });
        V const from_odd = g.broadcast(x, trailing_zeros(odd)), last = g.broadcast(x, W - 1);
        g.lanes([&](int l) {
            if ((odd >> l & 1U) != 0) x[l] = l % 2 ? from_odd : last;
        });
        keep();
    }
};

/// Tiles and slots: what a lane reads, another one wrote.
template <int W, class V>
struct SharedValues {
    static constexpr int width = W;
    static constexpr int min_blocks = 1;
    static constexpr bool persistent = false;
    static constexpr pos_t loaded = 2 * W - 3;
    V const* in;
    V* out;

    template <class G>
    ZWALK_INLINE void operator()(G const& g, pos_t i, pos_t) const {
        struct Memory {
            typename G::template Tile<V, 2 * W> tile;
            typename G::template Slots<V, W> slots;
        };
        typename G::template Local<Memory> local;
        auto& memory = local.get(g);
        typename G::template var<V> x;
        for (pos_t round = 0; round < 5; ++round) {
            g.sync();
            memory.tile.load(g, in + i + round, loaded);
            g.sync();
            g.lanes([&](int l) { x[l] = memory.tile[(unsigned(l) * 5 + round) % loaded]; });
            g.lanes([&](int l) { memory.slots.write(g, unsigned(W - 1 - l), x[l]); });
            g.sync();
            g.lanes([&](int l) {
                out[(i * 5 + round) * W + pos_t(l)] = memory.slots[(unsigned(l) + 1) % W];
            });
        }
    }
};

/// Arithmetic on a double for each lane, as of packs.
template <int W>
struct Arithmetic {
    static constexpr int width = W;
    static constexpr int min_blocks = 1;
    static constexpr bool persistent = false;
    static constexpr pos_t rows = 3;
    double const* in;
    double* out;

    template <class G>
    ZWALK_INLINE void operator()(G const& g, pos_t i, pos_t) const {
        using V = LaneDoubles<G, void>;
        V x, y;
        g.lanes([&](int l) {
            x.lane[l] = 1 / in[i * W + pos_t(l)];
            y.lane[l] = in[i * W + pos_t(l * 7 % W)] * 1e-11;
        });
        V const sums = fma_of(V(sum_of(x)), .3, sum_of(x * y - 1) + abs_of(-y)),
                chosen = select((x < y) | (y >= x + 1), min_of(x, .25), max_of(y, inverse_sqrt_of(x))),
                counted = double(count_of((x > .01) & (y <= 1))) + (any_of(x == y) ? .25 : .5) +
                          (all_of(y > 0) ? 100 : 1000);
        g.lanes([&](int l) {
            out[(i * rows + 0) * W + pos_t(l)] = sums.lane[l];
            out[(i * rows + 1) * W + pos_t(l)] = chosen.lane[l];
            out[(i * rows + 2) * W + pos_t(l)] = counted.lane[l];
        });
    }
};

/// A kernel(in, out) does the same on both groups.
template <class V, class Kernel>
void check(pos_t groups, std::size_t results) {
    std::vector<V> in(std::size_t(groups) * Kernel::width + 2 * Kernel::width), expected(results),
        found(results);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = value_of<V>(i);
    HostDevice<> host;
    host.launch(groups, Kernel{in.data(), expected.data()});
    CudaDevice device(on_gpu());
    auto from = device.buffer<V>(in.size()), to = device.buffer<V>(results);
    device.upload(from.data(), in.data(), in.size());
    device.launch(groups, Kernel{from.data(), to.data()});
    device.download(found.data(), to.data(), results);
    CAPTURE(int(Kernel::width));
    CAPTURE(sizeof(V));
    CHECK(found == expected);
}

constexpr pos_t groups = 11;  // a whole number of blocks for no width but that of a block

template <int W, class V>
void check_values() {
    if constexpr (W <= 32) check<V, Exchanges<W, V>>(groups, groups * W * Exchanges<W, V>::rows);
    check<V, SharedValues<W, V>>(groups, groups * W * 5);
}
template <int W>
void check_width() {
    check<int, Votes<W>>(groups, groups * W);
    check_values<W, float>();
    check_values<W, Key<double>>();
    check_values<W, Triple>();
}

/// Which slot took which group; memory of a slot is written without care for others.
template <int W>
struct TakeGroups {
    static constexpr int width = W;
    static constexpr int min_blocks = 1;
    static constexpr bool persistent = true;
    pos_t* times;    // W of each group
    pos_t* by_slot;  // W of each slot

    template <class G>
    ZWALK_INLINE void operator()(G const& g, pos_t i, pos_t slot) const {
        g.lanes([&](int l) {
            ++times[i * W + pos_t(l)];
            ++by_slot[slot * W + pos_t(l)];
        });
        g.sync();
    }
};

template <int W>
void check_slots() {
    CudaDevice device(on_gpu());
    pos_t const resident = device.slots<TakeGroups<W>>();
    for (pos_t n : {1U, 7U, 8U, 9U, 40U})
        for (pos_t slots : {1U, 3U, 8U, 9U, no_pos}) {
            pos_t const used = std::min({n, slots, resident});
            std::vector<pos_t> times(n * W), by_slot(used * W);
            auto times_there = device.buffer<pos_t>(times.size()),
                 slots_there = device.buffer<pos_t>(by_slot.size());
            device.zero(times_there.data(), times.size());
            device.zero(slots_there.data(), by_slot.size());
            device.launch(n, TakeGroups<W>{times_there.data(), slots_there.data()}, slots);
            device.download(times.data(), times_there.data(), times.size());
            device.download(by_slot.data(), slots_there.data(), by_slot.size());
            CAPTURE(W);
            CAPTURE(n);
            CAPTURE(slots);
            CHECK(times == std::vector<pos_t>(n * W, 1));
            CHECK(std::accumulate(by_slot.begin(), by_slot.end(), pos_t(0)) == n * W);
            CHECK(*std::min_element(by_slot.begin(), by_slot.end()) > 0);
        }
}

}  // namespace

TEST_CASE("GPU groups: votes, exchanges, shared memory are those of the CPU's group") {
    check_width<8>();
    check_width<16>();
    check_width<32>();
    check_width<64>();
}

TEST_CASE("GPU groups: arithmetic on a double for each lane has the bits of the CPU's group") {
    check<double, Arithmetic<8>>(groups, groups * 8 * Arithmetic<8>::rows);
    check<double, Arithmetic<32>>(groups, groups * 32 * Arithmetic<32>::rows);
}

TEST_CASE("GPU groups: every group is taken once, on no more slots than there are") {
    check_slots<8>();
    check_slots<32>();
    check_slots<64>();
}
