#include "zwalk/emst/emst.hpp"
#include "zwalk/core/validate.hpp"

#include <algorithm>
#include <cmath>

#include "../../common/dispatch.hpp"
#include "checks.hpp"
#include "edges.hpp"
#include "job.hpp"
#include "rule.hpp"
#include "zwalk/tree/box.hpp"

namespace zwalk::inline v0 {
namespace {

using namespace detail;

constexpr std::size_t grain = 1 << 14;  // edges per task

/// From z-order positions to the order of input.
template <class T>
EmstResult<T> in_input_order(PositionTree<T>&& tree) {
    EmstResult<T> r;
    r.stats = std::move(tree.stats);
    double const start = now_seconds();
    tree.edges = sorted_edges(tree.edges);
    r.edges = Buffer<index_t>(2 * tree.edges.size());
    r.lengths = Buffer<T>(tree.edges.size());
    parallel_for(tree.edges.size(), grain, [&](std::size_t e, std::size_t end) {
        for (; e < end; ++e) {
            auto const [i, j] = std::minmax(tree.input[tree.edges[e].a], tree.input[tree.edges[e].b]);
            r.edges[2 * e] = i;
            r.edges[2 * e + 1] = j;
            r.lengths[e] = std::sqrt(tree.edges[e].w2);
        }
    });
    r.core_distances = Buffer<T>(tree.core2.size());
    parallel_for(tree.core2.size(), grain, [&](std::size_t i, std::size_t end) {
        for (; i < end; ++i) r.core_distances[tree.input[i]] = std::sqrt(tree.core2[i]);
    });
    r.stats.seconds.emplace_back("order", now_seconds() - start);
    return r;
}

}  // namespace

template <class T>
EmstResult<T> emst(Points<T> points, EmstOptions const& o) {
    check_min_samples(o.min_samples, points.size);
    EmstJob<T> job{points, pos_t(o.min_samples), {}, o.tree};
    Cpu const cpu(o.threads);
    return cpu.run([&] {
        check_points(points);
        if (!o.box.empty()) job.period = checked_period(o.box, find_extent(points));
        return in_input_order(with_dim<PositionTree<T>>(
            Dims<ZWALK_DIMS>{}, points.dim, [&]<int D>() { return run_emst<D, T>(cpu, job); }));
    });
}

EmstMemory emst_memory(std::uint64_t points, int dim, std::size_t item_bytes, int min_samples) {
    int const columns = with_dim<int>(Dims<ZWALK_DIMS>{}, dim, []<int D>() { return D; });
    std::uint64_t const position = sizeof(pos_t), nodes = 2, sort = 16;
    std::uint64_t const key = item_bytes == 4 ? 8 : 16, edge = item_bytes == 4 ? 12 : 16;
    std::uint64_t const cores = min_samples > 1 ? 2 * item_bytes : 0;
    std::uint64_t const tree = position + nodes + std::uint64_t(columns) * item_bytes;
    std::uint64_t const usual = usual_neighbours, m = std::uint64_t(min_samples);
    // What isn't inside the trees of chunks is kept of the lists: of uniform points less than half.
    std::uint64_t const lists = min_samples > 1 ? std::max(usual, m) * key : usual / 2 * key;
    std::uint64_t const runs = (item_bytes == 4 ? 24 : 32) / 2;  // one of two or three points begins one
    // When chunks have grown their trees, fewer than one point of twelve is the first of a component (uniform,
    // normal and clustered points in 3-D).
    std::uint64_t const components = (4 * position + item_bytes + 1) / 12;
    // As src/forest.cpp and src/point_edges.hpp have them: three keys, three positions, steps and margins,
    // flags, edges.
    std::uint64_t const rounds =
        tree + lists + runs + components + 3 * key + 3 * position + 2 * item_bytes + 2 + edge + cores;
    return {sort * points, rounds * points,
            (2 * sizeof(index_t) + item_bytes + edge + position + cores) * points};
}

template EmstResult<float> emst(Points<float>, EmstOptions const&);
template EmstResult<double> emst(Points<double>, EmstOptions const&);

}  // namespace zwalk::inline v0
