#include "zwalk/zorder/sort.hpp"

#include <algorithm>
#include <array>
#include <mutex>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/parallel_sort.hpp"
#include "zwalk/zorder/compare.hpp"
#include "zwalk/zorder/key.hpp"
#include "zwalk/zorder/least_largest.hpp"
#include "zwalk/zorder/words.hpp"

namespace zwalk { inline namespace v0 {
namespace {

constexpr std::size_t grain = 1 << 14;  // points per task
constexpr std::size_t short_stretch =
    32;  // stretches of equal keys up to this length are settled by the comparator
constexpr std::size_t few_points = 4;       // and up to this one without further keys
constexpr std::size_t long_stretch = 4096;  // longer ones are worth a plan of their own
constexpr std::size_t stretches_per_task = 64;
constexpr std::size_t key_block = 64;  // points whose keys are made together
// Rounds that leave more than half of the points in one stretch. One or two settle outliers and clumps;
// points on very many scales would take dozens, so these are left to the comparator in the end.
constexpr int max_slow_rounds = 6;

/// Smallest and largest coordinate per axis.
template <class T>
struct Extent {
    std::array<T, max_dim> lo, hi;
    std::size_t dim;

    Extent(T const* point, int columns) : dim(std::size_t(columns)) {
        std::copy_n(point, dim, lo.begin());
        std::copy_n(point, dim, hi.begin());
    }
    void add(T const* rows, std::size_t count) { add_to_extent(lo.data(), hi.data(), dim, rows, count); }
};

template <class T>
class ZSort {
  public:
    /// @param words  the rows in ascending order, without keys
    /// @param copy   room for as many
    ZSort(Points<T> points, std::span<std::uint64_t> words, std::span<std::uint64_t> copy)
        : points_(points), dim_(points.dim), layout_(points.size), words_(words), copy_(copy) {}

    /// Sorts words [begin, end), in the order of their rows, whose points agree in all that earlier
    /// keys looked at. The longest stretch of ties is taken by the loop and the others, at most half as long, by
    /// recursion: its depth is logarithmic, however often a clump ties.
    void sort(std::size_t begin, std::size_t end) {
        for (int slow_rounds = 0; end - begin > short_stretch && slow_rounds < max_slow_rounds;) {
            auto const words = words_.subspan(begin, end - begin);
            KeyPlan const plan = make_plan(words);
            if (plan.count == 0) return;  // all points are equal, and in the order of their rows
            make_keys(words, plan, 0);
            sort_words(words, copy_.subspan(begin, end - begin), layout_);
            auto const ties = equal_key_stretches(words, layout_);
            if (ties.empty()) return;
            auto const longest =
                std::size_t(std::max_element(ties.begin(), ties.end(), shorter) - ties.begin());
            parallel_for(ties.size(), stretches_per_task, [&](std::size_t i, std::size_t last) {
                for (; i < last; ++i)
                    if (i != longest) sort_tied(begin + ties[i].begin, begin + ties[i].end, plan);
            });
            slow_rounds += 2 * (ties[longest].end - ties[longest].begin) > end - begin;
            end = begin + ties[longest].end;
            begin += ties[longest].begin;
        }
        sort_exactly(words_.subspan(begin, end - begin));
    }

  private:
    T const* point(std::uint64_t word) const {
        return points_.data + std::size_t(layout_.row(word)) * std::size_t(dim_);
    }

    static bool shorter(KeyStretch a, KeyStretch b) { return a.end - a.begin < b.end - b.begin; }

    /// Sorts words by the exact comparator, equal points by row.
    void sort_exactly(std::span<std::uint64_t> words) const {
        if (all_equal(words)) return;  // the usual reason for ties
        auto const by_point = [&](std::uint64_t a, std::uint64_t b) {
            T const *const p = point(a), *const q = point(b);
            int const k = z_difference<T>(p, q, dim_).axis;
            return p[k] < q[k] || (p[k] == q[k] && layout_.row(a) < layout_.row(b));
        };
        if (words.size() > short_stretch) parallel_sort(words.begin(), words.end(), by_point);
        else std::sort(words.begin(), words.end(), by_point);
    }

    bool all_equal(std::span<std::uint64_t const> words) const {
        if (words.empty()) return true;
        T const* const p = point(words.front());
        return std::all_of(words.begin(), words.end(),
                           [&](std::uint64_t w) { return std::equal(p, p + dim_, point(w)); });
    }

