// Borůvka's rounds inside a chunk of points that follow each other in z-order.
#pragma once
#include <algorithm>
#include <vector>

#include "point_edges.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Joins components as long as the least edge of one stays in the chunk: most of a tree comes about here, by
/// one thread and in its cache. A component whose least edge leaves the chunk, or isn't known from the lists,
/// waits for others to join it.
template <class T>
class ChunkRounds {
  public:
    /// What a thread needs for it.
    struct Room {
        std::vector<Edge<T>> least;  ///< of components, like the rest
        std::vector<T> bound;
        std::vector<std::uint8_t> changed, settled;
        std::vector<pos_t> roots;
        std::vector<Edge<T>> found;
    };

    /// @param component  of all points; those of the chunk are written
    ChunkRounds(PointEdges<T>& points, pos_t* component, pos_t first, pos_t last, Room& room)
        : points_(points), component_(component), first_(first), last_(last), room_(room) {
        pos_t const n = last - first;
        room.least.resize(n);
        room.bound.resize(n);
        room.settled.resize(n);
        room.changed.assign(n, 1);
        room.roots.resize(n);
        room.found.clear();
        for (pos_t i = first; i < last; ++i) {
            points.begin(i);
            component[i] = room.roots[i - first] = i;
        }
    }

    /// The edges that are found. Components are named by their smallest positions.
    std::vector<Edge<T>> const& run() {
        std::size_t before;
        do {
            before = room_.found.size();
            offer();
            settle();
            join(before);
        } while (room_.found.size() > before);
        return room_.found;
    }

  private:
    [[nodiscard]] bool within(pos_t i) const { return i - first_ < last_ - first_; }
    [[nodiscard]] auto inside(pos_t c) const {
        return [this, c](pos_t j) { return within(j) && component_[j] == c; };
    }

    /// Points of components that changed in the last round offer their candidates.
    void offer() {
        for (pos_t const c : room_.roots)
            if (room_.changed[c - first_])
                room_.least[c - first_] = {}, room_.bound[c - first_] = infinity<T>;
        for (pos_t i = first_; i < last_; ++i) {
            pos_t const c = component_[i];
            if (!room_.changed[c - first_] || points_.doing[i] == Doing::retired) continue;
            Edge<T>& least = room_.least[c - first_];
            if (points_.doing[i] == Doing::offering) {
                if (!(points_.candidate_edge(i) < least)) continue;
                auto const is_inside = inside(c);
                if (is_inside(points_.candidate[i].pos)) points_.look_up(i, is_inside);
            }
            if (points_.doing[i] == Doing::offering) least = std::min(least, points_.candidate_edge(i));
            else if (points_.doing[i] == Doing::sleeping)
                room_.bound[c - first_] = std::min(room_.bound[c - first_], points_.proven[i].d2);
        }
    }

    /// Finds the components that are joined by their least edges, and these edges.
    void settle() {
        for (pos_t const c : room_.roots) {
            Edge<T> const& least = room_.least[c - first_];
            room_.settled[c - first_] = room_.changed[c - first_] &&
                                        least.w2 < room_.bound[c - first_] && within(least.a) &&
                                        within(least.b);
        }
        for (pos_t const c : room_.roots) {
            if (!room_.settled[c - first_]) continue;
            Edge<T> const& least = room_.least[c - first_];
            pos_t const other = component_[component_[least.a] == c ? least.b : least.a];
            bool const others =  // the other one adds it
                other < c && room_.settled[other - first_] && room_.least[other - first_] == least;
            if (!others) room_.found.push_back(least);
        }
    }

    /// Joins components by the edges found from `begin` on.
    void join(std::size_t begin) {
        auto const root = [&](pos_t i) {
            while (component_[i] != i) i = component_[i];
            return i;
        };
        for (std::size_t e = begin; e < room_.found.size(); ++e) {
            auto const [to, from] = std::minmax({root(room_.found[e].a), root(room_.found[e].b)});
            component_[from] = to;
        }
        // Roots come before their members, and have settled when these look them up.
        for (pos_t i = first_; i < last_; ++i) component_[i] = component_[component_[i]];
        for (pos_t const c : room_.roots) room_.changed[c - first_] = 0;
        std::size_t left = 0;
        for (pos_t const c : room_.roots) {
            pos_t const to = component_[c];
            if (to == c) room_.roots[left++] = c;
            else room_.changed[to - first_] = 1;
        }
        room_.roots.resize(left);
    }

    PointEdges<T>& points_;
    pos_t* component_;
    pos_t first_, last_;
    Room& room_;
};

}}}  // namespace zwalk::v0::detail
