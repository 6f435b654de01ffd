// nanoflann as an engine. A source of its own, since it must not be compiled with zwalk's
// -ffp-contract=off: nothing that nanoflann promises needs it.
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <nanoflann.hpp>

#include "engines.hpp"

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

template <int D, class T>
struct Cloud {
    test::Rows<D, T> const& rows;
    [[nodiscard]] std::size_t kdtree_get_point_count() const { return rows.size(); }
    [[nodiscard]] T kdtree_get_pt(std::size_t i, std::size_t j) const { return rows[i][j]; }
    template <class Box>
    bool kdtree_get_bbox(Box&) const {
        return false;
    }
};

nanoflann::KDTreeSingleIndexAdaptorParams parameters(std::size_t leaf, int threads) {
#if NANOFLANN_VERSION >= 0x150
    return {leaf, nanoflann::KDTreeSingleIndexAdaptorFlags::None, unsigned(threads)};
#else
    static_cast<void>(threads);  // trees are built by one thread before version 1.5
    return {leaf};
#endif
}

}  // namespace

template <int D, class T>
Answer<T> run_nanoflann(Task<D, T> const& task, std::size_t leaf) {
    using Space = Cloud<D, T>;
    using Index = std::uint32_t;
    using Tree =
        nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<T, Space>, Space, D, Index>;
    std::size_t const n = task.targets().size(), k = task.k;
    tbb::task_arena arena(task.threads);
    Answer<T> answer;

    auto start = Clock::now();
    Space const cloud{task.sources};
    Tree const tree(D, cloud, parameters(leaf, task.threads));
    answer.build = seconds_since(start);

    start = Clock::now();
    auto const index = std::make_unique_for_overwrite<Index[]>(n * k);
    auto const distance = std::make_unique_for_overwrite<T[]>(n * k);
    auto const search = [&](tbb::blocked_range<std::size_t> const& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
            T* const row = &distance[i * k];
            (void)tree.knnSearch(task.targets()[i].data(), k, &index[i * k], row);
            for (std::size_t j = 0; j < k; ++j) row[j] = std::sqrt(row[j]);
        }
    };
    arena.execute([&] { tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, 1024), search); });
    answer.query = seconds_since(start);

    for (std::size_t i = 0; i < n; ++i) {
        answer.distance.push_back(distance[i * k + k - 1]);
        answer.index.push_back(index[i * k + k - 1]);
    }
    return answer;
}

template Answer<float> run_nanoflann(Task<2, float> const&, std::size_t);
template Answer<float> run_nanoflann(Task<3, float> const&, std::size_t);
template Answer<double> run_nanoflann(Task<2, double> const&, std::size_t);
template Answer<double> run_nanoflann(Task<3, double> const&, std::size_t);

}  // namespace bench
