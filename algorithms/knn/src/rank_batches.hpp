// Nearest neighbours on MPI ranks, batch by batch.
#pragma once
#include <algorithm>
#include <cmath>
#include <numeric>

#include "rank_driver.hpp"
#include "zwalk/knn/knn_in_batches.hpp"
#include "zwalk/ranks/part_of_travel.hpp"

namespace zwalk::inline v0::detail {

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

/// How many batches there are, so that the results of each keep to some `bytes` on every rank, their way home included. Collective.
template <class T>
std::uint64_t batches_within(Comm& comm, KnnOptions const& o, std::size_t rows, std::uint64_t bytes) {
    double const found = std::ceil(double(comm.offsets(rows).back()) / comm.size()),
                 copies = o.exclude_self ? 2 : 1, home = o.order == Order::input ? double(rows) : 0;
    double const need = (copies * found + home) * double(o.k) * double(sizeof(index_t) + sizeof(T));
    auto const batches = std::uint64_t(std::clamp(std::ceil(need / std::max(1., double(bytes))), 1.,
                                                  std::max({1., found, double(rows)})));
    return comm.reduce_all(batches, [](auto a, auto b) { return std::max(a, b); });
}

/// A search in several batches. Members are collective.
/// @tparam Place  a RankPlace
template <class T, class Place>
class KnnBatches {
  public:
    KnnBatches(Comm& comm, Cpu const& cpu, Place place, KnnOptions const& o, RankInput<T> const& sources,
               Points<T> const* queries, std::uint64_t batches, TakeKnnBatch<T> const& take)
        : comm_(comm),
          cpu_(cpu),
          o_(o),
          take_(take),
          ranks_(comm, cpu, place, o, sources, queries, r_.stats),
          exclude_self_(o.exclude_self && !queries) {
        batch_.batches = batches;
        batch_.columns = r_.columns = std::size_t(o.k);
    }

    KnnResult<T, Mpi> run() {
        RankPoints<T>& asking = ranks_.asking();
        goes_home_ = o_.order == Order::input;
        auto const n = asking.size_here();
        batch_.rows_of_rank = r_.rows = goes_home_ ? asking.rows() : n;
        rows_ = comm_.offsets(r_.rows);
        Buffer<index_t> names;
        ranks_.find_parts(
            batch_.batches, exclude_self_, [&](auto& all) { names = ranks_.names_of(all); },
            [&](std::uint64_t b) { return choose(b); },
            [&](KnnResult<T>&& found, auto& all) {
                if (exclude_self_) leave_out_self(found, all.first);
                cpu_.for_each(found.indices.size(), NameSources{found.indices.data(), names.data()});
                batch_.indices = std::move(found.indices);
                batch_.distances = std::move(found.distances);
            },
            [&] { hand_over(); });
        r_.source_order = ranks_.take_source_order();
        asking.hand_over(r_, o_.order, [] {});
        return std::move(r_);
    }

  private:
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
        auto const& points = ranks_.asking().own().points;
        part_ = part_of_travel(points.travel, points.input_index, begin, end, comm_.rank(), rows_[me]);
        return part_.at;
    }
    void leave_out_self(KnnResult<T>& found, pos_t first) const {
        Buffer<index_t> indices(found.rows * batch_.columns);
        Buffer<T> distances(found.rows * batch_.columns);
        cpu_.for_each(found.rows,
                      LeaveOutSelf<T>{found.indices.data(), found.distances.data(), indices.data(),
                                      distances.data(), batch_.columns, part_.at.data(), first});
        found.indices = std::move(indices);
        found.distances = std::move(distances);
    }
    void hand_over() {
        if (goes_home_) {
            bring_home(batch_.indices);
            bring_home(batch_.distances);
            ranks_.asking().end_phase("home");
        }
        comm_.agree([&] { take_(batch_); });
        batch_.indices = {};
        batch_.distances = {};
        ranks_.asking().end_phase("take");
    }
    template <class V>
    void bring_home(Buffer<V>& values) {
        auto by_row = comm_.attempt([&] { return Buffer<V>(batch_.rows * batch_.columns); });
        home(comm_, cpu_, part_.travel, std::span<V const>(values), std::span<V>(by_row),
             batch_.columns);
        values = std::move(by_row);
    }

    Comm& comm_;
    Cpu const& cpu_;
    KnnOptions const& o_;
    TakeKnnBatch<T> const& take_;
    KnnResult<T, Mpi> r_;
    KnnRanks<T, Place> ranks_;
    bool exclude_self_, goes_home_ = false;
    std::vector<std::uint64_t> rows_;  // of each rank the first one, among those of all
    KnnBatch<T> batch_;
    PartOfTravel part_;
};

/// See knn_in_batches().
template <class T, class Place>
KnnResult<T, Mpi> find_in_batches(Comm& comm, Cpu const& cpu, Place place, KnnOptions const& o,
                                  RankInput<T> const& sources,
                                  std::type_identity_t<Points<T>> const* queries, std::uint64_t bytes,
                                  TakeKnnBatch<T> const& take) {
    auto const batches = batches_within<T>(comm, o, queries ? queries->size : sources.rows, bytes);
    if (batches > 1)
        return KnnBatches<T, Place>(comm, cpu, place, o, sources, queries, batches, take).run();
    auto r = find_on_ranks(comm, cpu, place, o, sources, queries);
    KnnBatch<T> all{0, r.rows, r.columns, r.rows, batches, std::move(r.indices), std::move(r.distances)};
    comm.agree([&] { take(all); });
    r.indices = {};
    r.distances = {};
    return r;
}

}  // namespace zwalk::inline v0::detail
