// Triangles: triples of points with all sides <= r, each once. A target keeps its neighbours behind it in memory of its own, and
// pairs them when all have come.
#pragma once
#include "zwalk/run/point_tree.hpp"
#include "zwalk/walk/interaction.hpp"

namespace authors {
using namespace zwalk;

/// For each point the number of neighbours behind it in z-order.
template <int D, class T>
struct LaterNeighbours : Types<D, T> {
    using Base = Types<D, T>;
    using typename Base::Node, typename Base::Point, typename Base::Target, typename Base::State;
    static constexpr Uses uses{};
    T radius2;
    pos_t* count = nullptr;

    ZWALK_HD Decision decide(Node const&, Node const&, Range<T> d) const {
        return d.lo2 <= radius2 ? Decision::descend : Decision::discard;
    }
    ZWALK_HD bool is_later(Target const& p, Point const& q, T d2) const {
        return d2 <= radius2 && p.position < q.position;
    }
    using Fold = pos_t;
    ZWALK_HD Fold begin(Target const&, State) const { return 0; }
    ZWALK_HD void visit(Fold& n, Target const& p, Point const& q, T d2) const {
        n += is_later(p, q, d2);
    }
    ZWALK_HD void end(Fold const& n, Target const& p) const { count[p.index] = n; }
};

/// For each point the number of triangles of which it is the first in z-order.
template <int D, class T>
struct Triangles : LaterNeighbours<D, T> {
    using Base = LaterNeighbours<D, T>;
    using typename Base::Point, typename Base::Target, typename Base::State;
    static constexpr Uses uses{.scratch = true};
    Periodic<D, T> space;  ///< that of the tree, for distances of sources from each other
    pos_t most = 0;        ///< of LaterNeighbours
    size_type* triangles = nullptr;

    ZWALK_HD std::size_t scratch_bytes() const { return most * sizeof(Vec<D, T>); }
    struct Fold {
        Vec<D, T>* later;
        pos_t n;
    };
    ZWALK_HD Fold begin(Target const&, State, void* scratch) const {
        return {static_cast<Vec<D, T>*>(scratch), 0};
    }
    ZWALK_HD void visit(Fold& f, Target const& p, Point const& q, T d2) const {
        if (this->is_later(p, q, d2)) f.later[f.n++] = q.x;
    }
    ZWALK_HD void end(Fold const& f, Target const& p) const {
        size_type n = 0;
        for (pos_t i = 0; i < f.n; ++i)
            for (pos_t j = 0; j < i; ++j) n += distance2(space, f.later[i], f.later[j]) <= this->radius2;
        triangles[p.index] = n;
    }
};

/// Number of triangles for each point, of those that it is the first of. Not for MPI ranks, where each would see its own `most`.
/// @param space  that of the tree
template <int D, class T, class P>
std::vector<size_type> triangles(PointTree<D, T, P> const& tree, Periodic<D, T> const& space, T radius) {
    auto count = tree.template array<pos_t>();
    LaterNeighbours<D, T> neighbours;
    neighbours.radius2 = radius * radius;
    neighbours.count = count.data();
    tree.walk(neighbours);
    auto triangles = tree.template array<size_type>();
    Triangles<D, T> trait;
    trait.radius2 = neighbours.radius2;
    trait.space = space;
    for (pos_t const n : count.in_input_order()) trait.most = std::max(trait.most, n);
    trait.triangles = triangles.data();
    tree.walk(trait);
    return triangles.in_input_order();
}

}  // namespace authors
