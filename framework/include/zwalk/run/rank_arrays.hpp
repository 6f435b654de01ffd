// Outputs of a walk, and payloads of points, where these are spread over MPI ranks.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/core/columns.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/run/mpi_ranks.hpp"
#include "zwalk/run/point_array.hpp"
#include "zwalk/run/rank_points.hpp"

namespace zwalk::inline v0 {
namespace detail {

/// The data that the tree of some points, arrays and payloads share.
template <class T>
struct SharedRankPoints {
    Stats stats;  // the stats that `points` writes to
    std::optional<RankPoints<T>> points;
    /// The rows in the input of the sources of the last walk over these points, by position.
    Buffer<index_t> row_of_source;
};

/// RankPoints(arguments..., stats), once there is memory for them on all ranks. Collective.
template <class T, class... Arguments>
std::shared_ptr<SharedRankPoints<T>> share_rank_points(Comm& comm, Arguments&&... arguments) {
    auto all = comm.agree([] { return std::make_shared<SharedRankPoints<T>>(); });
    all->points.emplace(std::forward<Arguments>(arguments)..., all->stats);
    return all;
}

/// A table, to be compared with that of other ranks.
struct TableDigest {
    std::uint64_t rows, hash;
    int of_rank = 0;

    friend bool operator==(TableDigest const& a, TableDigest const& b) {
        return a.rows == b.rows && a.hash == b.hash;
    }
};
/// The FNV-1a hash of all numbers in the rows: what is between them (padding) isn't read.
template <class V>
TableDigest digest_of(std::span<V const> rows) {
    TableDigest digest{rows.size(), 0xcbf29ce484222325};
    auto const add = [&](auto const& number) {
        auto const* const bytes = reinterpret_cast<unsigned char const*>(&number);
        for (std::size_t i = 0; i < sizeof(number); ++i)
            digest.hash = (digest.hash ^ bytes[i]) * 0x100000001b3;
    };
    for (V const& row : rows) {
        if constexpr (std::is_class_v<V>) [&]<std::size_t... i>(std::index_sequence<i...>) {
                (add(field<i>(row)), ...);
            }
        (FieldSequence<V>());
        else add(row); }
    return digest;
}
/// Throws InputError on all ranks where one has another table than rank 0. Collective.
inline void check_shared(Comm& comm, TableDigest own) {
    own.of_rank = comm.rank();
    struct Compared {
        TableDigest first, other;  // the same where no rank has another one
    };
    auto const all = comm.reduce_all(Compared{own, own}, [](Compared const& a, Compared const& b) {
        return Compared{a.first, a.other == a.first ? b.other : a.other};
    });
    if (!(all.other == all.first))
        throw InputError(
            "shared(): rank " + std::to_string(all.other.of_rank) + " has another table (of " +
            std::to_string(all.other.rows) + " rows) than rank 0 (of " + std::to_string(all.first.rows) +
            " rows): pass the same rows on all ranks. What differs from point to point is a payload");
}

}  // namespace detail

/// One V for each point that this rank has. Made by PointTree::array().
template <class V, class T>
class PointArray<V, T, MpiRanks> {
    static_assert(std::is_trivially_copyable_v<V> && !std::is_same_v<V, bool>,
                  "zwalk: outputs are plain values, and unsigned char instead of bool");
    using Shared = detail::SharedRankPoints<T>;

  public:
    PointArray(MpiRanks const& place, std::shared_ptr<Shared> points)
        : place_(&place),
          points_(std::move(points)),
          values_(place.comm().agree([&] { return Buffer<V>(points_->points->size_here()); })),
          note_(place.comm().agree(
              [&] { return detail::ArrayNote(values_.data(), values_.size(), points_.get()); })) {}

    [[nodiscard]] std::size_t size() const { return values_.size(); }
    /// For traits: element i is that of this rank's target with index i.
    [[nodiscard]] V* data() { return values_.data(); }
    [[nodiscard]] V const* data() const { return values_.data(); }

    /// A copy: element i belongs to row i of those that this rank has passed. Collective.
    [[nodiscard]] std::vector<V> in_input_order() const {
        return points_->points->rows_home(std::span<V const>(values_));
    }
    /// A copy: element i belongs to number i of the points that this rank has, which are in z-order.
    [[nodiscard]] std::vector<V> in_z_order() const { return {values_.begin(), values_.end()}; }

    /// f(value) of each, in the order of in_input_order(). Collective.
    template <class F>
    [[nodiscard]] auto map_to_input_order(F const& f) const {
        using W = std::invoke_result_t<F const&, V const&>;
        auto const here = place_->comm().agree([&] {
            std::vector<W> mapped;
            mapped.reserve(size());
            for (V const& value : values_) mapped.push_back(f(value));
            return mapped;
        });
        return points_->points->rows_home(std::span<W const>(here));
    }

  private:
    MpiRanks const* place_;
    std::shared_ptr<Shared> points_;
    Buffer<V> values_;
    detail::ArrayNote note_;
};

/// The payload of the points that this rank has. Made by PointTree::payload().
template <class A>
class PointPayload<A, MpiRanks> {
  public:
    PointPayload(Columns<A>&& columns, std::shared_ptr<void const> points)
        : points_(std::move(points)), columns_(std::move(columns)) {}

    [[nodiscard]] ColumnsView<A> view() const { return columns_.view(); }
    [[nodiscard]] bool is_of(void const* points) const { return points_.get() == points; }

  private:
    std::shared_ptr<void const> points_;
    Columns<A> columns_;
};

}  // namespace zwalk::inline v0
