// What bench_knn measures: a task, from points in memory to indices and distances in memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/points.hpp"

namespace bench {

template <int D, class T>
struct Task {
    test::Rows<D, T> sources;
    test::Rows<D, T> queries;  ///< empty: the sources are the queries
    std::size_t k = 16;
    int threads = 1;
    std::vector<double> box{};  ///< periodic, of zwalk alone

    [[nodiscard]] test::Rows<D, T> const& targets() const { return queries.empty() ? sources : queries; }
};

/// Seconds of one run, and the k-th neighbour of every query to check it by. Seconds hold all that
/// an engine needs: its tree, the memory of its results (all of them are allocated inside), the
/// search, square roots of distances. What is freed afterwards isn't counted.
template <class T>
struct Answer {
    double build = 0, query = 0;
    std::vector<std::pair<std::string, double>> phases;  ///< the same in detail, if it is known
    std::vector<T> distance;
    std::vector<std::int64_t> index;  ///< into the task's sources

    [[nodiscard]] double total() const { return build + query; }
};

/// nanoflann with at most `leaf` points per leaf; queries are spread over threads in pieces.
template <int D, class T>
Answer<T> run_nanoflann(Task<D, T> const& task, std::size_t leaf);

}  // namespace bench
