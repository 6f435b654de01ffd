// Planes of few nodes: the host gets to know all of them, and cuts what is above itself. On a GPU that takes less time than the
// launches and waits of a single plane.
#pragma once
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "zwalk/exec/device.hpp"
#include "zwalk/tree/detail/regularise.hpp"
#include "zwalk/tree/planes.hpp"

namespace zwalk { inline namespace v0 {

/// Counts points of one or two types in ranges of a z-order: positions, and what lies before each.
struct DeviceCounts {
    pos_t const* before = nullptr;  ///< second type: elements before position i; null: one type only
    pos_t others = 0;               ///< all of the second type
    [[nodiscard]] ZWALK_INLINE pos_t largest(pos_t begin, pos_t end) const {
        return before ? max_of(end - begin, before[end] - before[begin]) : end - begin;
    }
};

namespace detail {

/// Gaps of a plane, or of the points themselves.
struct Gaps {
    pos_t const* first = nullptr;  // position of each gap; null: its index
    level_t const* level = nullptr;
    level_t const* inside =
        nullptr;     // largest level inside the node behind each gap; null: points, which have none
    pos_t last = 0;  // index of the last one
    [[nodiscard]] ZWALK_INLINE pos_t position(pos_t i) const { return first ? first[i] : i; }

    /// The largest level inside the node from one gap to another: of the gaps that it lost, and of its children.
    [[nodiscard]] ZWALK_HD level_t largest_level(pos_t begin, pos_t end) const {
        level_t top = single_point_level;
        for (pos_t c = begin; c < end; ++c) {
            if (c > begin) top = max_of(top, level[c]);
            if (inside) top = max_of(top, inside[c]);
        }
        return top;
    }
};

/// Planes of at most so many nodes are few.
inline constexpr pos_t few_nodes = 4096;
/// Where there are more gaps to choose from than this, it doesn't matter that the host waits.
inline constexpr pos_t gaps_of_few_nodes = 32 * few_nodes;

/// The gaps that a plane keeps, as long as there is room for them: their positions, and the points of another type before these;
/// their levels; and the levels of the nodes behind them.
struct RecordNodes {
    Gaps gaps;
    DeviceCounts counts;
    pos_t const *kept, *found;  // which ones, and how many
    pos_t const* unsorted;      // see GapLevels
    pos_t room;
    pos_t* record;  // how many, and whether points are unsorted; then four times `room` numbers
    ZWALK_HD void operator()(std::size_t n) const {
        pos_t const i = pos_t(n), all = *found;
        if (i == 0) {
            record[0] = all;
            record[1] = unsorted ? *unsorted : 0;
        }
        if (i >= all) return;
        pos_t const c = kept[i], at = gaps.position(c);
        pos_t* const own = record + 2 + i;
        own[0] = at;
        if (counts.before) own[room] = counts.before[at];
        own[2 * room] = pos_t(gaps.level[c]);
        if (i + 1 < all) own[3 * room] = pos_t(gaps.largest_level(c, kept[i + 1]));
    }
};

/// A plane that the host may know.
struct KnownPlane {
    pos_t gaps = 0;         ///< how many it keeps
    bool unsorted = false;  ///< the points weren't in order, and nothing else is known
    CutPlane plane;         ///< without `child`; empty if there wasn't room for it
};

/// What a plane keeps of few gaps, `found` of them at `kept`. One wait.
template <class Device>
KnownPlane known_plane(Device& device, Gaps const& gaps, DeviceCounts const& counts, pos_t const* kept,
                       pos_t const* found, pos_t const* unsorted) {
    pos_t const room = std::min(std::min(gaps.last, few_nodes), std::max<pos_t>(gaps.last / 8, 512)) + 1;
    auto record = device.template buffer<pos_t>(2 + 4 * std::size_t(room));
    device.zero(record.data(), record.size());
    device.for_each(room, RecordNodes{gaps, counts, kept, found, unsorted, room, record.data()});
    std::vector<pos_t> words(record.size());
    device.download(words.data(), record.data(), words.size());
    KnownPlane known;
    known.gaps = words[0];
    known.unsorted = words[1] != 0;
    if (known.gaps > room || known.unsorted) return known;
    auto const column = [&](std::size_t which, pos_t n) {
        auto const begin = words.begin() + std::ptrdiff_t(2 + which * room);
        return std::vector<pos_t>(begin, begin + n);
    };
    auto const levels = [&](std::size_t which, pos_t n) {
        auto const column_of = column(which, n);
        return std::vector<level_t>(column_of.begin(), column_of.end());
    };
    CutPlane& plane = known.plane;
    plane.first = column(0, known.gaps);
    plane.gap = levels(2, known.gaps);
    plane.level = levels(3, known.gaps - 1);
    TypeCounts types{plane.first.back(), {}};
    if (!counts.before) {
        plane.count = node_counts(plane.first, plane.gap, types);
    } else {  // both types by the number of a gap
        auto const before = column(1, known.gaps);
        types.before = {{plane.first.begin(), plane.first.end()}, {before.begin(), before.end()}};
        std::vector<pos_t> numbers(known.gaps);
        std::iota(numbers.begin(), numbers.end(), pos_t(0));
        plane.count = node_counts(numbers, plane.gap, types);
    }
    return known;
}

}  // namespace detail
}}  // namespace zwalk::v0
