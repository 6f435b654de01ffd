#include "zwalk/knn/memory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiled_dims.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/nearest/ways.hpp"

namespace zwalk::inline v0 {
namespace {

// Bytes per point, as zorder/sort.cpp, tree/joint.cpp and tree/targets.cpp have them.
constexpr double order_bytes = 4, level_bytes = 4, count_bytes = 4;
constexpr double sort_bytes = 16;
// Of all planes: 1/27 where points are uniform, 1/20 where they are clustered.
constexpr double nodes_per_point = 1 / 21.;
constexpr double cut_bytes = 5 * 4 * 1.5;  // per node while planes are cut: vectors that grow
constexpr double list_bytes = 256 << 10;   // per thread
// Above four dimensions trees prune little: lists name most leaves, and grow by copying. Per thread
// and point.
constexpr int narrow_columns = 4;
constexpr double wide_list_bytes = 10;
constexpr double lanes = 64;  // targets of which a thread keeps candidates
/// Fewer queries per batch would save less than a megabyte.
constexpr double least_batch = 1 << 13;

std::uint64_t whole(double bytes) {
    return bytes < 0x1p64 ? std::uint64_t(bytes) : std::numeric_limits<std::uint64_t>::max();
}

/// Working memory of the phases of one way to do a task. Real numbers: they can't overflow.
class Way {
  public:
    Way(KnnTask const& task, int columns, int threads)
        : task_(task),
          descents_(descend_in(task, columns)),
          points_(double(task.points)),
          queries_(task.queries ? double(*task.queries) : 0),
          row_(double(task.dim) * double(task.item_bytes)),
          tree_(order_bytes + double(columns) * double(task.item_bytes) +
                nodes_per_point * (8 + 2. * columns * double(task.item_bytes))),
          threads_(threads * (list_bytes + (wide_lists(columns) ? wide_list_bytes : 0) * points_ +
                              lanes * (1.2 * std::min(double(task.k), points_) + 64) *
                                  double(task.item_bytes + sizeof(pos_t)))) {}

    /// True if the task's queries go down an index one by one. (If that depends on the points they are
    /// planned to need a tree.)
    static bool descend_in(KnnTask const& task, int columns) {
        return task.indexed && task.queries &&
               detail::index_way(*task.queries, task.points, columns) == detail::IndexWay::descents;
    }
    /// The index that the task has instead of points.
    [[nodiscard]] double index() const { return tree_ * points_; }

    [[nodiscard]] double sort() const {
        double const queries = sort_bytes * queries_;
        return task_.indexed ? queries
                             : std::max(queries, order_bytes * queries_ + sort_bytes * points_);
    }
    [[nodiscard]] double build() const {
        if (task_.indexed) return 0;
        return order_bytes * queries_ + (tree_ + level_bytes + nodes_per_point * cut_bytes) * points_;
    }
    /// With batches of that many queries.
    [[nodiscard]] double walk(double batch) const {
        double const own = order_bytes * queries_ + (task_.indexed ? 0 : tree_ * points_) + threads_;
        return descents_ || !task_.queries ? own : own + per_query() * batch;
    }
    /// The most of all phases.
    [[nodiscard]] double working(double batch) const { return std::max({sort(), build(), walk(batch)}); }
    /// Queries per batch that keep the walk within the budget.
    [[nodiscard]] double batch_within(double budget) const {
        return std::clamp(std::floor((budget - walk(0)) / per_query()), least_batch,
                          std::max(least_batch, queries_));
    }

  private:
    [[nodiscard]] bool wide_lists(int columns) const { return columns > narrow_columns && !descents_; }
    /// Those of a batch: rows in z-order, and a tree of their own, with levels and counts.
    [[nodiscard]] double per_query() const {
        return row_ + tree_ + level_bytes + 2 * count_bytes + nodes_per_point * cut_bytes;
    }

    KnnTask const& task_;
    bool descents_;
    double points_, queries_, row_, tree_, threads_;
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
    int const columns = detail::compiled_columns<Cpu>(detail::CpuDims{}, task.dim);
    int const threads = Cpu(task.threads).threads();
    double const rows = double(task.queries.value_or(task.points));
    double const result =
        rows * double(task.visited ? 0 : task.k) * double(sizeof(index_t) + task.item_bytes) +
        (task.order == Order::z && !task.queries ? order_bytes * double(task.points) : 0);
    KnnMemory memory;
    double const row = double(task.dim) * double(task.item_bytes);
    Way const way(task, columns, threads);
    memory.input = whole((task.indexed ? way.index() : row * double(task.points)) +
                         row * double(task.queries.value_or(0)));
    memory.result = whole(result);
    memory.program = program_bytes;
    bool const small = way.working(rows) <= small_budget;
    auto const budget = task.memory_budget ? double(task.memory_budget)
                        : small            ? small_budget
                                           : default_budget(result);
    memory.budget = task.memory_budget ? task.memory_budget : whole(budget);
    memory.descents = Way::descend_in(task, columns);
    bool const batches = task.queries && !memory.descents;
    double const batch = batches ? std::min(rows, way.batch_within(budget)) : rows;
    memory.batches = batch < rows ? std::uint64_t(std::ceil(rows / batch)) : 1;
    memory.batch_size = whole(batch);
    memory.sort = whole(way.sort());
    memory.build = whole(way.build());
    memory.walk = whole(way.walk(batch));
    return memory;
}

}  // namespace zwalk::inline v0
