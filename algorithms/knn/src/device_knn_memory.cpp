#include "zwalk/knn/device_knn_memory.hpp"

#include <algorithm>

#include "zwalk/nearest/search.hpp"
#include "zwalk/tree/device_tree_bytes.hpp"

namespace zwalk { inline namespace v0 {
namespace {

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return whole_bytes(double(a) + double(b)); }

}  // namespace

std::uint64_t DeviceKnnMemory::needed() const {
    return std::max(build, sum(sum(walk, result), lists / 16));
}
std::uint64_t DeviceKnnMemory::peak() const { return std::max(build, sum(sum(walk, result), lists)); }

DeviceKnnMemory device_knn_memory(KnnTask const& task, int columns, TreeOptions const& options) {
    auto const points = double(task.points), queries = double(task.queries.value_or(0));
    double const k = task.visited ? std::min(double(task.k), std::max(1., points)) : double(task.k);
    double const targets = task.queries ? queries : points, kept = task.indexed ? 0 : points;
    auto const own = device_tree_bytes(columns, task.item_bytes, options);
    auto const other =
        device_tree_bytes(columns, task.item_bytes, options, points / std::max(1., queries));
    DeviceKnnMemory m;
    m.build = whole_bytes(device_tree_padding +
                          std::max(kept * std::max(own.sort, own.build),
                                   kept * own.tree + queries * std::max(other.sort, other.build)));
    double const trees = device_tree_padding + kept * own.tree + queries * other.tree;
    m.walk = whole_bytes(trees);
    if (task.k == 0) return m;
    m.walk = whole_bytes(trees + targets * (task.queries ? other : own).walk);

    double const row = k * double(sizeof(index_t) + task.item_bytes);
    double result = targets * row;
    if (task.visited)
        result = std::min(result, std::max(512 * row, task.memory_budget ? double(task.memory_budget) / 4
                                                                         : double(chunk_bytes)));
    else if (task.order == Order::z)  // an index keeps its order
        result += sizeof(pos_t) * (targets + (task.indexed ? points : 0));
    m.result = whole_bytes(result);

    double const entry = task.item_bytes == 4 ? 8 : 16;
    double const lists =
        entry * device_list_entries(columns, std::min(k, points), targets, points, options);
    m.lists = whole_bytes(task.memory_budget ? std::min(lists, double(task.memory_budget)) : lists);
    return m;
}

}}  // namespace zwalk::v0
