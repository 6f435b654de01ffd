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
    pos_t long_lists;                // number for all targets from FindPiece::base on
    size_type entries, far;          // number in its lists, and in its far lists
};
static_assert(std::has_unique_object_representations_v<Piece>);
/// Element 0 finds the longest piece from `begin` on with at most `limit` entries, but of one target at least; all elements count
/// long lists, in the piece's place, which is 0 before.
struct FindPiece {
    size_type const *offset, *far_offset;  // by target: base, base + 1, ..., end; no far lists: null
    pos_t base, begin, end;
    size_type limit;
    pos_t first_parent, parent_end;
    pos_t const *parent_child, *child;  // null: each node is its own only child
    pos_t const* count;                 // of entries by target; null: nobody asks for long lists
    pos_t longest;                      // entries of a list that isn't long
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
    ZWALK_HD void operator()(std::size_t i) const {
        if (count && count[i] > longest) atomic_add(&piece->long_lists, 1);
        if (i == 0) find();
    }

  private:
    ZWALK_HD void find() const {
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
        piece->end = last;
        piece->first_parent =
            parent_child ? last_at_most(parent_child, first_parent, parent_end, begin) : begin;
        piece->parent_end =
            parent_child ? last_at_most(parent_child, first_parent, parent_end, last - 1) + 1 : last;
        piece->child_begin = child ? child[begin] : begin;
        piece->child_end = child ? child[last] : last;
        piece->entries = entries(offset, begin - base, last - base);
        piece->far = entries(far_offset, begin - base, last - base);
    }
};
struct ShiftOffsets {
    size_type const* from;
    size_type* to;
    ZWALK_HD void operator()(std::size_t i) const { to[i] = from[i] - from[0]; }
};

/// Launches `find` for a piece of at most `entries` entries, among so many targets from find.base on.
template <class Device>
void launch_find(Device& device, std::uint64_t entries, FindPiece find, std::size_t targets) {
    constexpr size_type most = size_type(1) << 31;
    find.limit = std::clamp<size_type>(entries, 1, most);
    device.zero(&find.piece->long_lists, 1);
    device.for_each(find.count ? targets : 1, find);
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
