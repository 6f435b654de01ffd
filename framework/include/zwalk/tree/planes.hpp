// The plane hierarchy as cuts of the z-order (paper sections II-C and II-D): no coordinates here.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "zwalk/tree/detail/node_counts.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk { inline namespace v0 {

/// One plane: nodes are the ranges between neighbouring gaps that it keeps.
struct CutPlane {
    std::vector<pos_t> first;    ///< nodes + 1 positions in the joint z-order: the kept gaps
    std::vector<pos_t> child;    ///< nodes + 1 offsets into the next finer plane, empty on plane 0
    std::vector<level_t> gap;    ///< nodes + 1: level of every kept gap (eq. 7)
    std::vector<pos_t> count;    ///< nodes + 1: n of every kept gap
    std::vector<level_t> level;  ///< nodes: largest level inside a node, see NodeVolume

    [[nodiscard]] std::size_t nodes() const { return first.size() - 1; }
};

/// TreeOptions::leaf_size = 0: leaves of this many points; twice as many, and twice again, where they would hold fewer
/// than the second number on average. On CPUs kNN is within 5 % for N_max from 48 to 96 on uniform points; where
/// leaves of 48 hold 10 points on average, 96 is a third faster. On a GPU nearly empty leaves leave lanes idle.
inline constexpr pos_t usual_leaf_size = 48;
inline constexpr double least_mean_leaf = 20;

/// TreeOptions::coarsening = 0: nodes grow by this factor.
inline constexpr pos_t usual_coarsening = 8;
inline pos_t coarsening_of(TreeOptions const& options) {
    return options.coarsening ? options.coarsening : usual_coarsening;
}

/// Throws InputError unless coarsening is 0 or >= 2, top_nodes >= 1, volume_ratio is finite and not negative,
/// and volume_fraction lies in (0, 1].
void check_options(TreeOptions const& options);

/// Cuts the joint z-order of all types into planes. Plane 0 keeps the gaps with n > leaf_size, and
/// plane p+1 keeps those of plane p with n > leaf_size * coarsening^(p+1) (eq. 8), so every node is
/// the largest Morton cell with at most that many points of each type. Gaps whose level exceeds
/// lvl_max(p) are kept too (eq. 10), with two guards:
/// - a plane does not grow beyond 2 * (2 N / N_max) + 16 nodes (twice the estimate of eq. 9) by it;
/// - planes that have at most 8 * top_nodes nodes without it are left alone.
/// The last plane is the first one with at most `top_nodes` nodes: counted, not estimated. There is
/// always one, since a plane with N_max >= N has one node. Without points there are no planes.
///
/// `levels`: N + 1 gap levels. O(N) for plane 0, O(nodes log nodes) per plane for the others.
std::vector<CutPlane> cut_planes(Cpu const& cpu, std::span<level_t const> levels,
                                 TypeCounts const& counts, TreeOptions const& options);

/// Adds the coarser ones to planes of which the last one has this n_max. Of that one all members are needed but `child`.
/// O(nodes log nodes) per plane.
void add_coarser_planes(std::vector<CutPlane>& planes, std::uint64_t n_max, TreeOptions const& options);

}}  // namespace zwalk::v0
