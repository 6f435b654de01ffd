#include "zwalk/knn/memory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "checks.hpp"
#include "index_rule.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk::inline v0 {
namespace {

// Bytes per point, as zorder/sort.cpp, tree/joint.cpp and tree/targets.cpp have them.
constexpr double order_bytes = 4, level_bytes = 4, count_bytes = 4;
constexpr double sort_bytes = 20, copying_sort_bytes = 33;
// Of all planes: 1/27 where points are uniform, 1/20 where they are clustered.
constexpr double nodes_per_point = 1 / 21.;
constexpr double cut_bytes = 5 * 4 * 1.5;  // per node while planes are cut: vectors that grow
constexpr double list_bytes = 256 << 10;   // per thread
// Above four dimensions trees prune little: lists name most leaves, and grow by copying. Per thread
// and point.
constexpr int narrow_columns = 4;
constexpr double wide_list_bytes = 10;
constexpr double program_bytes = 12 << 20;
constexpr double lanes = 64;  // targets of which a thread keeps candidates
/// Fewer queries per batch would save less than a megabyte.
constexpr double least_batch = 1 << 13;

std::uint64_t whole(double bytes) {
    return bytes < 0x1p64 ? std::uint64_t(bytes) : std::numeric_limits<std::uint64_t>::max();
}

/// Working memory of the phases of one way to do a task. Real numbers: they can't overflow.
class Way {
  public:
    Way(KnnTask const& task, int columns, int threads, bool in_place, bool batches)
        : task_(task),
          batches_(batches),
          descents_(descend_in(task, columns)),
          points_(double(task.points)),
          queries_(task.queries ? double(*task.queries) : 0),
          sort_(threads > 1 && !in_place ? copying_sort_bytes : sort_bytes),
          row_(double(task.dim) * double(task.item_bytes)),
          tree_(order_bytes + double(columns) * double(task.item_bytes) +
                nodes_per_point * (8 + 2. * columns * double(task.item_bytes))),
          threads_(threads *
                   (list_bytes + (wide_lists(columns) ? wide_list_bytes : 0) * points_ +
                    lanes * (1.2 * std::min(double(task.k), points_) + 64) *
                        double(task.item_bytes + sizeof(pos_t)))) {}

    /// True if the task's queries go down an index one by one. (If that depends on the points they are
    /// planned to need a tree.)
    static bool descend_in(KnnTask const& task, int columns) {
        return task.indexed && task.queries &&
               detail::index_way(*task.queries, task.points, columns) ==
                   detail::IndexWay::descents;
    }
    /// The index that the task has instead of points.
    [[nodiscard]] double index() const { return tree_ * points_; }

    [[nodiscard]] double sort() const {
        if (task_.indexed) return sort_ * queries_;
        if (batches_) return std::max(sort_ * queries_, order_bytes * queries_ + sort_ * points_);
        return (sort_ + (task_.queries ? row_ : 0)) * all();
    }
    [[nodiscard]] double build() const {
        double const cut = level_bytes + nodes_per_point * cut_bytes;
        if (task_.indexed) return descents_ || batches_ ? 0 : targets() * queries_;
        if (batches_) return order_bytes * queries_ + (tree_ + cut) * points_;
        if (!task_.queries) return (tree_ + cut) * points_;
        double const columns = 2 * row_ + order_bytes;
        return std::max(columns, 2 * order_bytes + level_bytes + 2 * count_bytes) * all();
    }
    /// With batches of that many queries.
    [[nodiscard]] double walk(double batch) const {
        if (descents_) return order_bytes * queries_ + threads_;
        double const points = task_.indexed ? 0 : points_;
        if (!batches_) return tree_ * (points + queries_) + threads_;
        return order_bytes * queries_ + tree_ * points + per_query() * batch + threads_;
    }
    /// The most of all phases.
    [[nodiscard]] double working(double batch) const {
        return std::max({sort(), build(), walk(batch)});
    }
    /// Queries per batch that keep the walk within the budget.
    [[nodiscard]] double batch_within(double budget) const {
        return std::clamp(std::floor((budget - walk(0)) / per_query()), least_batch,
                          std::max(least_batch, queries_));
    }

  private:
    [[nodiscard]] double all() const { return points_ + queries_; }
    [[nodiscard]] bool wide_lists(int columns) const {
        return columns > narrow_columns && !descents_;
    }
    /// Queries that get a tree of their own: with levels and counts.
    [[nodiscard]] double targets() const {
        return tree_ + level_bytes + 2 * count_bytes + nodes_per_point * cut_bytes;
    }
    /// Those of a batch: also with rows, and sorted.
    [[nodiscard]] double per_query() const { return row_ + std::max(sort_, targets()); }

    KnnTask const& task_;
    bool batches_, descents_;
    double points_, queries_, sort_, row_, tree_, threads_;
};

/// A default for what needs little: asking how much is free would take as long as searching a thousand
/// points.
constexpr double small_budget = 16 << 20;

/// What is free beside the result, shared with the rest of the machine.
double default_budget(double result) {
    return std::max(small_budget, (double(available_memory()) - result) / 2);
}

}  // namespace

std::uint64_t KnnMemory::working() const { return std::max({sort, build, walk}); }

std::uint64_t KnnMemory::peak() const {
    auto const sum = double(input) + double(program) +
                     std::max({double(sort), double(build), double(walk) + double(result)});
    return whole(sum);
}

KnnMemory knn_memory(KnnTask const& task) {
    int const columns = detail::with_compiled_dim<ZWALK_DIMS>(task.dim, []<int D>() { return D; });
    int const threads = Cpu(task.threads).threads();
    double const rows = double(task.queries.value_or(task.points));
    double const result =
        rows * double(task.visited ? 0 : task.k) * double(sizeof(index_t) + task.item_bytes) +
        (task.order == Order::z && !task.queries ? order_bytes * double(task.points) : 0);
    KnnMemory memory;
    double const row = double(task.dim) * double(task.item_bytes);
    Way const fastest(task, columns, threads, false, false);
    memory.input = whole((task.indexed ? fastest.index() : row * double(task.points)) +
                         row * double(task.queries.value_or(0)));
    memory.result = whole(result);
    memory.program = whole(program_bytes);
    bool const small = fastest.working(rows) <= small_budget;
    auto const budget = task.memory_budget ? double(task.memory_budget)
                        : small            ? small_budget
                                           : default_budget(result);
    memory.budget = task.memory_budget ? task.memory_budget : whole(budget);
    memory.descents = Way::descend_in(task, columns);
    for (bool const batches : {false, true}) {
        if (batches && (!task.queries || memory.descents)) break;
        for (bool const in_place : {false, true}) {
            Way const way(task, columns, threads, in_place, batches);
            double const batch = batches ? way.batch_within(budget) : rows;
            memory.sort_in_place = in_place;
            memory.one_tree = !batches && !(task.indexed && task.queries);
            memory.batches = batches ? std::uint64_t(std::max(1., std::ceil(rows / batch))) : 1;
            memory.batch_size = whole(std::min(rows, batch));
            memory.sort = whole(way.sort());
            memory.build = whole(way.build());
            memory.walk = whole(way.walk(double(memory.batch_size)));
            if (double(memory.working()) <= budget) return memory;
        }
    }
    return memory;
}

}  // namespace zwalk::inline v0
