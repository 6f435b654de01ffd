// Points of one component that follow each other in z-order, and what is known of them together.
#pragma once
#include <algorithm>
#include <vector>

#include "point_edges.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Most rounds needn't look at points, but at stretches only: at what was found when one was looked at last.
template <class T>
struct Stretch {
    pos_t first, last;  ///< points [first, last)
    pos_t component;
    pos_t least = no_pos;   ///< the point with the least candidate, unless that has come to lie inside
    pos_t wanted = 0;       ///< points marked as FragmentPoint::wanted
    T bound = infinity<T>;  ///< the least `proven` (squared) of sleeping points

    /// Looks at the points. Where a candidate lies inside the next one is looked up, if that can matter.
    template <class Inside>
    void look(PointEdges<T>& points, Inside const& inside) {
        least = no_pos;
        bound = infinity<T>;
        Edge<T> least_edge;
        for (pos_t i = first; i < last; ++i) {
            if (points.doing[i] == Doing::offering) {
                Edge<T> const edge = points.candidate_edge(i);
                if (least != no_pos && !(edge < least_edge)) continue;
                if (inside(points.candidate[i].pos)) points.look_up(i, inside);
            }
            if (points.doing[i] == Doing::offering) {
                Edge<T> const edge = points.candidate_edge(i);
                if (least == no_pos || edge < least_edge) least = i, least_edge = edge;
            } else if (points.doing[i] == Doing::sleeping) {
                bound = std::min(bound, points.proven[i].d2);
            }
        }
    }
    /// Takes in the stretch that follows, of the same component.
    void join(PointEdges<T> const& points, Stretch const& next) {
        last = next.last;
        if (least == no_pos ||
            (next.least != no_pos && points.candidate_edge(next.least) < points.candidate_edge(least)))
            least = next.least;
        wanted += next.wanted;
        bound = std::min(bound, next.bound);
    }
};

/// The stretches among points [first, last).
template <class T>
std::vector<Stretch<T>> stretches_of(pos_t const* component, pos_t first, pos_t last) {
    std::vector<Stretch<T>> stretches;
    for (pos_t i = first, next = first; i < last; i = next) {
        while (next < last && component[next] == component[i]) ++next;
        stretches.push_back({.first = i, .last = next, .component = component[i]});
    }
    return stretches;
}

}}}  // namespace zwalk::v0::detail
