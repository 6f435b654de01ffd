#include "zwalk/zorder/sort.hpp"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "zwalk/core/buffer.hpp"
#include "zwalk/zorder/compare.hpp"
#include "zwalk/zorder/key.hpp"
#include "zwalk/zorder/records.hpp"

namespace zwalk::inline v0 {
namespace {

constexpr std::size_t grain = 1 << 14;  // points per task
constexpr std::size_t short_run = 32;   // runs up to this length are settled by the comparator
constexpr std::size_t runs_per_task = 64;
// Rounds that leave more than half of the points in one run. One or two settle outliers and clumps;
// points on very many scales would take dozens, so these are left to the comparator in the end.
constexpr int max_slow_rounds = 4;

/// Smallest and largest coordinate per axis.
template <class T>
struct Extent {
    std::array<T, max_dim> lo, hi;
};

template <class T>
class ZSort {
  public:
    ZSort(Points<T> points, std::span<KeyRecord> records, bool in_place)
        : points_(points), dim_(points.dim), records_(records), in_place_(in_place) {}

    /// Sorts records [begin, end), whose points agree in all that earlier keys looked at. The
    /// longest run of ties is taken by the loop and the others, at most half as long, by recursion:
    /// its depth is logarithmic, however often a clump ties.
    void sort(std::size_t begin, std::size_t end) {
        for (int slow_rounds = 0; end - begin > short_run && slow_rounds < max_slow_rounds;) {
            auto const records = records_.subspan(begin, end - begin);
            if (!make_keys(records))
                return sort_by_row(records, in_place_);  // all points are equal
            sort_by_key(records, in_place_);
            auto const runs = equal_key_runs(records);
            if (runs.empty()) return;
            auto const longest =
                std::size_t(std::max_element(runs.begin(), runs.end(), shorter) - runs.begin());
            parallel_for(runs.size(), runs_per_task, [&](std::size_t i, std::size_t last) {
                for (; i < last; ++i)
                    if (i != longest) sort(begin + runs[i].begin, begin + runs[i].end);
            });
            slow_rounds += 2 * (runs[longest].end - runs[longest].begin) > end - begin;
            end = begin + runs[longest].end;
            begin += runs[longest].begin;
        }
        sort_exactly(records_.subspan(begin, end - begin));
    }

  private:
    T const* row(pos_t i) const { return points_.data + std::size_t(i) * std::size_t(dim_); }

    static bool shorter(KeyRun a, KeyRun b) { return a.end - a.begin < b.end - b.begin; }

    /// Sorts records by the exact comparator, equal points by row.
    void sort_exactly(std::span<KeyRecord> records) const {
        auto by_row = [](KeyRecord const& a, KeyRecord const& b) { return a.row < b.row; };
        auto by_point = [&](KeyRecord const& a, KeyRecord const& b) {
            T const *const p = row(a.row), *const q = row(b.row);
            int const k = z_difference<T>(p, q, dim_).axis;
            return p[k] < q[k] || (p[k] == q[k] && a.row < b.row);
        };
        if (records.size() > short_run)
            tbb::parallel_sort(records.begin(), records.end(), by_point);
        else if (all_equal(records))  // the usual reason for a short run of ties
            std::sort(records.begin(), records.end(), by_row);
        else
            std::sort(records.begin(), records.end(), by_point);
    }

    bool all_equal(std::span<KeyRecord const> records) const {
        T const* const p = row(records.front().row);
        return std::all_of(records.begin(), records.end(),
                           [&](KeyRecord const& r) { return std::equal(p, p + dim_, row(r.row)); });
    }

    /// Gives the records keys that tell their points apart. False: the points are all equal.
    bool make_keys(std::span<KeyRecord> records) const {
        KeyPlan const plan = make_plan(records);
        parallel_for(plan.count ? records.size() : 0, grain, [&](std::size_t i, std::size_t end) {
            with_isa(best_isa(), [&]<Isa isa>() {
                for (std::size_t r = i; r < end; ++r)
                    records[r].key = z_key<isa>(plan, row(records[r].row));
            });
        });
        return plan.count > 0;
    }

    /// How to make keys for these records, from the extent of their points.
    KeyPlan make_plan(std::span<KeyRecord const> records) const {
        std::mutex mutex;
        Extent<T> all;
        T const* const any = row(records.front().row);
        std::copy_n(any, dim_, all.lo.begin());
        std::copy_n(any, dim_, all.hi.begin());
        parallel_for(records.size(), grain, [&](std::size_t begin, std::size_t end) {
            Extent<T> part;
            std::copy_n(any, dim_, part.lo.begin());
            std::copy_n(any, dim_, part.hi.begin());
            for (std::size_t i = begin; i < end; ++i) {
                T const* const p = row(records[i].row);
                for (std::size_t j = 0; j < std::size_t(dim_); ++j) {
                    part.lo[j] = min_of(part.lo[j], p[j]);
                    part.hi[j] = max_of(part.hi[j], p[j]);
                }
            }
            std::scoped_lock const lock(mutex);
            for (std::size_t j = 0; j < std::size_t(dim_); ++j) {
                all.lo[j] = min_of(all.lo[j], part.lo[j]);
                all.hi[j] = max_of(all.hi[j], part.hi[j]);
            }
        });
        KeyWindow windows[max_dim];
        for (std::size_t j = 0; j < std::size_t(dim_); ++j)
            windows[j] = key_window(all.lo[j], all.hi[j]);
        return make_key_plan(windows, dim_);
    }

    Points<T> points_;
    int dim_;
    std::span<KeyRecord> records_;
    bool in_place_;
};

}  // namespace

template <class T>
std::vector<pos_t> z_sort(Cpu const& cpu, Points<T> points, bool in_place) {
    std::vector<pos_t> order;
    if (points.size == 0) return order;
    Buffer<KeyRecord> records(points.size);
    cpu.run([&] {
        parallel_for(points.size, grain, [&](std::size_t i, std::size_t end) {
            for (; i < end; ++i) records[i].row = pos_t(i);
        });
        ZSort<T>(points, records, in_place).sort(0, points.size);
        order.resize(points.size);  // only now: copies of the records are gone
        parallel_for(points.size, grain, [&](std::size_t i, std::size_t end) {
            for (; i < end; ++i) order[i] = records[i].row;
        });
    });
    return order;
}

template std::vector<pos_t> z_sort(Cpu const&, Points<float>, bool);
template std::vector<pos_t> z_sort(Cpu const&, Points<double>, bool);

}  // namespace zwalk::inline v0
