// Groups that a walk with uses.links has found, as labels; on any place.
#pragma once
#include <cstdint>

#include "zwalk/core/outcome.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/exec/place.hpp"

namespace zwalk::inline v0 {
namespace detail {

struct IsRoot {
    pos_t const* root;
    std::uint8_t* flag;
    ZWALK_HD void operator()(std::size_t i) const { flag[i] = root[i] == i; }
};
/// Smallest input row of each group, at the position of its root.
struct LowerToMember {
    pos_t const *root, *row;
    pos_t* smallest;
    ZWALK_HD void operator()(std::size_t i) const { atomic_min(smallest + root[i], row[i]); }
};
struct WriteLabels {
    pos_t const *root, *row, *smallest;
    bool in_z_order;
    index_t* label;
    ZWALK_HD void operator()(std::size_t i) const {
        label[in_z_order ? pos_t(i) : row[i]] = smallest[root[i]];
    }
};

}  // namespace detail

/// Groups of N points.
template <class P>
struct GroupLabels {
    ArrayOn<P, index_t> labels;  ///< of each point: the smallest input row of its group
    std::size_t groups = 0;      ///< how many there are, those of one point included
};

/// Labels of groups whose first z-order positions are `root` (links_settle), of points from the input rows `row`.
/// O(N); memory beside the result: 4 bytes per point.
template <Place P>
GroupLabels<PlaceOf<P>> label_groups(P& place, ArrayOn<P, pos_t> const& root,
                                     ArrayOn<P, pos_t> const& row, Order order) {
    std::size_t const n = root.size();
    GroupLabels<PlaceOf<P>> result;
    if (n > 0) {
        auto is_root = place.template buffer<std::uint8_t>(n);
        place.for_each(n, detail::IsRoot{root.data(), is_root.data()});
        result.groups = place.count(is_root.data(), n);
    }
    auto smallest = place.template buffer<pos_t>(n);
    result.labels = place.template buffer<index_t>(n);
    place.for_each(n, Fill<pos_t>{smallest.data(), no_pos});
    place.for_each(n, detail::LowerToMember{root.data(), row.data(), smallest.data()});
    place.for_each(n, detail::WriteLabels{root.data(), row.data(), smallest.data(), order == Order::z,
                                          result.labels.data()});
    return result;
}

}  // namespace zwalk::inline v0
