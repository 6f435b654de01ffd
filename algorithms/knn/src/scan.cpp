#include "scan.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "scan_tiles.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/zorder/compare.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

/// Neighbours that are kept beyond the k-th: where fewer sources tie with it, one scan sees all of them.
constexpr pos_t more_for_ties = 8;
/// Ties that are worth their time even where there are few sources.
constexpr std::ptrdiff_t some_ties = 10'000;
/// Ties that may have to be held at a time, or all sources for each of so many targets, once neighbours have been handed over.
constexpr std::size_t ties_at_once = std::size_t(1) << 26, least_at_once = 8;
/// Keys of targets that are in hand: some megabytes.
constexpr std::size_t keys_at_once = std::size_t(1) << 20;
/// Targets that a task settles.
constexpr std::size_t settled_per_task = 16;

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
        for (pos_t i = 0; i < block.count; ++i)
            if (block.d2[i] == f.d2) list(*f.rows, block.first + i);
    }

  private:
    [[gnu::noinline]] void list(std::vector<pos_t>& to, pos_t row) const {
        if (room->fetch_sub(1, std::memory_order_relaxed) > 0) to.push_back(row);
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
        auto const n = pos_t(task.sources.size);
        kept_ = std::min(n, pos_t(task.k + pos_t(task.exclude_self) + more_for_ties));
    }

    bool run() {
        std::size_t const batch =
            scan_tile * std::clamp<std::size_t>(keys_at_once / (scan_tile * std::max<pos_t>(1, kept_)),
                                                1, std::max<std::size_t>(16, 4 * threads_));
        for (std::size_t first = 0; first < task_.targets.size; first += batch)
            if (!scan(pos_t(first), pos_t(std::min(batch, task_.targets.size - first)))) return false;
        return true;
    }

  private:
    /// Targets first, ..., first + count - 1.
    bool scan(pos_t first, pos_t count) {
        first_ = first;
        std::vector<pos_t> rows(count);
        for (pos_t i = 0; i < count; ++i) rows[i] = first + i;
        ScanTiles<T> const tiles(task_.sources, task_.targets, rows, threads_);
        keys_ = Buffer<Key<T>>(tiles.ranges() * count * std::max<pos_t>(1, kept_));
        found_ = Buffer<pos_t>(tiles.ranges() * count);
        tiles.meet(space_, [&](std::size_t range, pos_t tile) {
            std::size_t const at = range * count + tile;
            Nearest<max_dim, T, KeepKeys<T>> trait(
                std::max<pos_t>(1, kept_), {keys_.data() + at * kept_, found_.data() + at, kept_});
            trait.limit2 = task_.limit2;
            return trait;
        });
        std::vector<unsigned char> open(count);
        each(count, [&](pos_t i) { open[i] = merge(i, count, tiles.ranges()); });
        std::vector<pos_t> open_rows;
        for (pos_t i = 0; i < count; ++i)
            if (open[i]) open_rows.push_back(first + i);
        if (!settle_open(open_rows)) return false;
        each(count, [&](pos_t i) {
            if (!open[i]) settle(i, nullptr);
        });
        given_ = true;
        return true;
    }

    /// Settles targets (rows) whose k-th neighbour may tie with many sources. False: there are too many ties to go on, and nothing has
    /// been handed over yet. After that there is no way back, since a visitor sees each target once, so ties take as long as they take.
    bool settle_open(std::span<pos_t const> targets) {
        std::size_t const n = task_.sources.size;
        room_ = given_ ? std::numeric_limits<std::ptrdiff_t>::max() : std::ptrdiff_t(n / 4) + some_ties;
        std::size_t const most =
            given_ ? std::clamp(ties_at_once / n, least_at_once, std::size_t(scan_tile))
                   : targets.size();
        for (std::size_t first = 0; first < targets.size(); first += most) {
            auto const part = targets.subspan(first, std::min(most, targets.size() - first));
            auto const ties = list_ties(part);
            if (room_.load() < 0) return false;
            each(pos_t(part.size()), [&](pos_t i) { settle(part[i] - first_, &ties[i]); });
        }
        return true;
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
        if (task_.exclude_self) std::erase_if(all, [&](Key<T> key) { return key.pos == first_ + i; });
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
        ScanTiles<T> const tiles(task_.sources, task_.targets, targets, threads_);
        std::vector<std::vector<pos_t>> parts(tiles.ranges() * targets.size());
        tiles.meet(space_, [&](std::size_t range, pos_t tile) {
            ListTies<T> trait;
            trait.d2 = d2.data() + tile;
            trait.rows = parts.data() + range * targets.size() + tile;
            trait.room = &room_;
            return trait;
        });
        for (std::size_t p = 0; p < parts.size(); ++p) {
            auto& to = ties[p % targets.size()];
            to.insert(to.end(), parts[p].begin(), parts[p].end());
        }
        return ties;
    }

    /// Puts a target's neighbours that tie in z-order, and hands them over.
    /// @param ties  null: none but those that are in its list
    void settle(pos_t i, std::vector<pos_t> const* ties) const {
        Key<T> const* const kept = keys_.data() + std::size_t(i) * kept_;
        std::vector<Key<T>> keys(kept, kept + found_[i]);
        if (ties) {
            T const last = keys[task_.k - 1].d2;
            std::erase_if(keys, [&](Key<T> key) { return key.d2 == last; });
            for (pos_t const row : *ties)
                if (!task_.exclude_self || row != first_ + i) keys.push_back({last, row});
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
        struct Target {
            pos_t index;
        };
        output_(Target{first_ + i}, FoundRows<T>({keys.data(), size}));
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
    pos_t kept_ = 0;       ///< neighbours that are kept of each target
    pos_t first_ = 0;      ///< of the targets in hand
    Buffer<Key<T>> keys_;  ///< kept_ of each of them, for each part of the sources
    Buffer<pos_t> found_;
    std::atomic<std::ptrdiff_t> room_{0};  ///< for ties
    bool given_ = false;                   ///< neighbours of some targets have been handed over
};

}  // namespace

template <class T>
bool scan_nearest(Cpu const& cpu, ScanTask<T> const& task, NearestRows<T> const& output) {
    if (task.period.empty()) {
        Open<max_dim, T> const open;
        return Scan<T, Open<max_dim, T>>(cpu, task, open, output).run();
    }
    auto const periodic = periodic_space<max_dim>(task.period);
    return Scan<T, Periodic<max_dim, T>>(cpu, task, periodic, output).run();
}

template bool scan_nearest(Cpu const&, ScanTask<float> const&, NearestRows<float> const&);
template bool scan_nearest(Cpu const&, ScanTask<double> const&, NearestRows<double> const&);

}}}  // namespace zwalk::v0::detail
