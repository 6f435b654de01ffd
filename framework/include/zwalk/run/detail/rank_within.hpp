// Imports for points on MPI ranks that look no further than a radius, for all algorithms that do.
#pragma once
#include "zwalk/run/rank_points.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// RankPoints::import_from() for walks that need all sources within the radius of each point, one by one. `sources` may be
/// `points`. Compiled once for all algorithms, from src/run/rank_imports_of.hpp. Collective.
template <class T>
ImportedPoints<T> import_within(RankPoints<T>& points, RankPoints<T>& sources, T radius);

/// The imports for walks that accept nodes which are within the radius as a whole, and discard or accept those beyond it:
/// points are only imported where their nodes are neither.
template <class T>
struct CountedWithin : ImportedPoints<T> {
    KnownNodes<Empty> known;  ///< WalkInputs::known
};
template <class T>
CountedWithin<T> import_counted_within(RankPoints<T>& points, RankPoints<T>& sources, T radius);

/// Imports as import_within() does, for symmetric walks over points among themselves: each pair is met on one rank only.
template <class T>
ImportedPoints<T> import_pairs_within(RankPoints<T>& points, T radius);

extern template ImportedPoints<float> import_within(RankPoints<float>&, RankPoints<float>&, float);
extern template ImportedPoints<double> import_within(RankPoints<double>&, RankPoints<double>&, double);
extern template CountedWithin<float> import_counted_within(RankPoints<float>&, RankPoints<float>&,
                                                           float);
extern template CountedWithin<double> import_counted_within(RankPoints<double>&, RankPoints<double>&,
                                                            double);
extern template ImportedPoints<float> import_pairs_within(RankPoints<float>&, float);
extern template ImportedPoints<double> import_pairs_within(RankPoints<double>&, double);

}}}  // namespace zwalk::v0::detail
