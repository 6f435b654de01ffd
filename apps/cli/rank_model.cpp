#include "rank_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace zwalk::apps {
namespace {

constexpr double point_bytes = 12, row_bytes = 4, index_bytes = 8, distance_bytes = 4;
constexpr double given_bytes = 32;       // an imported point
constexpr double stub_bytes = 36;        // a top node
constexpr double top_nodes = 64;         // of a rank, at most
constexpr double samples_per_pair = 64;  // of ranks, in the sort

/// How far from its range a rank imports points, in mean spacings: what bench_rank_volumes finds of up to 64 ranks, and of up
/// to 1000. The more ranks, the more odd shapes of ranges there are.
struct Shell {
    double few, many;
    int faces;           ///< of a range inside, on each axis, on the side of ranks that get requests
    double asked_bytes;  ///< of requests by points and leaves, for each imported point

    [[nodiscard]] double of(int ranks) const { return ranks <= 64 ? few : many; }
};
constexpr Shell of_fof{.15, .27, 1, 22};
/// As wide as the k nearest are far. About as many points request sources as are imported.
Shell of_knn(double k) {
    double const by_k = std::cbrt(k / 16);
    return {1.6 * by_k, 2.2 * by_k, 2, 17};
}

/// Points that the rank with most of them imports, by its own: those in the shell around its box. Up to 64 ranks are cut out of a
/// cube by halving it on one axis after the other, as the z-order does; the boxes of more are as good as cubes.
double imported_share(RankTask const& task, Shell const& shell) {
    int const halvings = std::bit_width(unsigned(task.ranks) - 1);
    double share = 1;
    for (int axis = 0; axis < 3; ++axis) {
        int const here = (halvings + 2 - axis) / 3;
        double const parts = halvings < 6 ? std::exp2(here) : std::cbrt(task.ranks);
        share *= 1 + std::min(here, shell.faces) * shell.of(task.ranks) * parts / std::cbrt(task.points);
    }
    return std::min(share, double(task.ranks)) - 1;
}

/// A result has `columns` columns, which go home one by one.
/// @param waits       all that belong neither to the import nor to the way home
/// @param home_bytes  of the result of a point
std::vector<StepCost> steps(RankTask const& task, Shell const& shell, double waits, double home_bytes,
                            int columns) {
    double const ranks = task.ranks, n = task.points / ranks, away = 1 - 1 / ranks;
    double const samples =
        std::min(samples_per_pair * ranks * ranks, std::max(samples_per_pair * ranks, n / 4));
    return {{"sort", waits, away * ((point_bytes + row_bytes) * n + point_bytes * samples)},
            {"import", 10,
             (given_bytes + shell.asked_bytes) * imported_share(task, shell) * n +
                 stub_bytes * top_nodes * (ranks - 1)},
            {"home", 2. * columns, away * home_bytes * n}};
}

}  // namespace

std::vector<StepCost> knn_steps(RankTask const& task, double k) {
    return steps(task, of_knn(k), 16, k * (index_bytes + distance_bytes), 2);
}

std::vector<StepCost> fof_steps(RankTask const& task) { return steps(task, of_fof, 32, index_bytes, 1); }

}  // namespace zwalk::apps
