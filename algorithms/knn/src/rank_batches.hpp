// Nearest neighbours on MPI ranks, batch by batch.
#pragma once
#include <algorithm>
#include <any>
#include <cmath>
#include <numeric>

#include "algorithm.hpp"
#include "zwalk/knn/knn_in_batches.hpp"
#include "zwalk/knn/rank_neighbours_of.hpp"
#include "zwalk/ranks/part_of_travel.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Keeps the k others of k + 1 neighbours of points that are sources themselves.
template <class T>
struct LeaveOutSelf {
    index_t const* from_indices;
    T const* from_distances;
    index_t* indices;
    T* distances;
    std::size_t k;
    pos_t const* at;
    pos_t first;  ///< positions among the sources are first + at[i]

    void operator()(std::size_t i) const {
        // Copies of the point before it may be all that is listed: then the last one is too many.
        auto const from = i * (k + 1), to = i * k;
        auto const self = std::size_t(
            std::find(from_indices + from, from_indices + from + k, index_t(first) + index_t(at[i])) -
            (from_indices + from));
        auto const copy = [&](auto const* x, auto* y) {
            std::copy_n(x + from + self + 1, k - self, std::copy_n(x + from, self, y + to));
        };
        copy(from_indices, indices);
        copy(from_distances, distances);
    }
};

struct KnnBatchesAlgorithm : NearestAlgorithm<KnnBatchesCall> {
    template <class T>
    static void check(KnnBatchesAsked const& o, CallSets const& sets) {
        check_options(o, sets);
    }
    template <class Points>
    static ResultOf<KnnBatchesAlgorithm, Points> run(Points& sources, Points* queries,
                                                     KnnBatchesAsked const& o);
};

/// How many batches there are, so that the results of each keep to some `bytes` on every rank, their way home included. Collective.
/// @param rows  that this rank has passed, of so many of all ranks
template <class T>
std::uint64_t batches_within(Comm& comm, KnnBatchesAsked const& o, std::size_t rows, std::uint64_t all) {
    double const found = std::ceil(double(all) / comm.size()), copies = o.exclude_self ? 2 : 1,
                 home = o.order == Order::input ? double(rows) : 0;
    double const need = (copies * found + home) * double(o.k) * double(sizeof(index_t) + sizeof(T));
    auto const batches = std::uint64_t(std::clamp(std::ceil(need / std::max(1., double(o.bytes))), 1.,
                                                  std::max({1., found, double(rows)})));
    return comm.reduce_all(batches, [](auto a, auto b) { return std::max(a, b); });
}

/// A search in several batches. Members are collective.
/// @tparam Ranks  a RankCallPoints
template <class Ranks>
class KnnBatches {
    using T = typename Ranks::real;

  public:
    KnnBatches(Ranks& sources, Ranks* queries, KnnBatchesAsked const& o)
        : comm_(sources.comm()),
          asking_(queries ? *queries : sources),
          o_(o),
          take_(*std::any_cast<TakeKnnBatch<T> const*>(o.take)),
          neighbours_(sources, queries, {o.k, o.exclude_self, scaled_within(o.within, sources.unit())},
                      o.order, true),
          exclude_self_(o.exclude_self && !queries),
          goes_home_(o.order == Order::input) {
        batch_.columns = r_.columns = std::size_t(o.k);
        batch_.rows_of_rank = r_.rows = goes_home_ ? asking_.rows_here() : asking_.size_here();
        batch_.batches = batches_within<T>(comm_, o, asking_.rows_here(), asking_.size());
    }

    KnnResult<T, Mpi> run() {
        if (batch_.batches > 1) run_batches();
        else run_at_once();
        neighbours_.finish(r_);
        return std::move(r_);
    }

