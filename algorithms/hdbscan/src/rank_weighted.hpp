// The spanning tree of points with weights on MPI ranks.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "compiled_dims.hpp"
#include "rank_driver.hpp"
#include "take_weighted.hpp"
#include "zwalk/emst/given_cores.hpp"
#include "zwalk/knn/rank_search.hpp"
#include "zwalk/run/rank_index.hpp"
#include "zwalk/run/rank_nearest.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Core distances of points with weights, on threads of ranks: by growing searches, as in one process (weighted_tree.cpp). Members are
/// collective.
template <class T>
class RankWeightedCores {
  public:
    RankWeightedCores(Comm& comm, Cpu const& cpu, RankPoints<T>& points, int min_samples)
        : comm_(comm), threads_(cpu), points_(points), enough_(min_samples) {}

    /// @param weights  of the rows that this rank passes, for which it gets core distances
    Buffer<T> run(std::span<double const> weights) {
        weights_ = points_.rows_sorted(weights);
        auto const most = pos_t(std::min<std::uint64_t>(points_.size(), max_points));
        pos_t k = std::min(most, pos_t(enough_));
        auto cores = search(points_, nullptr, k, k == most);
        for (;;) {
            auto const open = comm_.attempt([&] { return without(cores); });
            if (comm_.reduce_all(std::uint64_t(open.size()), std::plus<>()) == 0) break;
            k = pos_t(std::min(std::uint64_t(most), 2 * std::uint64_t(k)));
            RankPoints<T> some(points_, std::span<pos_t const>(open), &points_);
            auto const queries = some.own().points.points();
            auto const found = search(some, &queries, k, k == most);
            for (std::size_t i = 0; i < open.size(); ++i) cores[open[i]] = found[i];
        }
        points_.bring_home(cores);
        return cores;
    }

  private:
    static Buffer<pos_t> without(Buffer<T> const& cores) {
        auto const is_open = [](T core) { return !(core < infinity<T>); };
        Buffer<pos_t> open(std::size_t(std::count_if(cores.begin(), cores.end(), is_open)));
        auto next = open.begin();
        for (pos_t i = 0; i < cores.size(); ++i)
            if (is_open(cores[i])) *next++ = i;
        return open;
    }
    /// The core distances of targets, as far as their k nearest have enough weight.
    /// @param queries  rows of the targets; null: these are all points
    /// @param is_all   k is the number of all points
    Buffer<T> search(RankPoints<T>& targets, Points<T> const* queries, pos_t k, bool is_all) {
        auto all = import_for_nearest(targets, points_, k, false);
        auto const weights = weights_of(all);
        auto cores = comm_.attempt([&] { return Buffer<T>(targets.size_here()); });
        TakeWeighted<T> const take{weights.data(), double(enough_), is_all, cores.data()};
        with_dim<void>(CpuDims{}, points_.dim(), [&]<int D>() {
            search_imported<D>(comm_, threads_, points_, queries, all, {.k = index_t(k)}, true,
                               [&](NearestAsked<T, Cpu>& asked, auto const& run) {
                                   asked.visitor =
                                       in_unit<T, Cpu>(make_visitor<T>(take), points_.unit());
                                   (void)run();
                               });
        });
        return cores;
    }
    /// The weight of each point that was imported, from the rank that has it.
    Buffer<double> weights_of(ImportedPoints<T> const& all) {
        auto const step = comm_.step("weights");
        auto const routes = comm_.routes([&]() noexcept { return all.from; }());
        auto const asked = comm_.exchange(routes, std::span<pos_t const>(all.position));
        auto const answers = comm_.agree([&] {
            Buffer<double> weights(asked.size());
            for (std::size_t i = 0; i < asked.size(); ++i) weights[i] = weights_[asked[i]];
            return weights;
        });
        return comm_.exchange(routes.back(), std::span<double const>(answers));
    }

    Comm& comm_;
    Cpu threads_;
    RankPoints<T>& points_;
    int enough_;
    std::vector<double> weights_;  // by own position
};

/// Collective.
template <class T>
EmstResult<T, Mpi> tree_of_index(RankInput<T> const& input, std::span<double const> weights,
                                 int min_samples, std::vector<double> const& box, RankCall const& call) {
    Comm comm(call.mpi);
    Stats stats;
    Buffer<T> cores;
    {
        RankPoints<T> points(comm, call.cpu, input, 0, box, {}, stats);
        if (comm.offsets(input.rows).back() < 2) return {};
        cores = RankWeightedCores<T>(comm, call.cpu, points, min_samples).run(weights);
        points.end_phase("weighted cores");
    }
    auto tree = tree_with_cores<T>(input, cores, {.box = box}, call);
    comm.agree([&] {
        auto& seconds = tree.stats.seconds;
        seconds.insert(seconds.begin(), stats.seconds.begin(), stats.seconds.end());
        add(tree.stats.steps, comm.stats());
    });
    return tree;
}

/// As emst_with_weights() in one process, of the rows that this rank passes. Core distances are found by threads, the tree where `call`
/// says. Collective.
template <class T>
EmstResult<T, Mpi> weighted_tree(Comm& comm, RankInput<T> const& local, std::span<double const> weights,
                                 int min_samples, EmstOptions const& o, RankCall const& call) {
    if (local.index) return tree_of_index(local, weights, min_samples, o.box, call);
    // Sorted once for both.
    RankIndex<T> const index(local.local, {.box = o.box, .tree = o.tree}, call.mpi, call.cpu);
    auto tree = tree_of_index<T>(index, weights, min_samples, {}, call);
    comm.agree([&] {
        auto& seconds = tree.stats.seconds;
        seconds.insert(seconds.begin(), index.stats().seconds.begin(), index.stats().seconds.end());
        add(tree.stats.steps, index.stats().steps);
    });
    return tree;
}

}}}  // namespace zwalk::v0::detail
