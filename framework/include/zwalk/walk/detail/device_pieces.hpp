// Lists that exceed the memory budget of a walk on a device are made for a piece of a plane at a time.
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "zwalk/core/vec.hpp"
#include "zwalk/exec/device.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// A run of target nodes whose lists are made at a time. Without padding: all bytes that are downloaded were written.
struct Piece {
    pos_t end;                       // one behind its last target
    pos_t first_parent, parent_end;  // the parents of its targets
    pos_t child_begin, child_end;    // children of its targets, on the next finer plane
    pos_t long_lists;                // number for all targets, see CountLongLists
    size_type entries, far;          // number in its lists, and in its far lists
};
static_assert(std::has_unique_object_representations_v<Piece>);
/// The longest piece from `begin` on with at most `limit` entries, but of one target at least.
struct FindPiece {
    size_type const *offset, *far_offset;  // by target: base, base + 1, ..., end; no far lists: null
    pos_t base, begin, end;
    size_type limit;
    pos_t first_parent, parent_end;
    pos_t const *parent_child, *child;  // null: each node is its own only child
    pos_t const* long_lists;            // null: none is counted
    Piece* piece;

    /// The last i in [low, high) with x[i] <= value.
    template <class X, class V>
    static ZWALK_HD pos_t last_at_most(X const* x, pos_t low, pos_t high, V value) {
        while (high - low > 1) {
            pos_t const middle = low + (high - low) / 2;
            (x[middle] <= value ? low : high) = middle;
        }
        return low;
    }
    /// The entries of the targets from `from` up to, but without, `last`.
    [[nodiscard]] static ZWALK_HD size_type entries(size_type const* of, pos_t from, pos_t last) {
        return of ? of[last] - of[from] : 0;
    }
    ZWALK_HD void operator()(std::size_t) const {
        auto const fits = [&](pos_t last) {
            return entries(offset, begin - base, last - base) +
                       entries(far_offset, begin - base, last - base) <=
                   limit;
        };
        pos_t low = begin, high = end + 1;
        if (fits(end))
            low = end;  // as a rule: one thread that searches waits for memory again and again
        while (high - low > 1) {
            pos_t const middle = low + (high - low) / 2;
            (fits(middle) ? low : high) = middle;
        }
        pos_t const last = max_of(low, begin + 1);
        Piece p{last,
                begin,
                last,
                begin,
                last,
                long_lists ? *long_lists : 0,
                entries(offset, begin - base, last - base),
                entries(far_offset, begin - base, last - base)};
        if (parent_child) {
            p.first_parent = last_at_most(parent_child, first_parent, parent_end, begin);
            p.parent_end = last_at_most(parent_child, first_parent, parent_end, last - 1) + 1;
        }
        if (child) {
            p.child_begin = child[begin];
            p.child_end = child[last];
        }
        *piece = p;
    }
};
struct ShiftOffsets {
    size_type const* from;
    size_type* to;
    ZWALK_HD void operator()(std::size_t i) const { to[i] = from[i] - from[0]; }
};

/// The piece from `find.begin` on with at most `entries` entries, but of one target at least. One wait.
template <class Device>
Piece find_piece(Device& device, std::uint64_t entries, FindPiece find) {
    constexpr size_type most = size_type(1) << 31;
    find.limit = std::clamp<size_type>(entries, 1, most);
    auto found = device.template buffer<Piece>(1);
    find.piece = found.data();
    device.for_each(1, find);
    Piece piece;
    device.download(&piece, found.data(), 1);
    return piece;
}

/// Offsets of a piece's n targets in arrays of its own; none where it begins at the first target.
template <class Device>
DeviceBuffer<size_type> shifted_offsets(Device& device, size_type const* offset, pos_t at, pos_t n) {
    if (at == 0 || n == 0) return {};
    auto shifted = device.template buffer<size_type>(std::size_t(n) + 1);
    device.for_each(shifted.size(), ShiftOffsets{offset + at, shifted.data()});
    return shifted;
}

}}}  // namespace zwalk::v0::detail
