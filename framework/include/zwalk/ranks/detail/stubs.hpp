// What ranks send each other of their trees before any points travel: boxes, counts and summaries of nodes and points.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "zwalk/core/columns.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/ranks/comm.hpp"
#include "zwalk/walk/bounds.hpp"
#include "zwalk/walk/inputs.hpp"
#include "zwalk/walk/summaries.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// A node as other ranks see it: a top node as a source, or a leaf that sends requests.
template <class I>
struct NodeStub {
    Box<I::dim, typename I::real> box;
    pos_t count;              ///< of its points
    typename I::real reach2;  ///< of a leaf: nothing further away (squared) matters
    typename I::Summary summary;
};

/// Whether points send requests, not their leaves: if each has a reach of its own, which may be far less than that of its
/// leaf as a whole. Leaves between clumps are large, but where their points are matters to few of these.
template <class I>
inline constexpr bool asks_by_points = I::uses.reach && !accepts_nodes<I>;

/// A point that sends requests.
template <class I>
struct PointStub {
    Vec<I::dim, typename I::real> x;
    typename I::real reach2;
    [[no_unique_address]] typename I::Summary summary;

    operator NodeStub<I>() const {
        NodeStub<I> stub{{}, 1, reach2, summary};
        std::copy_n(x.v, I::dim, stub.box.lo);
        std::copy_n(x.v, I::dim, stub.box.hi);
        return stub;
    }
};

/// The sender of a request: a point or a leaf.
template <class I>
using Asking = std::conditional_t<asks_by_points<I>, PointStub<I>, NodeStub<I>>;

/// Stubs as a plane, so that bounds see them as they see nodes.
template <class I>
struct StubPlane {
    using T = typename I::real;
    Plane<T, Cpu> plane;
    std::vector<typename I::Summary> summary;

    /// @tparam Stub  NodeStub or PointStub
    template <class Stub>
    explicit StubPlane(std::span<Stub const> stubs) {
        std::size_t const n = stubs.size();
        plane.first = Buffer<pos_t>(n + 1);
        plane.stride = column_stride(n);
        plane.lo = Buffer<T>(plane.stride * std::size_t(I::dim));
        plane.hi = Buffer<T>(plane.stride * std::size_t(I::dim));
        std::fill(plane.lo.begin(), plane.lo.end(), T(0));
        std::fill(plane.hi.begin(), plane.hi.end(), T(0));
        pos_t points = 0;  // may wrap around; counts are right all the same
        for (std::size_t i = 0; i < n; ++i) {
            NodeStub<I> const stub = stubs[i];
            plane.first[i] = points;
            points += stub.count;
            for (int j = 0; j < I::dim; ++j) {
                plane.lo[std::size_t(j) * plane.stride + i] = stub.box.lo[j];
                plane.hi[std::size_t(j) * plane.stride + i] = stub.box.hi[j];
            }
            summary.push_back(stub.summary);
        }
        plane.first[n] = points;
    }
    [[nodiscard]] PlaneView<I::dim, T> view() const { return plane.template view<I::dim>(0); }
};

/// The requests of a rank to others.
template <class I>
struct Requests {
    Parts<Asking<I>> of_ranks;
    std::vector<pos_t> leaves;  ///< that send any requests, or whose points do, ascending
};

/// A tree with the summaries of its nodes, if the trait has such, and the payload of its points.
template <class I>
struct SummarizedTree {
    Tree<typename I::real, Cpu> const* tree;
    Summaries<I> summary;
    /// KnownNodes::count, if not all points are here.
    std::vector<std::vector<pos_t>> const* counts = nullptr;
    ColumnsView<typename I::Payload> payload{};  ///< by position; for traits whose points send requests

    [[nodiscard]] std::size_t planes() const { return tree->planes.size(); }
    [[nodiscard]] PlaneView<I::dim, typename I::real> plane(std::size_t p) const {
        return tree->template plane<I::dim>(p);
    }
    [[nodiscard]] pos_t count(std::size_t p, pos_t i) const {
        return counts ? (*counts)[p][i] : plane(p).count(i);
    }
};

/// Node i of plane p as a source.
template <class I>
NodeStub<I> node_stub(SummarizedTree<I> const& sources, std::size_t p, pos_t i) {
    auto const plane = sources.plane(p);
    NodeStub<I> stub{box_of(plane, i), sources.count(p, i), 0, {}};
    if constexpr (I::uses.summary) stub.summary = sources.summary[p][i];
    return stub;
}
/// A tree's top nodes, as other ranks see them.
template <class I>
std::vector<NodeStub<I>> top_stubs(SummarizedTree<I> const& sources) {
    std::vector<NodeStub<I>> stubs;
    if (sources.planes() == 0) return stubs;
    std::size_t const top = sources.planes() - 1;
    for (pos_t i = 0; i < sources.tree->planes[top].nodes(); ++i)
        stubs.push_back(node_stub(sources, top, i));
    return stubs;
}

/// Whether a rank may request points of rank r. Symmetric traits need those behind their own only.
template <class I>
bool is_askable(int r, int rank) {
    return r != rank && (!I::uses.symmetric || r > rank);
}
/// The rank that points of each top node of the canopy may be requested from, of which rank r's are [begin[r], begin[r + 1]);
/// -1: none.
template <class I>
std::vector<int> askable_ranks(std::vector<std::uint64_t> const& begin, int rank) {
    std::vector<int> rank_of;
    for (int r = 0; r + 1 < int(begin.size()); ++r)
        rank_of.insert(rank_of.end(), begin[std::size_t(r) + 1] - begin[std::size_t(r)],
                       is_askable<I>(r, rank) ? r : -1);
    return rank_of;
}

}}}  // namespace zwalk::v0::detail
