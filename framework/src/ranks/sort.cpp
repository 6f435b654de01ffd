#include "zwalk/ranks/sort.hpp"

#include <algorithm>

#include "zwalk/core/validate.hpp"
#include "zwalk/zorder/compare.hpp"
#include "zwalk/zorder/sort.hpp"

namespace zwalk { inline namespace v0 {
namespace {

constexpr std::uint64_t samples_per_pair = 64;  // of ranks

/// Which points are samples: of every rank those at positions first(), first() + spacing, ... of its own z-order. From
/// the numbers of rows alone, so every rank finds those of all.
///
/// Each sample stands for `spacing` points, to within half of that on either side. So the number of points in front of
/// a sample is known to within `spacing` per rank: that is what the balance of a sort comes from. With some hundreds of
/// ranks samples are too few to promise much, though errors hardly all go one way; a round that counts the points in
/// front of each splitter, and takes finer samples around it, would be better then than more samples.
class Sampling {
  public:
    Sampling(std::vector<std::uint64_t> const& rows, std::uint64_t most)
        : spacing_(std::max<std::uint64_t>(1, (rows.back() + most - 1) / most)), begin_{0} {
        for (std::size_t r = 0; r + 1 < rows.size(); ++r)
            begin_.push_back(begin_.back() + count(rows[r + 1] - rows[r]));
    }
    /// Offsets by rank.
    [[nodiscard]] std::vector<std::uint64_t> const& begin() const { return begin_; }
    [[nodiscard]] std::size_t rank_of(std::uint64_t sample) const {
        return std::size_t(std::upper_bound(begin_.begin(), begin_.end(), sample) - begin_.begin()) - 1;
    }
    /// The place of a rank's i-th sample in its z-order.
    [[nodiscard]] std::uint64_t place(std::uint64_t i) const { return first() + i * spacing_; }

  private:
    [[nodiscard]] std::uint64_t first() const { return spacing_ / 2; }
    [[nodiscard]] std::uint64_t count(std::uint64_t points) const {
        return points > first() ? (points - first() - 1) / spacing_ + 1 : 0;
    }

    std::uint64_t spacing_;
    std::vector<std::uint64_t> begin_;
};

/// With few samples sorting is balanced badly; with many it is slow: every rank sorts them all.
Sampling sampling_of(std::vector<std::uint64_t> const& rows) noexcept {
    std::uint64_t const ranks = rows.size() - 1, share = rows.back() / ranks;
    return {rows,
            std::min(samples_per_pair * ranks * ranks, std::max(samples_per_pair * ranks, share / 4))};
}

/// This rank's points in z-order, without moving them.
template <class T>
struct Ordered {
    Points<T> points;
    std::span<pos_t const> order;

