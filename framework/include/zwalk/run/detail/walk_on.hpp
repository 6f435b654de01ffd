// Walks as a tree of points calls them on a place.
#pragma once
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/lists/lists.hpp"
#include "zwalk/run/point_array.hpp"
#include "zwalk/walk/counts.hpp"
#include "zwalk/walk/interaction.hpp"

namespace zwalk { inline namespace v0 {

/// The results of a walk beside the outputs that the trait writes.
template <class I>
struct Walked {
    WalkCounts counts;
    /// uses.total: the sum over all that was met, begun with Total{}.
    typename detail::TotalOf<I>::type total{};
    /// uses.links: for each point, in the order of the input, the smallest row of its group.
    std::vector<index_t> labels{};
};

namespace detail {

template <bool is_there>
constexpr void expect_place() {
    static_assert(
        is_there,
        "zwalk: include the header of the place: zwalk/run/cpu.hpp, zwalk/run/cuda.cuh (nvcc), "
        "zwalk/run/host_device.hpp or zwalk/run/mpi.hpp");
}
/// The place's own walk(), which inside PointTree its members would hide.
template <class P, class... Arguments>
WalkCounts walk_on(P& place, Arguments const&... arguments) {
    constexpr bool is_there = requires { walk(place, arguments...); };
    expect_place<is_there>();
    if constexpr (is_there) return walk(place, arguments...);
    else return {};
}
/// The place's own find_nearest(), called where walk_on() calls walk().
template <int D, class P, class... Arguments>
WalkCounts nearest_on(P& place, Arguments const&... arguments) {
    constexpr bool is_there = requires { find_nearest<D>(place, arguments...); };
    expect_place<is_there>();
    if constexpr (is_there) return find_nearest<D>(place, arguments...);
    else return {};
}

/// Lists of a place on the host.
template <class T, class P>
Lists<T> lists_here([[maybe_unused]] P& place, Lists<T, P>&& found) {
    if constexpr (!is_device<P>) {
        return std::move(found);
    } else {
        auto const bring = [&](auto const& from, auto to) {
            to = decltype(to)(from.size());
            place.download(to.data(), from.data(), from.size());
            return to;
        };
        return {bring(found.offsets, Buffer<size_type>()), bring(found.rows, Buffer<index_t>()),
                bring(found.distances, Buffer<T>())};
    }
}

/// Payloads that a walk of trait I takes.
template <class I, class P, class... Others>
inline constexpr bool are_payloads = (std::is_same_v<Others, PointPayload<typename I::Payload, P>> &&
                                      ...);
/// For other payloads: compilation stops with a reason.
template <class I>
Walked<I> refuse_payload() {
    static_assert(sizeof(I) == 0,
                  "zwalk: what points carry goes into a walk as tree.payload(rows), whose rows are of "
                  "the trait's Payload");
    return {};
}

}  // namespace detail
}}  // namespace zwalk::v0
