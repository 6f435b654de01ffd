// Groups that a walk with uses.links has found, as labels; on any place.
#pragma once
#include <cstdint>
#include <functional>

#include "zwalk/core/outcome.hpp"
#include "zwalk/core/vec.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/exec/place.hpp"

namespace zwalk { inline namespace v0 {
namespace detail {

struct StartLabels {
    pos_t const* root;
    std::uint8_t* is_root;
    pos_t* smallest;
    ZWALK_HD void operator()(std::size_t i) const {
        is_root[i] = root[i] == i;
        smallest[i] = no_pos;
    }
};
/// Smallest input row of each group, at the position of its root. Neighbours on the curve mostly are of one group:
/// every `piece`-th step takes so many points, and writes once for those of one group that follow each other.
template <std::size_t piece>
struct LowerToMember {
    pos_t const *root, *row;
    pos_t* smallest;
    std::size_t size;
    ZWALK_HD void operator()(std::size_t i) const {
        if (i % piece != 0) return;
        for (std::size_t const end = i + piece < size ? i + piece : size; i < end;) {
            pos_t const group = root[i];
            pos_t least = row[i];
            for (++i; i < end && root[i] == group; ++i) least = min_of(least, row[i]);
            atomic_min(smallest + group, least);
        }
    }
};
struct WriteLabels {
    pos_t const *root, *row, *smallest;
    bool in_z_order;
    index_t* label;
    ZWALK_HD void operator()(std::size_t i) const {
        label[in_z_order ? pos_t(i) : row[i]] = smallest[root[i]];
    }
};

/// How many groups there are. Prepares `smallest` for LowerToMember.
inline std::size_t start_labels(Cpu const& cpu, Buffer<pos_t> const& root, Buffer<pos_t>& smallest) {
    cpu.for_each(root.size(), Fill<pos_t>{smallest.data(), no_pos});
    return cpu.run([&] {
        auto const part = [&](std::size_t i, std::size_t end, std::size_t roots) {
            for (; i < end; ++i) roots += root[i] == i;
            return roots;
        };
        return parallel_reduce(root.size(), 1 << 14, std::size_t(0), part, std::plus<>());
    });
}
template <class Device>
requires is_device<Device> std::size_t start_labels(Device& device, DeviceBuffer<pos_t> const& root,
                                                    DeviceBuffer<pos_t>& smallest) {
    if (root.empty()) return 0;
    auto is_root = device.template buffer<std::uint8_t>(root.size());
    device.for_each(root.size(), StartLabels{root.data(), is_root.data(), smallest.data()});
    return device.count(is_root.data(), root.size());
}

}  // namespace detail

/// Groups of N points.
template <class P>
struct GroupLabels {
    ArrayOn<P, index_t> labels;  ///< for each point, the smallest input row of its group
    std::size_t groups = 0;      ///< how many there are, those of one point included
};

/// Labels of groups whose first z-order positions are `root` (links_settle), of points from the input rows `row`.
/// O(N); memory beside the result: 4 bytes per point.
template <Place P>
GroupLabels<PlaceOf<P>> label_groups(P& place, ArrayOn<P, pos_t> const& root,
                                     ArrayOn<P, pos_t> const& row, Order order) {
    std::size_t const n = root.size();
    GroupLabels<PlaceOf<P>> result;
    auto smallest = place.template buffer<pos_t>(n);
    result.groups = detail::start_labels(place, root, smallest);
    result.labels = place.template buffer<index_t>(n);
    constexpr std::size_t piece = is_device<P> ? 1 : 1024;
    place.for_each(n, detail::LowerToMember<piece>{root.data(), row.data(), smallest.data(), n});
    place.for_each(n, detail::WriteLabels{root.data(), row.data(), smallest.data(), order == Order::z,
                                          result.labels.data()});
    return result;
}

}}  // namespace zwalk::v0
