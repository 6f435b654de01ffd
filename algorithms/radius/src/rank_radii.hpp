// What points on MPI ranks need of others, each within a radius of its own.
#pragma once
#include <span>
#include <vector>

#include "algorithm.hpp"
#include "zwalk/run/rank_points.hpp"

namespace zwalk::inline v0::detail {

/// The points that were imported, and the radii of all that are there.
template <class T>
struct ImportedRadii : ImportedPoints<T> {
    std::vector<OwnRadius<T>> radii;  ///< those of each; 0 where there are queries
    KnownNodes<OwnRadii<T>> known{};  ///< WalkInputs::known, for counts
};

/// Imports what searches of a rank's targets need of `sources`, which may be the targets. Collective.
/// @param radii   of this rank's targets, by position
/// @param counts  nodes that are near enough as a whole need no points
template <class T>
ImportedRadii<T> import_radii(Comm& comm, RankPoints<T>& targets, RankPoints<T>& sources,
                              std::span<OwnRadius<T> const> radii, bool larger, bool counts);

}  // namespace zwalk::inline v0::detail
