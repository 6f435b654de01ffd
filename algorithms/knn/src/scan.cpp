#include "scan.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scan_tiles.hpp"
#include "zwalk/core/bits.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/zorder/compare.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

/// Neighbours that are kept beyond the k-th: where fewer sources tie with it, one scan sees all of them.
constexpr pos_t more_for_ties = 8;
/// Ties that are worth their time even where there are few pairs.
constexpr std::size_t some_ties = 10'000;
/// Keys of targets that are in hand: some megabytes.
constexpr std::size_t keys_at_once = std::size_t(1) << 20;
/// Targets that a task settles.
constexpr std::size_t settled_per_task = 16;

/// Collects the nearest of a range for the targets of a tile, and watches how many keys come: each takes as long as some ten pairs. They
/// are few where sources come in any order, and most of all pairs among copies, no source of which is further than the last.
template <class T>
struct CollectFew : Nearest<max_dim, T, KeysOfPart<T>> {
    using Base = Nearest<max_dim, T, KeysOfPart<T>>;
    using typename Base::Fold, typename Base::Target;

    std::size_t late;                   ///< keys that may come late: those of ties that may be listed
    std::atomic<bool>* too_many;        ///< for all tiles
    mutable std::size_t collected = 0;  ///< a trait is that of one thread

    CollectFew(pos_t most, KeysOfPart<T> const& to, std::size_t ties, std::atomic<bool>* stop)
        : Base(most, to), late(ties), too_many(stop) {}

    template <Isa isa, class Block>
    ZWALK_INLINE void visit_block(Fold& f, Target const& p, Block const& block) const {
        for (pos_t c = 0; c < block.count; c += simd_width<T>)
            collected +=
                std::size_t(count_bits(Simd<isa>::at_most(block.d2 + c, f.worst().d2) & block.lanes(c)));
        Base::template visit_block<isa>(f, p, block);
    }
    /// In any order about k + slack sources come first, and as many again each time that e times as many have met. Twice that is much.
    /// Most that come later tie with the last: of them not even a pair in 16 is fast, and all that tie would have to be listed.
    [[nodiscard]] bool goes_on(std::size_t blocks, pos_t targets) const {
        std::size_t const held = this->k + this->selector.slack;
        std::size_t const usual = held * (4 + 3 * std::size_t(std::bit_width(blocks)) / 2);
        std::size_t const pairs = targets * blocks * MeasuredBlock<T>::capacity;
        if (collected > targets * usual + std::min(late, pairs / 16)) *too_many = true;
        return !too_many->load(std::memory_order_relaxed);
    }
};

/// Lists the sources at one distance of each target, as a trait for AllPairs.
template <class T>
struct ListTies : Types<max_dim, T> {
    using Base = Types<max_dim, T>;
    using typename Base::State, typename Base::Target;
    static constexpr Uses uses{.ordered = true};
    static constexpr Tuning tuning{.blocks = true};
    struct Fold {
        T d2;
        std::vector<pos_t>* rows;
    };

    T const* d2;                        ///< of each target
    std::vector<pos_t>* rows;           ///< likewise
    std::atomic<std::ptrdiff_t>* room;  ///< how many may still be listed

    Fold begin(Target const& p, State const&) const { return {d2[p.index], rows + p.index}; }
    ZWALK_INLINE Key<T> horizon(Fold const& f) const { return {f.d2, no_pos}; }
    void end(Fold const&, Target const&) const {}
    template <Isa isa, class Block>
    ZWALK_INLINE void visit_block(Fold& f, Target const&, Block const& block) const {
        pos_t n = 0;
        for (pos_t i = 0; i < block.count; ++i) n += block.d2[i] == f.d2;
        if (n > 0) list(f, block, std::ptrdiff_t(n));
    }
    [[nodiscard]] bool goes_on(std::size_t, pos_t) const {
        return room->load(std::memory_order_relaxed) >= 0;
    }

  private:
    template <class Block>
    [[gnu::noinline]] void list(Fold& f, Block const& block, std::ptrdiff_t n) const {
        if (!goes_on(0, 0) || room->fetch_sub(n, std::memory_order_relaxed) < n) return;
        for (pos_t i = 0; i < block.count; ++i)
            if (block.d2[i] == f.d2) f.rows->push_back(block.first + i);
    }
};

/// Neighbours side by side, as NearestRows takes them.
template <class T>
class FoundRows {
  public:
    explicit FoundRows(std::span<Key<T> const> keys) : d2_(keys.size()), row_(keys.size()) {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            d2_[i] = keys[i].d2;
            row_[i] = keys[i].pos;
        }
    }
    [[nodiscard]] pos_t size() const { return pos_t(d2_.size()); }
    [[nodiscard]] T const* d2() const { return d2_.data(); }
    [[nodiscard]] pos_t const* position() const { return row_.data(); }
    [[nodiscard]] T d2(int i) const { return d2_[std::size_t(i)]; }
    [[nodiscard]] pos_t position(int i) const { return row_[std::size_t(i)]; }

  private:
    std::vector<T> d2_;
    std::vector<pos_t> row_;
};

