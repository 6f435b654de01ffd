// Outputs of a walk, and payloads of points, where these are spread over MPI ranks.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/core/columns.hpp"
#include "zwalk/core/vec.hpp"
#include "zwalk/exec/place.hpp"
#include "zwalk/run/mpi_ranks.hpp"
#include "zwalk/run/point_array.hpp"
#include "zwalk/run/rank_points.hpp"

namespace zwalk { inline namespace v0 {
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

/// One V for each point that this rank has, where the rank walks. Made by PointTree::array().
template <class V, class T, class P>
class PointArray<V, T, MpiRanksOn<P>> {
    static_assert(std::is_trivially_copyable_v<V> && !std::is_same_v<V, bool>,
                  "zwalk: outputs are plain values, and unsigned char instead of bool");
    using Place = MpiRanksOn<P>;
    using Shared = detail::SharedRankPoints<T>;

  public:
    PointArray(Place const& place, std::shared_ptr<Shared> points)
        : place_(&place),
          points_(std::move(points)),
          values_(place.comm().agree(
              [&] { return place.walks().template buffer<V>(points_->points->size_here()); })),
          note_(place.comm().agree(
              [&] { return detail::ArrayNote(values_.data(), values_.size(), points_.get()); })) {}

    [[nodiscard]] std::size_t size() const { return values_.size(); }
    /// For traits: element i is that of this rank's target with index i.
    [[nodiscard]] V* data() { return values_.data(); }
    [[nodiscard]] V const* data() const { return values_.data(); }

    /// A copy: element i belongs to row i of those that this rank has passed. Collective.
    [[nodiscard]] std::vector<V> in_input_order() const {
        if constexpr (is_device<P>) {
            auto const here = place_->comm().agree([&] { return in_z_order(); });
            return points_->points->rows_home(std::span<V const>(here));
        } else {
            return points_->points->rows_home(std::span<V const>(values_));
        }
    }
    /// A copy: element i belongs to number i of the points that this rank has, which are in z-order.
    [[nodiscard]] std::vector<V> in_z_order() const {
        if constexpr (is_device<P>) {
            std::vector<V> here(size());
            place_->walks().download(here.data(), values_.data(), size());
            return here;
        } else {
            return {values_.begin(), values_.end()};
        }
    }

    /// f(value) of each, in the order of in_input_order(). Collective.
    template <class F>
    [[nodiscard]] auto map_to_input_order(F const& f) const {
        using W = std::invoke_result_t<F const&, V const&>;
        auto const here = place_->comm().agree([&] {
            std::vector<W> mapped;
            mapped.reserve(size());
            auto const add = [&](auto const& values) {
                for (V const& value : values) mapped.push_back(f(value));
            };
            if constexpr (is_device<P>) add(in_z_order());
            else add(values_);
            return mapped;
        });
        return points_->points->rows_home(std::span<W const>(here));
    }

  private:
    Place const* place_;
    std::shared_ptr<Shared> points_;
    ArrayOn<P, V> values_;
    detail::ArrayNote note_;
};

/// The payload of the points that this rank has, here: walks bring it, with that of what is imported, to where they are. Made by
/// PointTree::payload().
template <class A, class P>
class PointPayload<A, MpiRanksOn<P>> {
  public:
    PointPayload(std::vector<A>&& rows, std::shared_ptr<void const> points)
        : points_(std::move(points)), columns_(std::span<A const>(rows)) {
        if constexpr (is_device<P>) rows_ = std::move(rows);
    }

    [[nodiscard]] ColumnsView<A> view() const { return columns_.view(); }
    [[nodiscard]] bool is_of(void const* points) const { return points_.get() == points; }
    /// By position, for devices.
    [[nodiscard]] std::span<A const> rows() const requires is_device<P> { return rows_; }

  private:
    std::shared_ptr<void const> points_;
    Columns<A> columns_;
    std::vector<A> rows_;
};

/// A table that is shared by all points, on the device of a rank, where traits read it, and here: before a walk on ranks it is decided
/// here what is imported for it. Made by PointTree::shared().
template <class V>
class SharedTable {
  public:
    template <class P>
    SharedTable(MpiRanksOn<P> const& place, std::span<V const> rows)
        : copies_(place.copies_here()), here_(rows.size()), there_(copy_to(place.walks(), rows)) {
        std::copy(rows.begin(), rows.end(), here_.begin());
        if (size() > 0) copies_->add(there_.data(), size() * sizeof(V), here_.data());
    }
    SharedTable(SharedTable&& other) noexcept = default;
    SharedTable& operator=(SharedTable&&) = delete;
    ~SharedTable() {
        if (copies_ && size() > 0) copies_->remove(there_.data());
    }

    [[nodiscard]] V const* data() const { return there_.data(); }
    [[nodiscard]] std::size_t size() const { return here_.size(); }

  private:
    std::shared_ptr<detail::CopiesHere> copies_;
    Buffer<V> here_;
    DeviceBuffer<V> there_;
};

}}  // namespace zwalk::v0
