// Imports for the nearest neighbours of points on MPI ranks, for all algorithms that search for these.
#pragma once
#include "zwalk/run/rank_points.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// RankPoints::import_from() for a search of the k nearest sources within a distance whose square is limit2, whatever it makes of
/// them. `sources` may be `points`. Compiled once for all algorithms, from src/run/rank_imports_of.hpp, since it takes half of
/// the time that compiling an algorithm on ranks takes. Collective.
template <class T>
ImportedPoints<T> import_for_nearest(RankPoints<T>& points, RankPoints<T>& sources, pos_t k,
                                     bool exclude_self, T limit2 = infinity<T>);

extern template ImportedPoints<float> import_for_nearest(RankPoints<float>&, RankPoints<float>&, pos_t,
                                                         bool, float);
extern template ImportedPoints<double> import_for_nearest(RankPoints<double>&, RankPoints<double>&,
                                                          pos_t, bool, double);

}}}  // namespace zwalk::v0::detail
