// Core distances of points with weights, as what kNN shows.
#pragma once
#include <cstddef>

#include "zwalk/core/key.hpp"
#include "zwalk/nearest/neighbours.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The core distance of each query, if the neighbours that are shown have enough weight; else infinity.
template <class T>
struct TakeWeighted {
    double const* weights;  ///< by the index of a neighbour
    double enough;
    bool all;  ///< all points are shown
    T* core;

    void operator()(index_t query, Neighbours<T> const& near) const {
        double sum = 0;
        for (int i = 0; i < near.size(); ++i) {
            sum += weights[near.index(i)];
            if (sum < enough && !(all && i + 1 == near.size())) continue;
            core[query] = near.distance(i);
            return;
        }
        core[query] = infinity<T>;
    }
};

}}}  // namespace zwalk::v0::detail
