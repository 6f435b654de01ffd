// Nearest neighbours as an algorithm (run/algorithm.hpp): how the public functions ask, and drivers of algorithms that
// begin with neighbours.
#pragma once
#include "zwalk/knn/device_visit.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/run/algorithm.hpp"

namespace zwalk::inline v0::detail {

/// Queries, checked, on a place.
template <class T, class P>
struct KnnQueries {
    PointsOn<T, P> points;
    /// On CPU threads: their z-order, where it is known, and the seconds that it took.
    Buffer<pos_t> order{};
    double sorting = 0;
};

template <class T, class P>
using VisitorOn = std::conditional_t<is_device<P>, RunVisitor<T, P>, KnnVisitor<T>>;

/// What a search is asked. Of the options k, exclude_self and order are looked at.
template <class T, class P>
struct KnnSearch {
    KnnOptions options;
    KnnQueries<T, P>* queries = nullptr;  ///< null: the points are their own queries
    VisitorOn<T, P> visitor{};            ///< sees the neighbours instead of a result's rows
};

/// Order::z fills row_order; source_order too, unless the points are kept by an index on CPU threads, which has it.
struct KnnAlgorithm {
    template <class T, class P>
    using Task = KnnSearch<T, P>;
    template <class T, class P>
    using Result = KnnResult<T, P>;

    template <int D, class T, class P>
    static KnnResult<T, P> run(P& place, RunPoints<T, P>& points, KnnSearch<T, P> const& search);
};

}  // namespace zwalk::inline v0::detail
