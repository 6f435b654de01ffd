// An event of very many edges, all of one length, on all threads: as of a grid, or of copies.
#pragma once
#include <functional>

#include "scan_pieces.hpp"
#include "strip.hpp"
#include "zwalk/core/parallel_sort.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The clusters that take part in a strip whose ends are claimed and linked, in order. Call inside Cpu::run.
inline Buffer<EventPart> sorted_parts(std::span<End const> ends, SharedClusters& clusters) {
    auto const is_claimed = [&](std::size_t i) { return ends[i].cluster.size != 0; };
    Buffer<EventPart> parts(count_where(ends.size(), is_claimed));
    (void)scan_pieces<std::size_t>(
        ends.size(),
        [&](std::size_t i, std::size_t end) {
            std::size_t claimed = 0;
            for (; i < end; ++i) claimed += is_claimed(i);
            return claimed;
        },
        std::plus<>(),
        [&](std::size_t i, std::size_t end, std::size_t to) {
            for (; i < end; ++i)
                if (is_claimed(i))
                    parts[to++] = {clusters.root(ends[i].point), ends[i].point, ends[i].cluster};
        });
    parallel_sort(parts.begin(), parts.end(), comes_before);
    return parts;
}

/// Rows of an event from its sorted parts; the clusters get the ids of their last rows. Call inside Cpu::run.
/// @return  false, and nothing is of use: edges close a circle
inline bool join_big_event(RowWriter const& rows, Strip const& strip, double length,
                           std::span<EventPart const> parts, SharedClusters& clusters) {
    /// How many wholes have begun, and how many points the last of them has so far.
    struct SoFar {
        std::size_t wholes = 0;
        pos_t points = 0;
    };
    auto const begins = [&](std::size_t i) { return i == 0 || parts[i].whole != parts[i - 1].whole; };
    auto const sum = [&](std::size_t i, std::size_t end) {
        SoFar here;
        for (; i < end; ++i) {
            if (begins(i)) ++here.wholes, here.points = 0;
            here.points += parts[i].cluster.size;
        }
        return here;
    };
    auto const add = [](SoFar const& before, SoFar const& here) {
        return SoFar{before.wholes + here.wholes,
                     here.wholes > 0 ? here.points : before.points + here.points};
    };
    if (parts.size() - count_where(parts.size(), begins) != strip.end - strip.begin) return false;
    (void)scan_pieces<SoFar>(parts.size(), sum, add, [&](std::size_t i, std::size_t end, SoFar before) {
        std::size_t const row = strip.begin + i - before.wholes;
        Cluster made{0, 0};
        if (!begins(i))
            made = {begins(i - 1) ? parts[i - 1].cluster.id : pos_t(rows.points + row - 1),
                    before.points};
        auto const* const last = parts.data() + parts.size() - 1;
        rows.join_parts(parts.subspan(i, end - i), made, row, length,
                        [&](EventPart const& p, Cluster now) {
                            if (&p == last || (&p)[1].whole != p.whole) clusters.set(p.whole, now);
                        });
    });
    return true;
}

}}}  // namespace zwalk::v0::detail
