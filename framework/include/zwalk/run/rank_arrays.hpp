// Outputs of a walk, and payloads of points, where these are spread over MPI ranks.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/core/columns.hpp"
#include "zwalk/core/vec.hpp"
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

/// The FNV-1a hash of rows, to be compared with that of other ranks. What is between their numbers (padding) isn't read.
class RowsHash {
  public:
    template <class V>
    explicit RowsHash(std::span<V const> rows) {
        for (V const& row : rows) add(row);
    }
    [[nodiscard]] std::uint64_t value() const { return value_; }

  private:
    template <class V>
    void add(V const& row) {
        if constexpr (std::is_class_v<V>) add_fields(row, FieldSequence<V>());
        else add_bytes(row);
    }
    template <int K, class N>
    void add(Vec<K, N> const& numbers) {
        add_bytes(numbers);
    }
    template <class V, std::size_t... i>
    void add_fields(V const& row, std::index_sequence<i...>) {
        (add(field<i>(row)), ...);
    }
    template <class V>
    void add_bytes(V const& numbers) {
        auto const* const bytes = reinterpret_cast<unsigned char const*>(&numbers);
        for (std::size_t i = 0; i < sizeof(V); ++i) value_ = (value_ ^ bytes[i]) * 0x100000001b3;
    }

    std::uint64_t value_ = 0xcbf29ce484222325;
};

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
