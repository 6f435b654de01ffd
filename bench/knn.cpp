// kNN beside nanoflann, in one run on the same points:
//
//   bench_knn [N] [k] [threads] [kind] [repeats]
//
// readme: nanoflann as its README shows it (leaf 10, points and queries in input order).
// tuned:  leaf 24, points and queries already in z-order (that sort isn't counted): the yardstick.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <nanoflann.hpp>
#include <thread>

#include "support/points.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/tree/joint.hpp"

namespace {

using Rows = test::Rows<3, float>;

struct Cloud {
    Rows const& rows;
    [[nodiscard]] std::size_t kdtree_get_point_count() const { return rows.size(); }
    [[nodiscard]] float kdtree_get_pt(std::size_t i, std::size_t j) const { return rows[i][j]; }
    template <class Box>
    bool kdtree_get_bbox(Box&) const {
        return false;
    }
};

double seconds(std::function<void()> const& f) {
    auto const start = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void nanoflann_knn(Rows const& rows, std::size_t k, std::size_t leaf, int threads,
                   std::vector<std::uint32_t>& index, std::vector<float>& d2) {
    using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Cloud>,
                                                     Cloud, 3, std::uint32_t>;
    Cloud const cloud{rows};
    Tree const tree(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(leaf));
    std::vector<std::thread> pool;
    std::size_t const n = rows.size(), parts = std::size_t(threads);
    for (std::size_t t = 0; t < parts; ++t)
        pool.emplace_back([&, t] {
            for (std::size_t i = n * t / parts; i < n * (t + 1) / parts; ++i)
                tree.knnSearch(rows[i].data(), k, &index[i * k], &d2[i * k]);
        });
    for (auto& thread : pool) thread.join();
}

}  // namespace

int main(int argc, char** argv) {
    std::size_t const n = argc > 1 ? std::size_t(std::atof(argv[1])) : 1000000;
    std::size_t const k = argc > 2 ? std::size_t(std::atoi(argv[2])) : 16;
    int const threads = argc > 3 ? std::atoi(argv[3]) : 2;
    std::string const kind = argc > 4 ? argv[4] : "uniform";
    int const repeats = argc > 5 ? std::atoi(argv[5]) : 3;

    auto const rows = test::make_points<3, float>(kind, n, 1);
    zwalk::Points<float> const points(rows.data()->data(), n, 3);
    zwalk::Cpu const cpu(threads);
    auto const order = cpu.run([&] { return zwalk::build<3, float>(cpu, points).input; });
    Rows sorted(n);
    for (std::size_t i = 0; i < n; ++i) sorted[i] = rows[order[i]];

    std::vector<std::uint32_t> index(n * k);
    std::vector<float> d2(n * k);
    fmt::print("{} {} points, k = {}, {} threads; seconds, build included\n", n, kind, k, threads);
    for (int r = 0; r < repeats; ++r) {
        zwalk::KnnResult<float> ours;
        zwalk::KnnOptions options;
        options.k = zwalk::index_t(k);
        options.threads = threads;
        double const zwalk = seconds([&] { ours = zwalk::knn(points, options); });
        double const readme = seconds([&] { nanoflann_knn(rows, k, 10, threads, index, d2); });
        std::size_t differ = 0;
        for (std::size_t i = 0; i < n * k; ++i)
            differ += std::abs(ours.distances[i] - std::sqrt(d2[i])) > 1e-5f * ours.distances[i];
        double const tuned = seconds([&] { nanoflann_knn(sorted, k, 24, threads, index, d2); });
        fmt::print("zwalk {:.3f}   nanoflann readme {:.3f} ({:.2f} x)   tuned {:.3f} ({:.2f} x)   "
                   "distances that differ by more than rounding: {}\n",
                   zwalk, readme, readme / zwalk, tuned, tuned / zwalk, differ);
        for (auto const& [phase, s] : ours.stats.seconds) fmt::print("    {:10} {:.3f}\n", phase, s);
    }
}
