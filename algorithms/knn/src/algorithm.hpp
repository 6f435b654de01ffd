// Nearest neighbours in the form that run/driver.hpp needs; the driver is in driver.hpp.
#pragma once
#include <optional>

#include "zwalk/knn/knn.hpp"
#include "zwalk/knn/search.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

struct KnnAlgorithm : NearestAlgorithm<KnnCall> {
    template <class T>
    static void check(KnnAsked const& o, CallSets const& sets);
    static CallNeed device_need(CallShape const& shape, KnnAsked const& o) {
        return nearest_need(shape, o.k, o.order, o.visitor.has_value());
    }
    /// On CPU threads, of queries: the result of a scan of all pairs, where that is expected to take less time than a tree; else
    /// nothing.
    template <class T>
    static std::optional<KnnResult<T>> without_tree(Cpu& cpu, Together<T, Cpu> const& all,
                                                    LengthUnit<T> const& unit, KnnAsked const& o);
    template <class Points, class Queries>
    static ResultOf<KnnAlgorithm, Points> run(Points& sources, Queries* queries, KnnAsked const& o);
};

}}}  // namespace zwalk::v0::detail