    /// Sorts words that tie in what fitted beside the row: a few by the rest of the same keys first.
    void sort_tied(std::size_t begin, std::size_t end, KeyPlan const& plan) {
        if (end - begin > long_stretch) return sort(begin, end);
        if (end - begin <= few_points) return sort_exactly(words_.subspan(begin, end - begin));
        auto const words = words_.subspan(begin, end - begin);
        make_keys(words, plan, 64 - layout_.row_bits);
        sort_words(words, copy_.subspan(begin, end - begin), layout_);
        for_each_stretch(words, layout_.row_bits,
                         [&](std::size_t b, std::size_t e) { sort(begin + b, begin + e); });
    }

    /// Gives the words keys by a plan, without the first `skipped` bits.
    void make_keys(std::span<std::uint64_t> words, KeyPlan const& plan, int skipped) const {
        auto const part = [&](std::size_t i, std::size_t end) {
            with_isa(best_isa(), [&]<Isa isa>() {
                for (; i < end; i += key_block)
                    make_block_keys<isa>(words.subspan(i, std::min(key_block, end - i)), plan, skipped);
            });
        };
        if (words.size() <= key_block) part(0, words.size());
        else parallel_for(words.size(), grain, part);
    }
    template <Isa isa>
    ZWALK_INLINE void make_block_keys(std::span<std::uint64_t> words, KeyPlan const& plan,
                                      int skipped) const {
        std::uint64_t key[key_block] = {}, bits[key_block];
        T x[key_block] = {};
        std::size_t const whole_blocks = (words.size() + 7) / 8 * 8;
        for (int i = 0; i < plan.count; ++i) {
            for (std::size_t w = 0; w < words.size(); ++w) x[w] = point(words[w])[plan.axes[i].axis];
            ZWALK_SIMD_LOOP
            for (std::size_t w = 0; w < whole_blocks; ++w) bits[w] = axis_bits(plan.axes[i], x[w]);
            for (std::size_t w = 0; w < words.size(); ++w)
                key[w] |= Simd<isa>::deposit(bits[w], plan.axes[i].mask);
        }
        for (std::size_t w = 0; w < words.size(); ++w)
            words[w] = layout_.word(key[w] << skipped, layout_.row(words[w]));
    }

    /// How to make keys for these words, from the extent of their points.
    KeyPlan make_plan(std::span<std::uint64_t const> words) const {
        std::mutex mutex;
        Extent<T> all(point(words.front()), dim_);
        parallel_for(words.size(), grain, [&](std::size_t begin, std::size_t end) {
            Extent<T> part(point(words[begin]), dim_);
            // Rows ascend. So these lie one behind the other, as all do at first.
            if (layout_.row(words[end - 1]) - layout_.row(words[begin]) == end - 1 - begin) {
                part.add(point(words[begin]), end - begin);
            } else {
                for (std::size_t i = begin; i < end; ++i) part.add(point(words[i]), 1);
            }
            std::scoped_lock const lock(mutex);
            all.add(part.lo.data(), 1);
            all.add(part.hi.data(), 1);
        });
        KeyWindow windows[max_dim];
        for (std::size_t j = 0; j < std::size_t(dim_); ++j)
            windows[j] = key_window(all.lo[j], all.hi[j]);
        return make_key_plan(windows, dim_);
    }

    Points<T> points_;
    int dim_;
    WordLayout layout_;
    std::span<std::uint64_t> words_, copy_;
};

}  // namespace

template <class T>
Buffer<pos_t> z_sort(Cpu const& cpu, Points<T> points) {
    Buffer<pos_t> order;
    if (points.size == 0) return order;
    WordLayout const layout(points.size);
    auto words = cpu.buffer<std::uint64_t>(points.size);
    cpu.run([&] {
        parallel_for(points.size, grain, [&](std::size_t i, std::size_t end) {
            for (; i < end; ++i) words[i] = layout.word(0, pos_t(i));
        });
        {
            auto copy = cpu.buffer<std::uint64_t>(points.size);
            ZSort<T>(points, words, copy).sort(0, points.size);
        }
        order = cpu.buffer<pos_t>(points.size);
        parallel_for(points.size, grain, [&](std::size_t i, std::size_t end) {
            for (; i < end; ++i) order[i] = layout.row(words[i]);
        });
    });
    return order;
}

template Buffer<pos_t> z_sort(Cpu const&, Points<float>);
template Buffer<pos_t> z_sort(Cpu const&, Points<double>);

}}  // namespace zwalk::v0