/// Some targets at a time, from their first pair to the output.
template <class T, class Space>
class Scan {
  public:
    Scan(Cpu const& cpu, ScanTask<T> const& task, Space const& space, NearestRows<T> const& output)
        : task_(task), space_(space), output_(output), threads_(std::size_t(cpu.threads())) {
        std::size_t const n = task.sources.size;
        kept_ = std::max<pos_t>(1, min_of(pos_t(n), pos_t(task.k + more_for_ties)));
        tasks_ = std::max(keys_at_once / (scan_tile * kept_), 2 * threads_);
        // Sorts of ties in z-order take no longer than a tree, or than the scan itself.
        ties_ = std::min(n, n / 4 + n * (task.targets.size / 2048)) + some_ties;
        if (std::uint64_t const budget = cpu.memory_budget(); budget > 0) {
            std::uint64_t const half = budget / 2, keys = scan_tile * kept_ * sizeof(Key<T>);
            std::uint64_t const running = std::max<std::uint64_t>(1, half / tile_bytes());
            tasks_ = std::clamp<std::uint64_t>(half / keys, 1, running < threads_ ? running : tasks_);
            ties_ = std::min<std::uint64_t>(ties_, budget / 64);
            may_hold_ = budget / 4;
        }
        room_ = std::ptrdiff_t(ties_);
    }

    ScanDone run() {
        std::size_t const m = task_.targets.size;
        if (output_.visitor) {
            if (double(m) * double(task_.k) * sizeof(Key<T>) > double(may_hold_)) return {};
            held_ = Buffer<Key<T>>(m * task_.k);
            held_of_ = Buffer<pos_t>(m);
        }
        std::size_t const batch = scan_tile * std::min(tasks_, std::max<std::size_t>(16, 4 * threads_));
        for (std::size_t first = 0; first < m; first += batch)
            if (!scan(pos_t(first), pos_t(std::min(batch, m - first)))) return {false, pairs_};
        if (output_.visitor)
            each(pos_t(m), [&](pos_t i) {
                hand_over(i, {held_.data() + std::size_t(i) * task_.k, held_of_[i]});
            });
        return {true, pairs_};
    }

  private:
    /// What a thread needs for its tile: keys that are collected, and columns.
    [[nodiscard]] std::size_t tile_bytes() const {
        Nearest<max_dim, T, KeysOfPart<T>> const trait(kept_);
        return scan_tile * (trait.scratch_bytes() + 3 * max_dim * sizeof(T));
    }

    /// Targets first, ..., first + count - 1. False: there are too many ties to go on.
    bool scan(pos_t first, pos_t count) {
        first_ = first;
        std::vector<pos_t> rows(count);
        for (pos_t i = 0; i < count; ++i) rows[i] = first + i;
        auto const tiles = tiles_of(rows);
        keys_ = Buffer<Key<T>>(tiles.ranges() * count * kept_);
        found_ = Buffer<pos_t>(tiles.ranges() * count);
        std::atomic<bool> too_many{false};
        pairs_ += tiles.meet(space_, [&](std::size_t range, pos_t tile) {
            std::size_t const at = range * count + tile;
            CollectFew<T> trait(kept_, {keys_.data() + at * kept_, found_.data() + at, kept_}, ties_,
                                &too_many);
            trait.limit2 = task_.limit2;
            return trait;
        });
        if (too_many) return false;
        std::vector<unsigned char> open(count);
        each(count, [&](pos_t i) { open[i] = merge(i, count, tiles.ranges()); });
        std::vector<pos_t> open_rows;
        for (pos_t i = 0; i < count; ++i)
            if (open[i]) open_rows.push_back(first + i);
        auto const ties = list_ties(open_rows);
        if (room_.load() < 0) return false;
        each(pos_t(open_rows.size()), [&](pos_t i) { settle(open_rows[i] - first, &ties[i]); });
        each(count, [&](pos_t i) {
            if (!open[i]) settle(i, nullptr);
        });
        return true;
    }

    [[nodiscard]] ScanTiles<T> tiles_of(std::span<pos_t const> targets) const {
        return {task_.sources, task_.targets,
                targets,       threads_,
                tasks_,        std::max<std::size_t>(least_range, 64 * std::size_t(kept_))};
    }

    template <class F>
    static void each(pos_t n, F const& f) {
        parallel_for(n, settled_per_task, [&](std::size_t i, std::size_t end) {
            for (; i < end; ++i) f(pos_t(i));
        });
    }

    /// The neighbours of a target in its first list, ascending, from those in all parts of the sources. True if sources that aren't in it
    /// may tie with the k-th.
    bool merge(pos_t i, pos_t count, std::size_t ranges) {
        std::vector<Key<T>> all;
        for (std::size_t r = 0; r < ranges; ++r) {
            std::size_t const at = r * count + i;
            all.insert(all.end(), keys_.data() + at * kept_, keys_.data() + at * kept_ + found_[at]);
        }
        std::sort(all.begin(), all.end());
        all.resize(std::min<std::size_t>(all.size(), kept_));
        bool const complete = all.size() < kept_ || kept_ == task_.sources.size;
        T const last = all.empty() ? 0 : all.back().d2;
        std::copy(all.begin(), all.end(), keys_.data() + std::size_t(i) * kept_);
        found_[i] = pos_t(all.size());
        return !complete && all[task_.k - 1].d2 == last;
    }

