#include "zwalk/knn/memory.hpp"

#include <algorithm>
#include <cmath>

#include "compiled_dims.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/nearest/ways.hpp"
#include "zwalk/tree/cpu_tree_bytes.hpp"
#include "zwalk/tree/device_tree_bytes.hpp"

namespace zwalk { inline namespace v0 {
namespace {

constexpr double list_bytes = 256 << 10;  // per thread
// Above four dimensions trees prune little: lists name most leaves, and grow by copying. Per thread
// and point.
constexpr int narrow_columns = 4;
constexpr double wide_list_bytes = 10;
constexpr double lanes = 64;  // targets of which a thread keeps candidates
/// Fewer queries per batch would save less than a megabyte.
constexpr double least_batch = 1 << 13;
/// A default for what needs little: finding out how much is free would take as long as searching a thousand
/// points.
constexpr double small_budget = 16 << 20;

/// Working memory of the phases of a task. Real numbers: they can't overflow.
struct Phases {
    double sort = 0, build = 0;
    double walk = 0;       ///< without queries
    double per_query = 0;  ///< of a batch that is walked: its rows in z-order, and a tree of its own

    [[nodiscard]] double walk_of(double batch) const { return walk + per_query * batch; }
    [[nodiscard]] double working(double batch) const { return std::max({sort, build, walk_of(batch)}); }
    /// Queries per batch that keep the walk within the budget.
    [[nodiscard]] double batch_within(double budget, double queries) const {
        return std::clamp(std::floor((budget - walk) / per_query), least_batch,
                          std::max(least_batch, queries));
    }
};

Phases phases_of(KnnTask const& task, int columns, int threads, bool descents) {
    double const points = double(task.points), queries = double(task.queries.value_or(0));
    double const item = double(task.item_bytes);
    auto const tree = cpu_tree_bytes(columns, task.item_bytes);
    double const lists =
        list_bytes + (columns > narrow_columns && !descents ? wide_list_bytes : 0) * points;
    double const candidates =
        lanes * (1.2 * std::min(double(task.k), points) + 64) * (item + double(sizeof(pos_t)));
    Phases phases;
    phases.sort = tree.sort * queries;
    phases.walk = tree.order * queries + threads * (lists + candidates);
    if (!task.indexed) {
        phases.sort = std::max(phases.sort, tree.order * queries + tree.sort * points);
        phases.build = tree.order * queries + tree.build * points;
        phases.walk += tree.tree * points;
    }
    if (task.queries && !descents) phases.per_query = task.dim * item + tree.build_fit;
    return phases;
}

/// What is free beside the result, shared with the rest of the machine.
double default_budget(double result) {
    return std::max(small_budget, (double(available_memory()) - result) / 2);
}

}  // namespace

KnnMemory knn_memory(KnnTask const& task) {
    using detail::IndexWay;
    int const columns = detail::compiled_columns<Cpu>(detail::CpuDims{}, task.dim);
    double const points = double(task.points), row = double(task.dim) * double(task.item_bytes);
    double const queries = double(task.queries.value_or(0)), rows = task.queries ? queries : points;
    double const kept = task.visited ? 0 : double(task.k) * double(sizeof(index_t) + task.item_bytes);
    double const order = task.order == Order::z && !task.queries ? sizeof(pos_t) * points : 0;
    KnnMemory memory;
    // If that depends on the points they are planned to need a tree.
    if (task.indexed && task.queries) {
        auto const way = detail::index_way(*task.queries, task.points, columns);
        memory.descents = way == IndexWay::here || way == IndexWay::descents;
    }
    Phases const phases = phases_of(task, columns, Cpu(task.threads).threads(), memory.descents);
    double const source = task.indexed ? cpu_tree_bytes(columns, task.item_bytes).tree : row;
    memory.input = whole_bytes(source * points + row * queries);
    double const result = rows * kept + order;
    memory.result = whole_bytes(result);
    double budget = double(task.memory_budget);
    if (task.memory_budget == 0)
        budget = phases.working(rows) <= small_budget ? small_budget : default_budget(result);
    memory.budget = task.memory_budget ? task.memory_budget : whole_bytes(budget);
    double const batch = phases.per_query > 0 ? std::min(rows, phases.batch_within(budget, rows)) : rows;
    memory.batches = batch < rows ? std::uint64_t(std::ceil(rows / batch)) : 1;
    memory.batch_size = whole_bytes(batch);
    memory.sort = whole_bytes(phases.sort);
    memory.build = whole_bytes(phases.build);
    memory.walk = whole_bytes(phases.walk_of(batch));
    return memory;
}

}}  // namespace zwalk::v0