  private:
    void run_at_once() {
        auto all = neighbours_.rows();
        batch_.rows = all.rows;
        batch_.indices = std::move(all.indices);
        batch_.distances = std::move(all.distances);
        comm_.agree([&] { take_(batch_); });
    }
    void run_batches() {
        rows_ = comm_.offsets(r_.rows);
        auto all = neighbours_.import();
        auto const names = comm_.agree([&] { return neighbours_.names_of(all); });
        for (std::uint64_t b = 0; b < batch_.batches; ++b) {
            auto const rows = comm_.agree([&] { return rows_at(choose(b)); });
            auto const dim = asking_.dim();
            auto found = neighbours_.rows_of(Points<T>(rows.data(), rows.size() / std::size_t(dim), dim),
                                             o_.k + exclude_self_, all);
            comm_.agree([&] {
                if (exclude_self_) leave_out_self(found, all.first);
                neighbours_.name(found.indices, names);
            });
            batch_.indices = std::move(found.indices);
            batch_.distances = std::move(found.distances);
            hand_over();
        }
    }
    /// The rows of the searching points at these own positions.
    Buffer<T> rows_at(std::span<pos_t const> at) {
        auto const& rows = asking_.points().own().points.rows;
        auto const dim = std::size_t(asking_.dim());
        Buffer<T> some(at.size() * dim);
        asking_.place().for_each(at.size(), [&](std::size_t i) {
            std::copy_n(rows.data() + at[i] * dim, dim, some.data() + i * dim);
        });
        return some;
    }
    /// The own positions of a batch.
    std::span<pos_t const> choose(std::uint64_t b) {
        auto const cut = [&](std::size_t r, std::uint64_t batch) {
            return rows_[r] + (rows_[r + 1] - rows_[r]) * batch / batch_.batches;
        };
        auto const me = std::size_t(comm_.rank());
        batch_.first = cut(me, b) - rows_[me];
        batch_.rows = cut(me, b + 1) - cut(me, b);
        if (!goes_home_) {
            part_.at = Buffer<pos_t>(batch_.rows);
            std::iota(part_.at.begin(), part_.at.end(), pos_t(batch_.first));
            return part_.at;
        }
        std::vector<std::uint64_t> begin, end;
        for (std::size_t r = 0; r + 1 < rows_.size(); ++r) {
            begin.push_back(cut(r, b));
            end.push_back(cut(r, b + 1));
        }
        auto const& points = asking_.points().own().points;
        part_ = part_of_travel(points.travel, points.input_index, begin, end, comm_.rank(), rows_[me]);
        return part_.at;
    }
    void leave_out_self(NeighbourRows<T, Cpu>& found, pos_t first) const {
        Buffer<index_t> indices(found.rows * batch_.columns);
        Buffer<T> distances(found.rows * batch_.columns);
        asking_.place().for_each(
            found.rows, LeaveOutSelf<T>{found.indices.data(), found.distances.data(), indices.data(),
                                        distances.data(), batch_.columns, part_.at.data(), first});
        found.indices = std::move(indices);
        found.distances = std::move(distances);
    }
    void hand_over() {
        if (goes_home_) {
            bring_home(batch_.indices);
            bring_home(batch_.distances);
            asking_.end_phase("home");
        }
        comm_.agree([&] { take_(batch_); });
        batch_.indices = {};
        batch_.distances = {};
        asking_.end_phase("take");
    }
    template <class V>
    void bring_home(Buffer<V>& values) {
        auto by_row = comm_.attempt([&] { return Buffer<V>(batch_.rows * batch_.columns); });
        home(comm_, asking_.place(), part_.travel, std::span<V const>(values), std::span<V>(by_row),
             batch_.columns);
        values = std::move(by_row);
    }

    Comm& comm_;
    Ranks& asking_;
    KnnBatchesAsked const& o_;
    TakeKnnBatch<T> const& take_;
    NeighboursOf<Ranks> neighbours_;
    bool const exclude_self_, goes_home_;
    KnnResult<T, Mpi> r_;
    std::vector<std::uint64_t> rows_;  // of each rank the first one, among those of all
    KnnBatch<T> batch_;
    PartOfTravel part_;
};

template <class Points>
ResultOf<KnnBatchesAlgorithm, Points> KnnBatchesAlgorithm::run(Points& sources, Points* queries,
                                                               KnnBatchesAsked const& o) {
    return KnnBatches<Points>(sources, queries, o).run();
}

}}}  // namespace zwalk::v0::detail
