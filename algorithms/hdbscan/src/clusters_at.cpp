// The clusters of a hierarchy at one distance.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>

#include "scan_pieces.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/hdbscan/linkage.hpp"

namespace zwalk { inline namespace v0 {
namespace {

constexpr std::size_t grain = 1 << 14;

/// For each id of the lower part of a hierarchy, the largest cluster there that it is in. Any number of threads may use it at once.
class TopClusters {
  public:
    /// Of points and the clusters that the first `rows` merges make. Call inside Cpu::run.
    TopClusters(Cpu const& cpu, Linkage const& linkage, std::size_t rows)
        : top_(cpu.buffer<pos_t>(linkage.points + rows)) {
        cpu.for_each(top_.size(), Iota{top_.data()});
        parallel_for(rows, grain, [&](std::size_t i, std::size_t end) {
            for (; i < end; ++i) {
                std::size_t const row = rows - 1 - i;  // from the top, where parts know most
                // Another thread may not have told this cluster yet what it is in. Then it leads to that later.
                pos_t const above = load(pos_t(linkage.points + row));
                store(pos_t(linkage.merges[row].left), above);
                store(pos_t(linkage.merges[row].right), above);
            }
        });
    }
    [[nodiscard]] pos_t find(pos_t id) {
        pos_t const first = load(id);
        pos_t top = first;
        for (pos_t above; (above = load(top)) != top;) {
            pos_t const next = load(above);
            store(top, next);
            top = next;
        }
        if (top != first) store(id, top);
        return top;
    }
    /// What find() has found for an id.
    [[nodiscard]] pos_t operator[](std::size_t id) const { return load(pos_t(id)); }

  private:
    [[nodiscard]] std::atomic_ref<pos_t> at(pos_t id) const { return std::atomic_ref<pos_t>(top_[id]); }
    [[nodiscard]] pos_t load(pos_t id) const { return at(id).load(std::memory_order_relaxed); }
    void store(pos_t id, pos_t above) { at(id).store(above, std::memory_order_relaxed); }

    mutable Buffer<pos_t> top_;  ///< something that each one is in; of the largest clusters themselves
};

/// Numbers the clusters below a cut in the order of their smallest points.
class CutNumbers {
    // In place of a point.
    static constexpr pos_t too_small = no_pos, unseen = no_pos - 1;
    static_assert(max_points <= unseen);

  public:
    /// Call inside Cpu::run.
    CutNumbers(Cpu const& cpu, Linkage const& linkage, std::size_t rows, std::size_t least)
        : cpu_(cpu),
          points_(linkage.points),
          least_(least),
          tops_(cpu, linkage, rows),
          first_(cpu.buffer<pos_t>(rows)) {
        cpu.for_each(rows, [&](std::size_t row) {
            first_[row] = std::size_t(linkage.merges[row].size) < least ? too_small : unseen;
        });
    }

    /// On one thread: less work.
    void write_alone(Buffer<index_t>& labels) {
        index_t next = 0;
        for (std::size_t i = 0; i < points_; ++i) {
            pos_t const top = tops_.find(pos_t(i));
            if (top < points_) {
                labels[i] = least_ == 1 ? next++ : -1;
                continue;
            }
            pos_t& number = first_[top - points_];
            if (number == unseen) number = pos_t(next++);
            labels[i] = number == too_small ? -1 : index_t(number);
        }
    }
    void write(Buffer<index_t>& labels) {
        auto begins = cpu_.buffer<std::uint8_t>(points_);  // is it the smallest point of its cluster?
        each_point([&](std::size_t i) {
            pos_t const top = tops_.find(pos_t(i));
            begins[i] = top < points_ && least_ == 1;
            if (top >= points_) see(top, pos_t(i));
        });
        parallel_for(first_.size(), grain, [&](std::size_t row, std::size_t end) {
            for (; row < end; ++row)
                if (first_[row] < unseen) begins[first_[row]] = 1;
        });
        auto const begun = [&](std::size_t i, std::size_t end) {
            return index_t(std::count(begins.begin() + i, begins.begin() + end, 1));
        };
        auto const number = [&](std::size_t i, std::size_t end, index_t next) {
            for (; i < end; ++i) {
                if (!begins[i]) continue;
                if (pos_t const top = tops_[i]; top < points_) labels[i] = next++;
                else first_[top - points_] = pos_t(next++);
            }
        };
        (void)detail::scan_pieces<index_t>(points_, begun, std::plus<>(), number);
        each_point([&](std::size_t i) {
            if (pos_t const top = tops_[i]; top < points_) {
                if (least_ > 1) labels[i] = -1;
            } else {
                pos_t const found = first_[top - points_];
                labels[i] = found == too_small ? -1 : index_t(found);
            }
        });
    }

  private:
    template <class F>
    void each_point(F const& f) const {
        parallel_for(points_, grain, [&](std::size_t i, std::size_t end) {
            for (; i < end; ++i) f(i);
        });
    }
    /// A point of a cluster may be its smallest one.
    void see(pos_t top, pos_t point) {
        std::atomic_ref<pos_t> const first(first_[top - points_]);
        pos_t least = first.load(std::memory_order_relaxed);
        while (least != too_small && point < least)
            if (first.compare_exchange_weak(least, point, std::memory_order_relaxed)) return;
    }

    Cpu const& cpu_;
    std::size_t points_, least_;
    TopClusters tops_;
    Buffer<pos_t> first_;  ///< of the cluster that a row makes: its smallest point, then its number
};

}  // namespace

Buffer<index_t> clusters_at(Linkage const& linkage, double distance, std::size_t min_cluster_size,
                            Cpu const& cpu) {
    if (min_cluster_size < 1) throw InputError("min_cluster_size must be at least 1, but is 0");
    if (std::isnan(distance)) throw InputError("the distance of a cut must be a number");
    auto const& merges = linkage.merges;
    auto const above = [](double d, Merge const& m) { return d < m.distance; };
    auto const rows =
        std::size_t(std::upper_bound(merges.begin(), merges.end(), distance, above) - merges.begin());
    return cpu.run([&] {
        Buffer<index_t> labels(linkage.points);
        CutNumbers numbers(cpu, linkage, rows, min_cluster_size);
        cpu.threads() == 1 ? numbers.write_alone(labels) : numbers.write(labels);
        return labels;
    });
}

}}  // namespace zwalk::v0
