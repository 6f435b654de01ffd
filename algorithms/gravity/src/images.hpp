// Periodic boxes: the images of all points in the shells around the box, as sources beside the points themselves; what is
// further away is in lattice.hpp. On threads; a device makes its own (device_images.hpp), unless it runs out of memory.
#pragma once
#include <span>
#include <vector>

#include "lattice.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/gravity/trait.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// What a walk goes through: points, of which some are the targets, and nodes that may have none here.
template <int order, class T>
struct GravitySources {
    Tree<T, Cpu> tree;
    KnownNodes<Multipole<order, T>> known;  ///< of its nodes
    std::vector<PointMass<T>> masses;       ///< by position
    TargetNodes targets;
};

/// These sources, and behind them their images, down to what the targets look into. O(points near the faces + nodes); call
/// inside Cpu::run. For orders 1 to 5.
/// @param known  of the nodes of `tree`, of which some may have no points here, as none of the targets looks into them or
///               into any of their images
template <int order, class T>
GravitySources<order, T> with_images(Cpu const& cpu, Gravity<order, T> const& trait,
                                     Tree<T, Cpu> const& tree, KnownNodes<Multipole<order, T>>&& known,
                                     std::span<PointMass<T> const> masses, TargetNodes const& targets,
                                     ImageBox const& box);

/// That of a tree that has all points, which are the targets.
template <int order, class T>
GravitySources<order, T> with_images(Cpu const& cpu, Gravity<order, T> const& trait,
                                     Tree<T, Cpu> const& tree, std::span<PointMass<T> const> masses,
                                     ImageBox const& box);

}}}  // namespace zwalk::v0::detail