    /// For these targets (rows): all sources that tie with the k-th neighbour.
    std::vector<std::vector<pos_t>> list_ties(std::span<pos_t const> targets) {
        std::vector<std::vector<pos_t>> ties(targets.size());
        std::vector<T> d2(targets.size());
        for (std::size_t i = 0; i < targets.size(); ++i)
            d2[i] = keys_[std::size_t(targets[i] - first_) * kept_ + (task_.k - 1)].d2;
        auto const tiles = tiles_of(targets);
        std::vector<std::vector<pos_t>> parts(tiles.ranges() * targets.size());
        pairs_ += tiles.meet(space_, [&](std::size_t range, pos_t tile) {
            ListTies<T> trait;
            trait.d2 = d2.data() + tile;
            trait.rows = parts.data() + range * targets.size() + tile;
            trait.room = &room_;
            return trait;
        });
        for (std::size_t p = 0; p < parts.size(); ++p) {
            auto& to = ties[p % targets.size()];
            to.insert(to.end(), parts[p].begin(), parts[p].end());
            parts[p] = {};
        }
        return ties;
    }

    /// Puts a target's neighbours that tie in z-order, and hands them over, or holds them: a visitor sees each target once, so it sees none
    /// before it is clear that a tree needn't answer.
    /// @param ties  null: none but those that are in its list
    void settle(pos_t i, std::vector<pos_t> const* ties) {
        Key<T> const* const kept = keys_.data() + std::size_t(i) * kept_;
        std::vector<Key<T>> keys(kept, kept + found_[i]);
        if (ties) {
            T const last = keys[task_.k - 1].d2;
            std::erase_if(keys, [&](Key<T> key) { return key.d2 == last; });
            for (pos_t const row : *ties) keys.push_back({last, row});
        }
        auto const size = std::min<std::size_t>(keys.size(), task_.k);
        for (std::size_t b = 0; b < size;) {
            std::size_t e = b + 1;
            while (e < keys.size() && keys[e].d2 == keys[b].d2) ++e;
            auto const at = keys.begin();
            if (e > b + 1)
                std::partial_sort(at + std::ptrdiff_t(b), at + std::ptrdiff_t(std::min(e, size)),
                                  at + std::ptrdiff_t(e),
                                  [&](Key<T> p, Key<T> q) { return in_z_order(p.pos, q.pos); });
            b = e;
        }
        pos_t const target = first_ + i;
        if (output_.visitor) {
            std::copy_n(keys.begin(), size, held_.data() + std::size_t(target) * task_.k);
            held_of_[target] = pos_t(size);
        } else {
            hand_over(target, {keys.data(), size});
        }
    }
    void hand_over(pos_t target, std::span<Key<T> const> found) const {
        struct Target {
            pos_t index;
        };
        output_(Target{target}, FoundRows<T>(found));
    }
    /// Whether row a comes before row b in the z-order of the sources.
    [[nodiscard]] bool in_z_order(pos_t a, pos_t b) const {
        int const dim = task_.sources.dim;
        T const *const p = task_.sources.data + std::size_t(a) * std::size_t(dim),
                       *const q = task_.sources.data + std::size_t(b) * std::size_t(dim);
        if (z_less(p, q, dim)) return true;
        return a < b && !z_less(q, p, dim);
    }

    ScanTask<T> const& task_;
    Space const& space_;
    NearestRows<T> const& output_;
    std::size_t threads_;
    std::size_t tasks_ = 1;  ///< each a tile and a range, for whose keys there is memory
    pos_t kept_ = 1;         ///< neighbours that are kept of each target
    pos_t first_ = 0;        ///< of the targets in hand
    std::size_t pairs_ = 0;  ///< that have met
    Buffer<Key<T>> keys_;    ///< kept_ of each of them, for each part of the sources
    Buffer<pos_t> found_;
    std::size_t ties_ = 0;                             ///< that may be listed
    std::atomic<std::ptrdiff_t> room_{0};              ///< of them, that are left
    std::uint64_t may_hold_ = std::uint64_t(1) << 30;  ///< bytes for a visitor
    Buffer<Key<T>> held_;                              ///< k of each target, for a visitor
    Buffer<pos_t> held_of_;                            ///< how many there are
};

}  // namespace

template <class T>
ScanDone scan_nearest(Cpu const& cpu, ScanTask<T> const& task, NearestRows<T> const& output) {
    if (task.period.empty()) {
        Open<max_dim, T> const open;
        return Scan<T, Open<max_dim, T>>(cpu, task, open, output).run();
    }
    auto const periodic = periodic_space<max_dim>(task.period);
    return Scan<T, Periodic<max_dim, T>>(cpu, task, periodic, output).run();
}

template ScanDone scan_nearest(Cpu const&, ScanTask<float> const&, NearestRows<float> const&);
template ScanDone scan_nearest(Cpu const&, ScanTask<double> const&, NearestRows<double> const&);

}}}  // namespace zwalk::v0::detail
