// From what a walk finds for each target to what its caller reads, for Place::for_each.
#pragma once
#include <cmath>

#include "zwalk/core/config.hpp"
#include "zwalk/core/index.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Positions become rows, no_pos becomes -1, and squares of distances in a unit become distances.
template <class T, class V>
struct NameNearest {
    pos_t const* position;
    V const* row_of;
    index_t* row;
    T* distance;  ///< squared before
    T unit;
    ZWALK_HD void operator()(std::size_t i) const {
        row[i] = position[i] == no_pos ? -1 : index_t(row_of[position[i]]);
        distance[i] = std::sqrt(distance[i]) * unit;
    }
};

}}}  // namespace zwalk::v0::detail