    [[nodiscard]] T const* row(pos_t i) const {
        return points.data + std::size_t(i) * std::size_t(points.dim);
    }
};

/// The samples of rank `me`.
template <class T>
Buffer<T> samples_of(Ordered<T> const& own, Sampling const& sampling, std::size_t me) {
    auto const dim = std::size_t(own.points.dim);
    std::uint64_t const count = sampling.begin()[me + 1] - sampling.begin()[me];
    Buffer<T> samples(count * dim);
    for (std::uint64_t i = 0; i < count; ++i)
        std::copy_n(own.row(own.order[sampling.place(i)]), dim, samples.data() + i * dim);
    return samples;
}

/// Which of this rank's points go to which rank: offsets in its z-order. `samples` are those of all ranks, rank by rank.
template <class T>
std::vector<std::uint64_t> cut(Cpu const& cpu, Ordered<T> const& own, Points<T> samples,
                               Sampling const& sampling, std::size_t me) {
    std::size_t const ranks = sampling.begin().size() - 1;
    std::vector<std::uint64_t> sent(ranks + 1, 0);
    // Those of a rank come in its z-order: as the sort is stable, equal points are in the order of their input rows,
    // of which samples need to bring no number.
    auto const order = z_sort(cpu, samples);
    auto const cut_at = [&](pos_t splitter, std::uint64_t from) -> std::uint64_t {
        std::size_t const rank = sampling.rank_of(splitter);
        if (rank == me) return sampling.place(splitter - sampling.begin()[me]);
        T const* const point = samples.data + std::size_t(splitter) * std::size_t(samples.dim);
        auto const before = [&](pos_t row) {
            T const* const p = own.row(row);
            return z_less(p, point, samples.dim) || (me < rank && !z_less(point, p, samples.dim));
        };
        auto const rest = own.order.subspan(from);
        return from +
               std::uint64_t(std::partition_point(rest.begin(), rest.end(), before) - rest.begin());
    };
    for (std::size_t r = 1; r < ranks && samples.size > 0; ++r)
        sent[r] = cut_at(order[samples.size * r / ranks], sent[r - 1]);
    sent[ranks] = own.points.size;
    return sent;
}

/// Rows by position, from where they arrived.
template <class T>
Buffer<T> in_order(Cpu const& cpu, Buffer<T> const& arrived, Buffer<pos_t> const& order,
                   std::size_t dim) {
    Buffer<T> rows(arrived.size());
    cpu.for_each(order.size(), [&](std::size_t i) {
        std::copy_n(arrived.data() + std::size_t(order[i]) * dim, dim, rows.data() + i * dim);
    });
    return rows;
}

}  // namespace

template <class T>
SortedPoints<T> z_sort(Comm& comm, Cpu const& cpu, Points<T> local) {
    auto const dim = std::size_t(local.dim);
    SortedPoints<T> sorted;
    sorted.dim = local.dim;
    Travel& travel = sorted.travel;
    std::vector<std::uint64_t> rows;
    {
        auto const step = comm.step("samples");
        rows = comm.offsets(local.size);
        Sampling const sampling = sampling_of(rows);
        auto const me = std::size_t(comm.rank());
        auto const samples = comm.attempt([&] {
            travel.row = z_sort(cpu, local);
            return samples_of(Ordered<T>{local, travel.row}, sampling, me);
        });
        auto const all = comm.gather_all(std::span<T const>(samples), sampling.begin(), dim);
        travel.routes = comm.routes(comm.attempt([&] {
            return cut(cpu, Ordered<T>{local, travel.row},
                       Points<T>(all.data(), sampling.begin().back(), local.dim), sampling, me);
        }));
    }
    auto const step = comm.step("points");
    std::uint64_t const n = travel.routes.received.back();
    Buffer<pos_t> origin_row;
    auto arrived = comm.attempt([&] {
        check_shape(n, local.dim, "points of a rank");
        origin_row = Buffer<pos_t>(n);
        comm.reserve(travel.routes, sizeof(pos_t));
        return Buffer<T>(n * dim);
    });
    detail::carry(comm, cpu, travel.routes, dim * sizeof(T),
                  {reinterpret_cast<std::byte const*>(local.data), travel.row.data()},
                  {reinterpret_cast<std::byte*>(arrived.data()), nullptr});
    comm.transfer(travel.routes, sizeof(pos_t), travel.row.data(), origin_row.data());
    comm.attempt([&] {
        // What arrived is in the order of input rows where points are equal, and the sort is stable.
        auto const order = z_sort(cpu, Points<T>(arrived.data(), n, local.dim));
        sorted.rows = in_order(cpu, arrived, order, dim);
        arrived = {};
        travel.position = Buffer<pos_t>(n);
        cpu.for_each(n, [&](std::size_t i) { travel.position[order[i]] = pos_t(i); });
        sorted.input_index = Buffer<index_t>(n);
        detail::for_each_of_ranks(cpu, travel.routes.received, [&](std::size_t r, std::size_t i) {
            sorted.input_index[travel.position[i]] = index_t(rows[r] + origin_row[i]);
        });
    });
    auto positions = comm.offsets(n);
    sorted.ranks = Ranks(std::move(rows), std::move(positions));
    return sorted;
}

template SortedPoints<float> z_sort(Comm&, Cpu const&, Points<float>);
template SortedPoints<double> z_sort(Comm&, Cpu const&, Points<double>);

}}  // namespace zwalk::v0
