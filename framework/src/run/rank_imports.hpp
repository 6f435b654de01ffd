// Imports of rank_nearest.hpp and rank_within.hpp for one compiled dimension. Defined in rank_imports_of.hpp, in files that CMake
// makes: so they are compiled side by side.
#pragma once
#include "zwalk/run/detail/rank_within.hpp"
#include "zwalk/run/rank_nearest.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <int D, class T>
struct ImportForNearest {
    static ImportedPoints<T> run(RankPoints<T>& points, RankPoints<T>& sources, pos_t k,
                                 bool exclude_self, T limit2);
};

/// What a walk does with nodes that are within the radius as a whole, and which points it meets.
enum class By { points, nodes, pairs };

template <int D, By by, class T>
struct ImportWithin {
    static CountedWithin<T> run(RankPoints<T>& points, RankPoints<T>& sources, T radius);
};

}}}  // namespace zwalk::v0::detail
