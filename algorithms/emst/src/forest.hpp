// Borůvka's rounds over lists of neighbours: the part of a spanning tree that knows no dimension.
#pragma once
#include <functional>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/emst/fragments.hpp"
#include "zwalk/walk/lists.hpp"

namespace zwalk::inline v0::detail {

/// What the rounds start from; everything by z-order position.
template <class T>
struct Neighbourhood {
    pos_t points = 0;     ///< at least 2
    pos_t listed = 0;     ///< neighbours per point, from 1 to points - 1
    Buffer<Key<T>> list;  ///< (points, listed): the nearest others, nearest first
    Buffer<T> core2;      ///< squared core distances; empty: none
    /// Squared distance from each point to the next one; -1 if they are equal. points - 1 elements.
    Buffer<T> step2;
};

/// Finds the least edge of every component but `excluded`, whatever the lists say (trait.hpp).
template <class T>
using LeastEdgeSearch = std::function<WalkCounts(Fragments<T> const&, pos_t excluded)>;

/// The edges of the minimum spanning tree, in no particular order, and what it took. Call inside Cpu::run.
///
/// Chunks of so many points that follow each other in z-order grow trees of their own first
/// (chunk_rounds.hpp). Then, in each round, components are joined by the least edge that leaves each of them.
/// As long as a good part of the components can tell theirs from the lists, the others wait. Otherwise they
/// search; the one with most to search need not, since the others join it.
template <class T>
Buffer<Edge<T>> grow_tree(Neighbourhood<T>&& from, pos_t chunk, LeastEdgeSearch<T> const& search,
                          Stats& stats);

extern template Buffer<Edge<float>> grow_tree(Neighbourhood<float>&&, pos_t,
                                              LeastEdgeSearch<float> const&, Stats&);
extern template Buffer<Edge<double>> grow_tree(Neighbourhood<double>&&, pos_t,
                                               LeastEdgeSearch<double> const&, Stats&);

}  // namespace zwalk::inline v0::detail
