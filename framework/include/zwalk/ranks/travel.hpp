// Rows between the ranks that had them in the input and those that have them in z-order.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/ranks/comm.hpp"

namespace zwalk { inline namespace v0 {

/// How points came from rows of the input to positions in z-order: as records over routes, each kind of them in
/// whatever order at its ends. 4 bytes for each point here and there.
struct Travel {
    Routes routes;
    Buffer<pos_t> row;       ///< record j that this rank sent was row[j] of its input
    Buffer<pos_t> position;  ///< record j that came to this rank is at its own position position[j]
};

namespace detail {

/// Rows in memory in the order of records: record j is row at[j], or j where there is no `at`.
template <class Byte>
struct RowsOf {
    Byte* rows = nullptr;
    pos_t const* at = nullptr;

    [[nodiscard]] Byte* row(std::uint64_t record, std::size_t bytes) const {
        return rows + (at ? at[record] : record) * bytes;
    }
};

/// Rows on their way out of a rank, wherever it keeps them: for carry().
class OutgoingRows {
  public:
    virtual ~OutgoingRows() = default;
    /// Takes memory for messages of so many rows at a time. May throw; what follows must not.
    virtual void reserve(std::size_t rows) = 0;
    /// Fills messages: rows [begin[r], begin[r + 1]) of them become those of the records first[r], first[r] + 1, ...
    /// @returns the memory that they can be sent from
    virtual void const* pack(std::span<std::uint64_t const> begin,
                             std::span<std::uint64_t const> first) = 0;
    /// Copies the rows of the records first, first + 1, ..., n of them, to those of the records `to_first` and so on of `to`.
    virtual void keep(std::uint64_t first, std::uint64_t n, RowsOf<std::byte> to,
                      std::uint64_t to_first) = 0;
};

/// Copies rows over routes, `row_bytes` > 0 each, to where they shall lie. A few records at a time, so that beside
/// `from` and `to` it needs at most 128 MiB, or two rows for each rank. Collective.
void carry(Comm& comm, Cpu const& cpu, Routes const& routes, std::size_t row_bytes,
           RowsOf<std::byte const> from, RowsOf<std::byte> to);

/// Copies over routes rows that pack themselves, into memory of their own.
void carry(Comm& comm, Cpu const& cpu, Routes const& routes, std::size_t row_bytes, OutgoingRows& from,
           RowsOf<std::byte> to);

/// Copies over routes rows of `width` values each: row from_at[j] becomes row to_at[j] of the rank that gets record j.
template <class V>
void carry(Comm& comm, Cpu const& cpu, Routes const& routes, std::size_t width, std::span<V const> from,
           Buffer<pos_t> const& from_at, std::span<V> to, Buffer<pos_t> const& to_at) {
    static_assert(std::is_trivially_copyable_v<V>);
    if (width == 0) return;
    carry(comm, cpu, routes, width * sizeof(V),
          {reinterpret_cast<std::byte const*>(from.data()), from_at.data()},
          {reinterpret_cast<std::byte*>(to.data()), to_at.data()});
}

}  // namespace detail

/// Brings results home: row i of `by_position` belongs to the point at this rank's own position i; in `by_row` each
/// rank gets the rows of the points that were its input, in the order of that. A row is `width` consecutive values,
/// the same number on all ranks; all are written. Working memory: see carry(). What has several columns goes home
/// column by column: that costs messages, no counts. Collective; each row travels once, no index with it.
template <class V>
void home(Comm& comm, Cpu const& cpu, Travel const& travel, std::span<V const> by_position,
          std::span<V> by_row, std::size_t width = 1) {
    auto const step = comm.step("home");
    detail::carry(comm, cpu, travel.routes.back(), width, by_position, travel.position, by_row,
                  travel.row);
}

/// The way there: row i of `by_row`, of this rank's input row i, goes to where its point is. Else as home().
template <class V>
void bring_along(Comm& comm, Cpu const& cpu, Travel const& travel, std::span<V const> by_row,
                 std::span<V> by_position, std::size_t width = 1) {
    auto const step = comm.step("along");
    detail::carry(comm, cpu, travel.routes, width, by_row, travel.row, by_position, travel.position);
}

}}  // namespace zwalk::v0
