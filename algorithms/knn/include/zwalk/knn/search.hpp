// The search for the k nearest of prepared points on one place, which is what is compiled for each dimension: NeighboursOf
// (neighbours_of.hpp) asks it, and drivers that are compiled for each dimension themselves.
#pragma once
#include <array>
#include <type_traits>

#include "zwalk/knn/knn.hpp"
#include "zwalk/nearest/device_visit.hpp"
#include "zwalk/nearest/search.hpp"
#include "zwalk/nearest/ways.hpp"
#include "zwalk/ranks/agree_on.hpp"
#include "zwalk/run/algorithm.hpp"
#include "zwalk/run/driver.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T, class P>
using VisitorOn = std::conditional_t<is_device<P>, ChunkVisitor<T, P>, NeighbourVisitor<T>>;

/// A visitor that is shown squares of lengths in this unit.
template <class T, class P>
VisitorOn<T, P> in_unit(VisitorOn<T, P> visitor, LengthUnit<T> const& unit) {
    if constexpr (is_device<P>) {
        return [visitor, length = unit.unit()](P& device, NeighbourChunk<T> chunk) {
            chunk.unit = length;
            visitor(device, chunk);
        };
    } else {
        visitor.unit = unit.unit();
        return visitor;
    }
}

/// What is searched, with lengths in the unit of the points. Of `search` k, exclude_self, within and targets are read.
template <class T, class P>
struct NearestAsked {
    NearestSearch search;
    Order order = Order::z;  ///< of rows; with Order::z neighbours are positions, else rows of the input
    Queries<T, P>* queries = nullptr;  ///< null: the points are their own queries
    VisitorOn<T, P> visitor{};         ///< sees the neighbours instead of the result's rows
    IndexWay way = IndexWay::walk;  ///< how queries are answered on CPU threads, sorted but for `here`
};

/// What was found, with lengths in that unit; of a visit only the statistics, and how many targets there were.
template <class T, class P>
struct NearestFound {
    std::size_t rows = 0;
    ArrayOn<P, index_t> indices;
    ArrayOn<P, T> distances;
    ArrayOn<P, pos_t> row_order;  ///< with Order::z: the row of the input that each is
    Stats stats;
};

/// An algorithm (run/algorithm.hpp) of drivers alone.
struct NearestSearching {
    template <class T, class P>
    using Task = NearestAsked<T, P>;
    template <class T, class P>
    using Result = NearestFound<T, P>;

    template <int D, class T>
    static NearestFound<T, Cpu> run(Cpu& cpu, RunPoints<T, Cpu>& points,
                                    NearestAsked<T, Cpu> const& asked);
    template <int D, class T, class P>
    requires is_device<P>
    static NearestFound<T, P> run(P& device, RunPoints<T, P>& points, NearestAsked<T, P> const& asked);
};

// For algorithms that begin with such a search.

/// Throws InputError: a k that is no number of neighbours, a distance that is none; exclude_self with queries, or queries of other
/// columns.
void check_options(KnnOptions const& options, CallSets const& sets);
/// KnnOptions::within in this unit.
template <class T>
double scaled_within(double within, LengthUnit<T> const& unit) {
    return within < infinity<double> ? unit.limit(within) : within;
}
/// Queries of an index that the calling thread answers. Rows in z-order need a sort.
inline bool few_queries(CallSets const& sets, int columns, Order order) {
    return sets.others && order == Order::input &&
           index_way(sets.others->size, sets.points.size, columns) == IndexWay::here;
}
/// The memory that a search needs on a device. @param visited  a visitor sees the neighbours
CallNeed nearest_need(CallShape const& shape, index_t k, Order order, bool visited);

/// What run/driver.hpp asks of such an algorithm, but for its check(), its device_need(), and the driver.
/// @tparam Call  its Options are KnnOptions, and more
template <class Call>
struct NearestAlgorithm : Call {
    static constexpr char const* name = "kNN";
    static constexpr char const* others_name = "queries";
    static constexpr OthersAre others_are = OthersAre::queries;

    static std::array<Option, 6> agreed(KnnOptions const& o, Option const& place, bool with_queries) {
        return {Option("k", o.k),
                Option("exclude_self", o.exclude_self),
                Option("within", o.within),
                Option("order", int(o.order)),
                Option("having queries", with_queries),
                place};
    }
    template <class P>
    static TreeOptions tree_options(KnnOptions const& o) {
        return o.tree;
    }
    static bool answers_here(CallSets const& sets, int columns, KnnOptions const& o) {
        return few_queries(sets, columns, o.order);
    }
};

}}}  // namespace zwalk::v0::detail
