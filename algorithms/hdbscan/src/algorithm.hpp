// Which points of a model its queries join, in the form that run/driver.hpp needs; the driver is in driver.hpp.
#pragma once
#include <any>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/knn/search.hpp"
#include "zwalk/tree/device_tree_bytes.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// What is searched for is told of a model's points by these arrays: in the memory of the place, but for the last one.
template <class T>
struct JoinedPoints {
    T const* core;          ///< core distances, by row
    T const* core_square;   ///< by position, as trait.hpp has them, in the unit of the points
    double const* weights;  ///< by row; null: 1 each
    double enough;          ///< weight within the core distance
    bool in_tree;           ///< there is a tree to join
    T const* core_here;     ///< `core` on the host
};

struct JoinAsked : KnnOptions {
    std::any points{};  ///< a JoinedPoints<T> const*
    bool may_walk =
        true;  ///< core distances aren't all 0, so that a query's nearest points may not have what it joins
};

enum class Joined : std::uint8_t {
    yes,
    copy,  ///< the neighbour is at the same place
    open,  ///< points further away may be better
    more,  ///< what was looked at hasn't enough weight for a core distance
};

/// Of each query; on the host.
template <class T>
struct JoinFound {
    Buffer<index_t> neighbours;  ///< rows of the points; -1: there are none
    Buffer<T> distances;         ///< mutual reachability, in the unit of the input
    Buffer<Joined> joined;
    Stats stats;
};

struct JoinAlgorithm;
struct JoinCall {
    using Algorithm = JoinAlgorithm;
    using Options = JoinAsked;
    template <class T, class P>
    using Result = JoinFound<T>;
    template <class T, class P>
    using OthersOfIndex = Points<T>;
    template <bool fit>
    static void expect_others() {
        static_assert(fit,
                      "zwalk: queries of a model have the precision of its points, and are on the "
                      "host, or for a model on a GPU DevicePoints");
    }
};
/// For queries that are on the GPU of the model.
struct JoinThereCall : JoinCall {
    template <class T, class P>
    using OthersOfIndex = DevicePoints<T>;
};

struct JoinAlgorithm : NearestAlgorithm<JoinCall> {
    template <class T>
    static void check(JoinAsked const& o, CallSets const& sets) {
        check_options(o, sets);
    }
    static CallNeed device_need(CallShape const& shape, JoinAsked const& o) {
        // The search; then the walk, as if it had to answer all queries: their tree, what both trees have of each node, bounds and
        // what is found.
        CallNeed need = nearest_need(shape, o.k, Order::input, true);
        double const queries = double(shape.others.value_or(0)), item = double(shape.item_bytes);
        auto const tree = device_tree_bytes(shape.columns, shape.item_bytes, shape.tree);
        double const found = queries * (sizeof(index_t) + item + 2);
        need.build += whole_bytes(found);
        need.most += whole_bytes(found);
        if (!o.may_walk) return need;
        double const walk = queries * (tree.tree + tree.walk + item * (shape.columns + 3) + 16) +
                            double(shape.points) * tree.walk;
        need.most = std::max(need.most, whole_bytes(device_tree_padding + walk) + whole_bytes(found));
        return need;
    }
    template <class Points, class Queries>
    static ResultOf<JoinAlgorithm, Points> run(Points& sources, Queries* queries, JoinAsked const& o);
};

}}}  // namespace zwalk::v0::detail
