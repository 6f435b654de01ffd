// Borůvka's rounds over lists of neighbours: the part of a spanning tree that depends on no dimension.
#pragma once
#include <functional>
#include <memory>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/emst/detail/fragments.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/walk/lists.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Finds the least edge of every component but `excluded`, whatever the lists say (trait.hpp).
template <class T>
using LeastEdgeSearch =
    std::function<WalkCounts(Fragments<T> const&, ColumnsView<FragmentPoint<T>> const&, pos_t excluded)>;

template <class T>
class Forest;

/// The minimum spanning tree of points, from lists of their nearest neighbours; everything by z-order
/// position. Call inside Cpu::run.
///
/// Chunks of points that follow each other in z-order grow trees of their own first (chunk_rounds.hpp): as soon
/// as their lists are complete. Then, in each round, components are joined by the least edge that leaves each of
/// them. As long as a good part of the components can tell theirs from the lists, the others wait. Otherwise
/// they search; the one with most to search need not, since the others join it.
template <class T>
class TreeGrower {
  public:
    /// @param points      at least 2
    /// @param listed      neighbours per point, from 1 to points - 1
    /// @param mutual      lengths are mutual reachability distances
    /// @param step2       squared distance from each point to the next one; -1 if they are equal
    /// @param chunk_log2  2^chunk_log2 points are a chunk
    TreeGrower(Cpu const& cpu, pos_t points, pos_t listed, bool mutual, Buffer<T>&& step2,
               int chunk_log2);
    TreeGrower(TreeGrower const&) = delete;
    ~TreeGrower();

    /// Room for the neighbours of point i, the nearest others, nearest first; to be written once, by any thread.
    [[nodiscard]] Key<T>* neighbours(pos_t i);
    /// Marks the neighbours of point i as written. With core distances give that of the point, squared.
    void filled(pos_t i, T core2 = 0);

    /// The edges, in no particular order, and what they took; when all lists are there.
    [[nodiscard]] Buffer<Edge<T>> grow(LeastEdgeSearch<T> const& search, Stats& stats);
    /// Squared core distances; empty: none. After `grow`.
    [[nodiscard]] Buffer<T> take_core2();

  private:
    std::unique_ptr<Forest<T>> forest_;
};

extern template class TreeGrower<float>;
extern template class TreeGrower<double>;

}}}  // namespace zwalk::v0::detail
