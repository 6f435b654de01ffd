// Queries in batches: the part that knows no dimension.
#pragma once
#include <algorithm>
#include <span>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/core/parallel.hpp"
#include "zwalk/core/points.hpp"

namespace zwalk::inline v0::detail {

/// The rows order[begin, end) of `points`, one behind the other.
template <class T>
Buffer<T> gather_rows(Points<T> points, std::span<pos_t const> order) {
    auto const dim = std::size_t(points.dim);
    Buffer<T> rows(order.size() * dim);
    parallel_for(order.size(), 1 << 12, [&](std::size_t i, std::size_t end) {
        for (; i < end; ++i)
            std::copy_n(points.data + std::size_t(order[i]) * dim, dim, rows.data() + i * dim);
    });
    return rows;
}

/// Adds the stats of a further batch: phases, entries and targets add up, what says "peak" or
/// describes the sources' tree is the largest.
inline void add_batch(Stats& all, Stats const& batch) {
    if (all.counts.empty()) {
        all = batch;
        return;
    }
    for (std::size_t i = 0; i < batch.seconds.size(); ++i)
        all.seconds[i].second += batch.seconds[i].second;
    for (std::size_t i = 0; i < batch.counts.size(); ++i) {
        auto& [name, count] = all.counts[i];
        std::uint64_t const more = batch.counts[i].second;
        bool const adds_up = name.ends_with("_entries") || name == "started_again";
        count = adds_up ? count + more : std::max(count, more);
    }
}

}  // namespace zwalk::inline v0::detail
