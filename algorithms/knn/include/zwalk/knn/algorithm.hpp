// Nearest neighbours as an algorithm (run/algorithm.hpp): how the public functions call it, and drivers of algorithms that
// begin with neighbours.
#pragma once
#include <type_traits>

#include "zwalk/knn/knn.hpp"
#include "zwalk/nearest/device_visit.hpp"
#include "zwalk/nearest/ways.hpp"
#include "zwalk/run/algorithm.hpp"
#include "zwalk/run/queries.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk::inline v0::detail {

template <class T, class P>
using VisitorOn = std::conditional_t<is_device<P>, RunVisitor<T, P>, NeighbourVisitor<T>>;

/// A visitor that is shown squares of lengths in this unit.
template <class T, class P>
VisitorOn<T, P> in_unit(VisitorOn<T, P> visitor, LengthUnit<T> const& unit) {
    if constexpr (is_device<P>) {
        return [visitor, length = unit.unit()](P& device, NeighbourRun<T> run) {
            run.unit = length;
            visitor(device, run);
        };
    } else {
        visitor.unit = unit.unit();
        return visitor;
    }
}

/// KnnOptions::within in this unit.
template <class T>
double scaled_within(double within, LengthUnit<T> const& unit) {
    return within < infinity<double> ? unit.limit(within) : within;
}

/// The task of a search. Its options k, exclude_self, within and order are read, no others.
template <class T, class P>
struct KnnSearch {
    KnnOptions options;
    Queries<T, P>* queries = nullptr;  ///< null: the points are their own queries
    VisitorOn<T, P> visitor{};         ///< sees the neighbours instead of a result's rows
    /// How queries are answered on CPU threads, sorted but for `here`.
    IndexWay way = IndexWay::walk;
    TargetNodes targets{};  ///< without queries: the points whose neighbours are found; with Order::z
};

/// Throws InputError for a k that is no number of neighbours, and for exclude_self with queries.
void check_options(KnnOptions const& options, bool with_queries);
SearchNeed knn_need(SearchShape const& shape, KnnOptions const& options, bool visited);

/// Order::z fills row_order; source_order too, unless the points are kept by an index on CPU threads, which has it. The
/// driver for threads is called on these.
struct KnnAlgorithm {
    template <class T, class P>
    using Task = KnnSearch<T, P>;
    template <class T, class P>
    using Result = KnnResult<T, P>;

    // The functions that run/search.hpp calls.
    template <class T>
    static void check(KnnOptions const& options, bool with_queries) {
        check_options(options, with_queries);
    }
    template <class T, class P>
    static SearchNeed device_need(SearchShape const& shape, KnnSearch<T, P> const& search) {
        return knn_need(shape, search.options, bool(search.visitor));
    }
    template <class T, class P>
    static void take_queries(P& place, Queries<T, P>& queries, KnnSearch<T, P>& search) {
        if constexpr (!is_device<P>)
            if (search.way != IndexWay::here) sort_queries(place, queries);
        search.queries = &queries;
    }

    template <class T, class P>
    static void to_unit(KnnSearch<T, P>& search, LengthUnit<T> const& unit) {
        search.options.within = scaled_within(search.options.within, unit);
        if (search.visitor) search.visitor = in_unit<T, P>(search.visitor, unit);
    }
    template <class T, class P>
    static void from_unit(P& place, KnnResult<T, P>& r, LengthUnit<T> const& unit) {
        Preparation<T, P>::multiply(place, r.distances.data(), r.distances.size(), unit.unit());
    }

    template <int D, class T>
    static KnnResult<T> run(Cpu& cpu, RunPoints<T, Cpu>& points, KnnSearch<T, Cpu> const& search);
    template <int D, class T, class P>
    requires is_device<P>
    static KnnResult<T, P> run(P& device, RunPoints<T, P>& points, KnnSearch<T, P> const& search);
};

}  // namespace zwalk::inline v0::detail
